"""Prints measurements as a Markdown table, with the goals that they meet."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence

from .contenders import CLANGD, OPENCLSP
from .goals import GOALS, Goal
from .sessions import PAUSE, Measured, Sample

Results = Mapping[str, Mapping[str, Measured]]
"""By case and by server."""


def table(results: Results) -> str:
    """Renders the table: a column for each file; for each action a row for each server, and one with the ratios."""
    cases = list(results)
    servers = list(next(iter(results.values())))
    lines = ["| | |" + "".join(f" {case} |" for case in cases), "|---|---|" + "---|" * len(cases)]
    for what in _rows(results):
        for server in servers:
            title = what if server == servers[0] else ""
            cells = [_cell(results[case][server].samples.get(what, ())) for case in cases]
            lines.append(_line(title, server, cells))
        if what.endswith(PAUSE):
            continue
        for server in servers[1:]:
            cells = [_ratios(results[case], what, server, servers[0]) for case in cases]
            lines.append(_line("", f"{server} / {servers[0]}", cells))
    for what, sizes in _sizes():
        for server in servers:
            title = what if server == servers[0] else ""
            lines.append(_line(title, server, [_size(sizes, results[case][server]) for case in cases]))
    return "\n".join(lines)


def wrong_answers(results: Results) -> Iterator[str]:
    """Yields a line for each kind of answer that did not belong to the edited text."""
    for case, servers in results.items():
        for server, measured in servers.items():
            for answer in dict.fromkeys(measured.wrong):
                yield f"{server}, {case}: {measured.wrong.count(answer)} times {answer}"


def goals(results: Results) -> str:
    """Renders each goal that the results cover: the target and the measured value."""
    lines = ["| goal | file | wanted | measured | |", "|---|---|---|---|---|"]
    for goal in GOALS:
        for case, limit in goal.limits.items():
            if case in results and (found := _measured(goal, results[case])) is not None:
                wanted = f"at most {_number(limit)}{goal.unit}"
                met = "met" if found <= limit else f"{found / limit:.1f} times too much"
                lines.append(
                    f"| {goal.what}, {goal.quantity} | {case} | {wanted} | {_number(found)}{goal.unit} | {met} |"
                )
    return "\n".join(lines)


def _measured(goal: Goal, servers: Mapping[str, Measured]) -> float | None:
    def value(server: str) -> float:
        measured = servers.get(server)
        if measured is None:
            return 0.0
        if goal.quantity.startswith("memory"):
            return statistics.median(measured.memory) if measured.memory else 0.0
        samples = measured.samples.get(goal.what) or [(0.0, 0.0)]
        if goal.quantity.startswith("CPU"):
            return statistics.median(cpu for _, cpu in samples)
        walls = [wall for wall, _ in samples]
        return _late(walls) if "p95" in goal.quantity else statistics.median(walls)

    ours, theirs = value(OPENCLSP), value(CLANGD)
    if not goal.ratio:
        return ours or None
    return ours / theirs if ours and theirs else None


def _rows(results: Results) -> list[str]:
    """The measured actions in order, without pauses in which the server was nearly idle."""
    found: dict[str, float] = {}
    for servers in results.values():
        for measured in servers.values():
            for what, samples in measured.samples.items():
                found[what] = max(found.get(what, 0.0), *(cpu for _, cpu in samples))
    return [what for what, most in found.items() if most >= 1 or not what.endswith(PAUSE)]


def _sizes() -> tuple[tuple[str, str], ...]:
    return (
        ("memory (PSS) after opening, MB", "memory"),
        ("memory (PSS) after all edits, MB", "memory_after"),
        ("CPU of the session, s", "sessions"),
    )


def _size(name: str, measured: Measured) -> str:
    values: Sequence[float] = getattr(measured, name)
    return _number(statistics.median(values)) if values else "-"


def _line(title: str, server: str, cells: Sequence[str]) -> str:
    return f"| {title} | {server} |" + "".join(f" {cell} |" for cell in cells)


def _cell(samples: Sequence[Sample]) -> str:
    if not samples:
        return "-"
    walls, cpus = zip(*samples, strict=True)
    return (
        f"{_number(statistics.median(walls))} ({_number(_late(walls))}) [{_number(statistics.median(cpus))}]"
    )


def _ratios(servers: Mapping[str, Measured], what: str, server: str, first: str) -> str:
    mine, other = servers[first].samples.get(what), servers[server].samples.get(what)
    if not mine or not other:
        return "-"
    both = [
        statistics.median(sample[kind] for sample in other)
        / max(statistics.median(sample[kind] for sample in mine), 1e-6)
        for kind in (0, 1)
    ]
    return f"{_number(both[0])} [{_number(both[1])}]"


def _late(walls: Sequence[float]) -> float:
    """Returns the 95th percentile."""
    return sorted(walls)[min(len(walls) - 1, round(0.95 * (len(walls) - 1)))]


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 1 else f"{value:.2g}"
