"""What a document is looked at as, for editors to show: the language version, the variant, the kernel that includes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openclsp.dataclass import dataclass
from openclsp.lsp.uris import uri_of

if TYPE_CHECKING:
    from openclsp.workspace.units import Unit


@dataclass(frozen=True, slots=True)
class Status:
    """The choices of one unit. `variants` are (name, source); `root` is the kernel that a fragment is looked at through."""

    dialect: str
    reason: str
    variant: str
    variants: tuple[tuple[str, str], ...]
    root: str

    @staticmethod
    def of(unit: Unit) -> Status:
        """The choices that made the unit."""
        return Status(
            unit.configuration.dialect.name,
            unit.dialect_reason,
            "" if unit.variant is None else unit.variant.name,
            tuple((each.name, each.source) for each in unit.variants),
            unit.root if unit.subject else "",
        )

    def message(self, uri: str) -> dict[str, Any]:
        """As the client gets it, about the document `uri`."""
        return {
            "uri": uri,
            "dialect": self.dialect,
            "reason": self.reason,
            "variant": self.variant or None,
            "variants": [{"name": name, "source": source} for name, source in self.variants],
            "includedBy": uri_of(self.root) if self.root else None,
        }
