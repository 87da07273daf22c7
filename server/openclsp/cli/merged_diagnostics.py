"""The diagnostics of one file, merged over the builds in which it is checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from openclsp.cli.check_report import ReportedDiagnostic
from openclsp.dataclass import dataclass


@dataclass(slots=True)
class MergedDiagnostics:
    """The diagnostics of one file, merged over builds.

    - `diagnostics`: maps a diagnostic's identity to the diagnostic of each build that reports it
    - `builds`: the names of all builds of the file, as yielded by `plan_builds`
    - `message_numbers`: for each build, code, severity and location, the distinct messages, numbered from 0
    """

    dialects: dict[str, None] = field(default_factory=dict)
    diagnostics: dict[tuple[object, ...], dict[str, ReportedDiagnostic]] = field(default_factory=dict)
    builds: dict[str, None] = field(default_factory=dict)
    message_numbers: dict[tuple[object, ...], dict[str, int]] = field(default_factory=dict)

    def add(self, found: ReportedDiagnostic, build: str) -> None:
        """Adds a diagnostic of a build.

        If several programs report it, the fixes are those of the program whose name is the first, whatever the
        order in which the programs were checked. Diagnostics of different builds are the same if they have
        the same code, severity and location, even if their messages name different types.
        """
        # The n-th distinct message at a location in one build corresponds to the n-th in another, so that
        # several diagnostics of one rule at one location stay separate.
        place = found.code, found.severity, found.location.start, found.location.end
        messages = self.message_numbers.setdefault((build, *place), {})
        identity = *place, messages.setdefault(found.message, len(messages))
        having = self.diagnostics.setdefault(identity, {})
        same = having.get(build)
        if same is None:
            having[build] = found
        elif found.fixes_from < same.fixes_from:
            having[build] = replace(
                same, fixes=found.fixes, fixes_from=found.fixes_from, fixes_skipped=found.fixes_skipped
            )
        elif found.fixes_from == same.fixes_from:
            having[build] = _with_common_fixes(same, (found,))

    def names(self) -> tuple[str, ...]:
        """Returns the names of the builds, if they have names."""
        return tuple(name for name in self.builds if name)

    def reported(self) -> Iterator[ReportedDiagnostic]:
        """Yields the diagnostics, each with the builds that report it and the fixes common to them."""
        for having in self.diagnostics.values():
            first, *others = having.values()
            yield replace(
                _with_common_fixes(first, others),
                build_names=tuple(name for name in having if name),
                in_all_builds=len(having) == len(self.builds),
            )


def _with_common_fixes(found: ReportedDiagnostic, others: Sequence[ReportedDiagnostic]) -> ReportedDiagnostic:
    """Returns a diagnostic with those of its fixes that each of the `others` has too, by their titles."""
    titles = [{fix.title for fix in each.fixes} for each in others]
    return replace(
        found, fixes=tuple(fix for fix in found.fixes if all(fix.title in each for each in titles))
    )
