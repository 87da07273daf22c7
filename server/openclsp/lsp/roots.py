"""Chooses the kernel through which an included fragment is analysed. Owned by the analysis thread."""

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
    """The include graph of a project, for revision `tree` of its files (`World.tree`)."""

    includers: Includers = field(default_factory=Includers)
    tree: int = -1


@dataclass(slots=True)
class Roots:
    """Caches the chosen kernel of each document.

    The choice is made again after files were added or removed, or if the kernel no longer includes the
    document.
    """

    _projects: dict[str, _Project] = field(default_factory=dict)
    _decided: dict[DocumentName, tuple[_Key, tuple[Includer, ReadPermission] | None]] = field(
        default_factory=dict
    )
    _doubted: dict[DocumentName, tuple[_Key, Document]] = field(default_factory=dict)
    """By document: the version of a kernel that turned out not to include it."""
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
        """The kernel through which the document is analysed; None if the document is a program of its own.

        `including` yields the open kernels whose present text, saved or not, includes the document.
        `revision` is the revision of the project's header list, on which finding an including kernel depends.

        A file with a kernel's ending is hardly ever a fragment; for it, the answer is None until the project
        was scanned.
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
        # The scan reads saved files only. An open kernel may include the document in its unsaved text. A
        # kernel that `reconsider` has rejected is not tried again with the same text, or the two would
        # alternate forever.
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
        """Whether an open kernel may now include the document, although none did when that was decided."""
        name = document.name
        if name in self._doubted or not name.lower().endswith(KERNEL_SUFFIXES):
            return True
        includers = self._includers(project_root(name, world.folders), world, check)
        return bool(includers.direct(name) and includers.of(name, document.text.data))

    def outside(self, name: DocumentName, world: World) -> Outside:
        """How the rest of the project, as last scanned, uses the functions and variables of a unit's root."""
        key: _Key = (world.tree, world.disk, world.folders)
        known = self._outside.get(name)
        if known is None or known[0] != key:
            project = self._projects.get(project_root(name, world.folders)) if is_file(name) else None
            known = key, NOTHING_OUTSIDE if project is None else project.includers.outside(name)
            self._outside[name] = known
        return known[1]

    def cache_of(self, name: DocumentName) -> IncludeCache | None:
        """The include cache that was filled while choosing the document's kernel.

        It is returned only once.
        """
        return self._caches.pop(name, None)

    def reconsider(self, name: DocumentName, root: Document) -> None:
        """Revokes the choice of a kernel that no longer includes the document.

        If the kernel was rejected before with the same inputs, the document becomes a program of its own,
        until the kernel's text changes. This prevents an endless loop.
        """
        key, _ = self._decided[name]
        doubted = self._doubted.get(name)
        self._doubted[name] = key, root
        if doubted is not None and doubted[0] == key and doubted[1].name == root.name:
            self._decided[name] = key, None
        else:
            del self._decided[name]

    def drop(self, name: DocumentName) -> None:
        """Drops all state of a closed document."""
        self._decided.pop(name, None)
        self._doubted.pop(name, None)
        self._caches.pop(name, None)

    def look_over(self, document: OpenDocument, world: World, check: Check) -> frozenset[DocumentName]:
        """Scans the project of a document, unless that was done.

        Returns the open documents that may turn out to be fragments, or whose declarations other files may
        use.
        """
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
        """The include graph of the document's project; empty before the project was scanned."""
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
    """Whether other files may use the document's declarations, so that less is known about these."""
    return outside.included or any(
        outside.declares(word.decode("utf-8", "replace")) for word in set(words(document.text.data))
    )
