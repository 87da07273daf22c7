"""Text of layouts, such as table cells, shared by the command line and the editors."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.ide.layout.record_layout import MAXIMUM_ROWS, DeviceLayout, LayoutRow, RecordLayout

HEADINGS = ("offset", "size", "member")
PADDING = "padding"
UNKNOWN_LAYOUT = "The size of a member is not known, so neither is the layout."


def describe_devices(layout: RecordLayout) -> Iterator[tuple[str, DeviceLayout]]:
    """Yields the different layouts, each with a description of the devices that use it."""
    if layout.devices and layout.is_the_same:
        yield "on 32- and 64-bit devices", layout.devices[0]
    else:
        for device in layout.devices:
            yield f"on {device.address_bits}-bit devices", device


def describe_size(device: DeviceLayout) -> str:
    """Describes the total size, alignment and padding."""
    padding = f", {device.padding} of them padding" if device.padding else ""
    return f"{count_bytes(device.size)}{padding}, aligned to {device.alignment}"


def count_bytes(count: int) -> str:
    """Formats a number of bytes with its unit: `1 byte`, `16 bytes`."""
    return f"{count} byte" if count == 1 else f"{count} bytes"


def layout_table(device: DeviceLayout) -> list[tuple[str, str, str]]:
    """Returns the rows of the table: the headings, then the offset, size and declaration of each member.

    Bit-fields are measured in bits.
    """
    rows = [HEADINGS]
    for row in device.rows:
        rows.append((_offset(row), _size(row), "  " * row.depth + _member(row)))
    if len(device.rows) >= MAXIMUM_ROWS:
        rows.append(("", "", f"… only the first {MAXIMUM_ROWS} members are listed"))
    return rows


def _offset(row: LayoutRow) -> str:
    return f"{row.offset // 8}:{row.offset % 8}" if row.bit_field else str(row.offset // 8)


def _size(row: LayoutRow) -> str:
    if row.bit_field:
        return f"{row.size} bit" if row.size == 1 else f"{row.size} bits"
    return str(row.size // 8)


def _member(row: LayoutRow) -> str:
    return row.declaration or PADDING


def render_layout(layout: RecordLayout) -> str:
    """Renders the layout as plain text: the name of the struct or union, and its tables.

    There is one table for each device if the tables differ, otherwise a single one.
    """
    lines = [layout.name]
    if not layout.devices:
        lines.append(UNKNOWN_LAYOUT)
    for words, device in describe_devices(layout):
        lines += ["", f"{words}: {describe_size(device)}"]
        lines += [f"  {row}" for row in align_table(layout_table(device))]
    return "\n".join([*lines, ""])


def align_table(rows: list[tuple[str, str, str]]) -> list[str]:
    """Formats the rows as lines with aligned columns."""
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return [f"{offset:>{widths[0]}}  {size:>{widths[1]}}  {member}" for offset, size, member in rows]
