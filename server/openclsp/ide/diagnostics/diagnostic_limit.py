"""The limit on the number of diagnostics of one file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from openclsp.ide.diagnostics.severity_settings import effective_severity
from openclsp.rules.finding import Severity
from openclsp.workspace.project_file import ProjectConfiguration

T = TypeVar("T")

CODE: Final = "too-many-diagnostics"
MAXIMUM_DIAGNOSTICS: Final = 1_000
"""The maximum number of diagnostics of one file.

VS Code shows no more from one source. On the command line, 60,000 diagnostics were 20 MB of text.
"""

_RANK = {severity: rank for rank, severity in enumerate(Severity)}


def limited(
    found: Sequence[T], severity: Callable[[T], Severity], notice: Callable[[T, str], T | None]
) -> Sequence[T]:
    """Limits the diagnostics of a file to the `MAXIMUM_DIAGNOSTICS` most severe ones; keeps their order.

    Of several with the same severity, the first ones are kept. The first omitted diagnostic is replaced by a
    notice. `notice` creates it from that diagnostic and from a message that counts the omitted diagnostics.
    """
    if len(found) <= MAXIMUM_DIAGNOSTICS:
        return found
    order = sorted(range(len(found)), key=lambda number: _RANK[severity(found[number])])
    rest = order[MAXIMUM_DIAGNOSTICS:]
    at = rest[0]
    counts = Counter(severity(found[number]) for number in rest)
    kept: list[T] = []
    for number in sorted((*order[:MAXIMUM_DIAGNOSTICS], at)):
        reported = notice(found[number], _message(counts)) if number == at else found[number]
        if reported is not None:
            kept.append(reported)
    return kept


def notice_severity(project: ProjectConfiguration | None) -> Severity | None:
    """Returns the severity of the notice; None if the project turns the notice off."""
    return effective_severity(project, CODE, Severity.WARNING)


def _message(counts: Counter[Severity]) -> str:
    listed = [
        f"{counts[each]:,} more {each.value}{'' if counts[each] == 1 or each is Severity.INFORMATION else 's'}"
        for each in Severity
        if counts[each]
    ]
    parts = " and ".join(filter(None, (", ".join(listed[:-1]), listed[-1])))
    return f"not shown: {parts} in this file, beyond the limit of {MAXIMUM_DIAGNOSTICS:,} diagnostics"
