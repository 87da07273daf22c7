"""Through which kernel an open document is looked at that is no program of its own. Belongs to the engine thread."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.lsp.documents import OpenDocument
from openclsp.lsp.superseded import Check
from openclsp.lsp.uris import is_file
from openclsp.lsp.world import World
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.workspace.discovery import KERNEL_SUFFIXES
from openclsp.workspace.files import LOCAL_FILES, Documents, FileProblem
from openclsp.workspace.includers import Includer, Includers
from openclsp.workspace.project_file import find_project_file
from openclsp.workspace.roots import project_root
from openclsp.workspace.scan import scan
from openclsp.workspace.subjects import unit_through_includer
from openclsp.workspace.units import PlannedUnit

_Key = tuple[object, ...]


@dataclass(slots=True)
class _Project:
    """Who includes whom in a project, as its files were when `tree` was the world's."""

    includers: Includers = field(default_factory=Includers)
    tree: int = -1


@dataclass(slots=True)
class Roots:
    """Decides for each document once, and again where files came or went, or the kernel no longer includes it."""

    _projects: dict[str, _Project] = field(default_factory=dict)
    _decided: dict[DocumentName, tuple[_Key, Includer | None]] = field(default_factory=dict)
    _doubted: dict[DocumentName, tuple[_Key, Document]] = field(default_factory=dict)
    """The state of a kernel that turned out not to include the document"""
    _caches: dict[DocumentName, IncludeCache] = field(default_factory=dict)

    def root_of(
        self,
        document: OpenDocument,
        world: World,
        documents: Documents,
        plan: Callable[[Document], PlannedUnit],
        check: Check,
        including: Callable[[], Iterator[Document]],
    ) -> Document | None:
        """The kernel that the document is looked at through; None where it stands for itself. `including` gives the open
        kernels that include the document as they are now, saved or not.

        For a kernel's file, which hardly ever is a fragment, that is not known before its project was looked over.
        """
        name = document.name
        if not is_file(name):
            return None
        key: _Key = (document.opening, world.tree, world.disk, world.folders)
        decided = self._decided.get(name)
        if decided is None or decided[0] != key:
            top = project_root(name, world.folders)
            if top not in self._projects and name.lower().endswith(KERNEL_SUFFIXES):
                return None
            includers = self._includers(top, world, check)
            found = unit_through_includer(document.document, includers, plan, documents)
            decided = key, None if found is None else found.includer
            self._decided[name] = decided
            if found is not None:
                self._caches[name] = found.cache
        if decided[1] is None and (name in self._doubted or not name.lower().endswith(KERNEL_SUFFIXES)):
            doubted = self._doubted.get(name)
            for kernel in including():
                if doubted is None or doubted[0] != key or doubted[1].text is not kernel.text:
                    decided = self._decided[name] = key, Includer(kernel.name, 1)
                    break
        root = None if decided[1] is None else decided[1].document(documents)
        return None if isinstance(root, FileProblem) else root

    def cache_of(self, name: DocumentName) -> IncludeCache | None:
        """The results of included documents that choosing the document's kernel left behind; handed out once."""
        return self._caches.pop(name, None)

    def reconsider(self, name: DocumentName, root: Document) -> None:
        """The kernel that was chosen does not include the document any more; what was just chosen anew and does not
        either is not tried again until its text is another."""
        key, _ = self._decided[name]
        doubted = self._doubted.get(name)
        self._doubted[name] = key, root
        if doubted is not None and doubted[0] == key and doubted[1].name == root.name:
            self._decided[name] = key, None
        else:
            del self._decided[name]

    def drop(self, name: DocumentName) -> None:
        """The document is closed."""
        self._decided.pop(name, None)
        self._doubted.pop(name, None)
        self._caches.pop(name, None)

    def look_over(self, document: OpenDocument, world: World, check: Check) -> frozenset[DocumentName]:
        """Looks over the project of a document, where that was not done yet; the open documents that may now turn out to
        be fragments."""
        top = project_root(document.name, world.folders)
        if not is_file(document.name) or top in self._projects:
            return frozenset()
        includers = self._includers(top, world, check)
        return frozenset(name for name, each in world.documents.items() if includers.of(name, each.text.data))

    def _includers(self, top: str, world: World, check: Check) -> Includers:
        project = self._projects.get(top, _Project())
        if project.tree != world.tree:
            told = find_project_file(os.path.join(top, "any.cl"), top)
            endings = () if told is None else told.file_endings
            project.includers.update(scan(top, LOCAL_FILES, check, endings=endings))
            project.tree = world.tree
            self._projects[top] = project
        return project.includers
