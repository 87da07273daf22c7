"""What a document is looked at as, for editors to show: the language version, the variant, the kernel that includes it.

`openclsp/status` asks for that of one document. A client whose experimental capabilities have `openclspStatus` is told
whenever it changes, by the notification `openclsp/statusChanged`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openclsp.dataclass import dataclass
from openclsp.lsp.language_server import OpenclServer, request
from openclsp.lsp.uris import uri_of

if TYPE_CHECKING:
    from openclsp.lsp.jobs import Check
    from openclsp.lsp.session import Analysed
    from openclsp.workspace.units import Unit

REQUEST = "openclsp/status"


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


def register(server: OpenclServer) -> None:
    """Registers the request. Its parameters are those of a request about a text document; null is answered for a document
    that is not open, or is none of ours."""

    @request(server, REQUEST)
    async def status(ls: OpenclServer, params: Any) -> dict[str, Any] | None:
        uri = str(params.textDocument.uri)

        def work(analysed: Analysed, check: Check) -> dict[str, Any]:
            return Status.of(analysed.unit.unit).message(uri)

        return await ls.answer(uri, work)
