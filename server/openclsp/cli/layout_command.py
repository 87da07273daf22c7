"""The command `layout`: the members of a struct or union with offset, size and padding, as text or JSON."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.cli.check_report import OutputLocation
from openclsp.cli.command_error import CommandError
from openclsp.cli.excerpt import printable
from openclsp.cli.json_output import Json, range_json
from openclsp.cli.source_position import analyse_position
from openclsp.cli.styled_text import StyledLine
from openclsp.dataclass import dataclass
from openclsp.ide.layout.layout_text import (
    PADDING,
    UNKNOWN_LAYOUT,
    align_table,
    describe_devices,
    describe_size,
    layout_table,
)
from openclsp.ide.layout.record_layout import RecordLayout, compute_layout_at
from openclsp.ide.unit_config import unit_config
from openclsp.project.option_parser import BuildOptions


@dataclass(frozen=True, slots=True)
class LayoutReport:
    """The layout of a record with the location of its definition; `notices` are for standard error."""

    layout: RecordLayout
    location: OutputLocation | None
    dialect_reason: str
    notices: tuple[str, ...]


def layout_report(
    place: str, options: BuildOptions, variant: str | None = None, *, is_opencl: bool = False
) -> LayoutReport:
    """Returns the layout of the struct or union at `FILE:LINE:COLUMN`: see `analyse_position`.

    Raises CommandError if the position does not exist, or if there is no struct or union at the position.
    """
    analysed = analyse_position(place, options, variant, is_opencl=is_opencl)
    found = compute_layout_at(analysed.unit, analysed.root.document.name, analysed.offset)
    if found is None:
        raise CommandError(f"there is no struct or union at {place}")
    location = analysed.output_location(found.location)
    return LayoutReport(found, location, unit_config(analysed.unit).dialect_explanation, analysed.notices)


def layout_json(report: LayoutReport) -> dict[str, Json]:
    """Returns the JSON output of `layout`; `layouts` is empty if the layout is not known."""
    return {
        "name": report.layout.name,
        "path": report.location.path if report.location is not None else None,
        "range": range_json(report.location) if report.location is not None else None,
        "layouts": [
            {
                "address_bits": device.address_bits,
                "size": device.size,
                "alignment": device.alignment,
                "padding": device.padding,
                "members": [
                    {
                        "name": row.name,
                        "declaration": row.declaration or None,
                        "depth": row.depth,
                        "bit_offset": row.offset,
                        "bits": row.size,
                        "bit_field": row.bit_field,
                    }
                    for row in device.rows
                ],
            }
            for device in report.layout.devices
        ],
    }


def layout_text(report: LayoutReport) -> Iterator[StyledLine]:
    """Yields the text output of `layout`: a table for each width of addresses, or one if all are equal."""
    where = f"  {report.location.start_label}" if report.location is not None else ""
    yield [(printable(report.layout.name), "bold"), (where, "bright_black")]
    if not report.layout.devices:
        yield [(f"  {UNKNOWN_LAYOUT}", "")]
    for words, device in describe_devices(report.layout):
        yield [(f"  {words}: {describe_size(device)}", "")]
        for number, line in enumerate(align_table(layout_table(device))):
            style = "bright_black" if not number or line.endswith(PADDING) else ""
            yield [(f"    {printable(line)}", style)]
    yield [(report.dialect_reason, "bright_black")]
