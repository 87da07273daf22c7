"""The configuration under which a document is analysed, for display in editors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openclsp.dataclass import dataclass
from openclsp.lsp.uris import document_uri

if TYPE_CHECKING:
    from openclsp.workspace.units import UnitConfig


@dataclass(frozen=True, slots=True)
class Status:
    """The language version, build variant and root kernel of a unit.

    `variants` has the name and source of each variant. `root` is the kernel through which a fragment is
    analysed; empty for other documents.
    """

    dialect: str
    reason: str
    variant: str
    variants: tuple[tuple[str, str], ...]
    root: str

    @staticmethod
    def of(unit: UnitConfig) -> Status:
        """Returns the status of a unit's configuration."""
        return Status(
            unit.configuration.dialect.name,
            unit.dialect_explanation,
            "" if unit.variant is None else unit.variant.name,
            tuple((each.name, each.source) for each in unit.variants),
            unit.root if unit.subject else "",
        )

    def to_json(self, uri: str) -> dict[str, Any]:
        """Returns the status of the document `uri` as a JSON object."""
        return {
            "uri": uri,
            "dialect": self.dialect,
            "reason": self.reason,
            "variant": self.variant or None,
            "variants": [{"name": name, "source": source} for name, source in self.variants],
            "includedBy": document_uri(self.root) if self.root else None,
        }
