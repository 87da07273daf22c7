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
from openclsp.source.lexer import words
from openclsp.workspace.discovery import KERNEL_SUFFIXES
from openclsp.workspace.files import LOCAL_FILES, Documents, FileProblem
from openclsp.workspace.includers import Includer, Includers
from openclsp.workspace.outside import NOTHING_OUTSIDE, Outside
from openclsp.workspace.project_file import find_project_file
from openclsp.workspace.read_permission import ReadPermission
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
    _decided: dict[DocumentName, tuple[_Key, tuple[Includer, ReadPermission] | None]] = field(
        default_factory=dict
    )
    _doubted: dict[DocumentName, tuple[_Key, Document]] = field(default_factory=dict)
    """The state of a kernel that turned out not to include the document"""
    _caches: dict[DocumentName, IncludeCache] = field(default_factory=dict)
    _outside: dict[DocumentName, tuple[_Key, Outside]] = field(default_factory=dict)

    def root_of(
        self,
        document: OpenDocument,
        world: World,
        documents: Documents,
        plan: Callable[[Document], PlannedUnit],
        check: Check,
        including: Callable[[], Iterator[Document]],
        revision: int,
    ) -> Document | None:
        """The kernel that the document is looked at through; None where it stands for itself. `including` gives the open
        kernels that include the document as they are now, saved or not; `revision` numbers what is known of the project's
        headers, by which a kernel may be found to include it.

        For a kernel's file, which hardly ever is a fragment, that is not known before its project was looked over.
        """
        name = document.name
        if not is_file(name):
            return None
        key: _Key = (document.opening, world.tree, world.disk, world.folders, revision)
        decided = self._decided.get(name)
        if decided is None or decided[0] != key:
            top = project_root(name, world.folders)
            if top not in self._projects and name.lower().endswith(KERNEL_SUFFIXES):
                return None
            includers = self._includers(top, world, check)
            found = unit_through_includer(document.document, includers, plan, documents)
            decided = key, None if found is None else (found.includer, includers.permission)
            self._decided[name] = decided
            if found is not None:
                self._caches[name] = found.cache
        if decided[1] is None and self._may_be_included(document, world, check):
            doubted = self._doubted.get(name)
            for kernel in including():
                if doubted is None or doubted[0] != key or doubted[1].text is not kernel.text:
                    permission = self._includers(project_root(name, world.folders), world, check).permission
                    decided = self._decided[name] = key, (Includer(kernel.name, 1), permission)
                    break
        if decided[1] is None:
            return None
        includer, permission = decided[1]
        root = includer.document(documents, permission)
        return None if isinstance(root, FileProblem) else root

    def _may_be_included(self, document: OpenDocument, world: World, check: Check) -> bool:
        """Whether an open kernel may turn out to include the document, though none did when that was decided."""
        name = document.name
        if name in self._doubted or not name.lower().endswith(KERNEL_SUFFIXES):
            return True
        includers = self._includers(project_root(name, world.folders), world, check)
        return bool(includers.direct(name) and includers.of(name, document.text.data))

    def outside(self, name: DocumentName, world: World) -> Outside:
        """What the rest of the project says about the functions and variables of a unit's root, as it was last looked over."""
        key: _Key = (world.tree, world.disk, world.folders)
        known = self._outside.get(name)
        if known is None or known[0] != key:
            project = self._projects.get(project_root(name, world.folders)) if is_file(name) else None
            known = key, NOTHING_OUTSIDE if project is None else project.includers.outside(name)
            self._outside[name] = known
        return known[1]

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
        includers.declarations(check)
        return frozenset(
            name
            for name, each in world.documents.items()
            if includers.of(name, each.text.data) or _is_declared_outside(includers.outside(name), each)
        )

    def includers_of(self, name: DocumentName, world: World, check: Check) -> Includers:
        """Who includes whom in the project of a document; nobody is known to include anything before it was looked over."""
        top = project_root(name, world.folders)
        return self._includers(top, world, check) if top in self._projects else Includers()

    def _includers(self, top: str, world: World, check: Check) -> Includers:
        project = self._projects.get(top, _Project())
        if project.tree != world.tree:
            told = find_project_file(os.path.join(top, "any.cl"), top)
            endings = () if told is None else told.file_endings
            project.includers.update(scan(top, LOCAL_FILES, check, endings=endings))
            project.tree = world.tree
            self._outside.clear()
            self._projects[top] = project
        return project.includers


def _is_declared_outside(outside: Outside, document: OpenDocument) -> bool:
    """Whether other files may call or set what the document declares: more is unknown of it than was thought at first."""
    return outside.included or any(
        outside.declares(word.decode("utf-8", "replace")) for word in set(words(document.text.data))
    )
