"""The diagnostics of one file, merged over the builds in which it is checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from openclsp.cli.check_report import ReportedDiagnostic
from openclsp.dataclass import dataclass


@dataclass(slots=True)
class MergedDiagnostics:
    """The diagnostics of one file, merged over builds.

    - `diagnostics`: maps a diagnostic's identity to the diagnostic and the builds that report it
    - `builds`: the names of all builds of the file, as yielded by `plan_builds`
    - `message_numbers`: for each build, code, severity and location, the distinct messages, numbered from 0
    """

    dialects: dict[str, None] = field(default_factory=dict)
    diagnostics: dict[tuple[object, ...], tuple[ReportedDiagnostic, dict[str, None]]] = field(
        default_factory=dict
    )
    builds: dict[str, None] = field(default_factory=dict)
    message_numbers: dict[tuple[object, ...], dict[str, int]] = field(default_factory=dict)

    def add(self, found: ReportedDiagnostic, build: str) -> None:
        """Adds a diagnostic of a build. If another build reports it too, only the common fixes are kept.

        Diagnostics of different builds are the same if they have the same code, severity and location, even
        if their messages name different types.
        """
        # The n-th distinct message at a location in one build corresponds to the n-th in another, so that
        # several diagnostics of one rule at one location stay separate.
        place = found.code, found.severity, found.location.start, found.location.end
        messages = self.message_numbers.setdefault((build, *place), {})
        identity = *place, messages.setdefault(found.message, len(messages))
        same, having = self.diagnostics.get(identity, (None, {}))
        if same is not None:
            titles = {fix.title for fix in found.fixes}
            found = replace(same, fixes=tuple(fix for fix in same.fixes if fix.title in titles))
        self.diagnostics[identity] = found, {**having, build: None}

    def names(self) -> tuple[str, ...]:
        """Returns the names of the builds, if they have names."""
        return tuple(name for name in self.builds if name)

    def reported(self) -> Iterator[ReportedDiagnostic]:
        """Yields the diagnostics, each with the builds that report it."""
        for found, having in self.diagnostics.values():
            everywhere = len(having) == len(self.builds)
            yield replace(found, build_names=tuple(name for name in having if name), in_all_builds=everywhere)
