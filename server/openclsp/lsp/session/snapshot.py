"""Snapshot of the inputs of an analysis, passed to the analysis thread as a value."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.settings import Settings
from openclsp.lsp.uris import is_file_name
from openclsp.project.project_roots import find_project_root
from openclsp.source.document import Document


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The open documents by name, the workspace folders (paths), and the options at one moment.

    - `settings`: the settings of each folder. The empty key has the global settings.
    - `chosen_versions`: the language versions chosen by command, by root folder of a project. The empty key
      has the version chosen for all projects.
    - `chosen_variants`: the variants chosen by command, by document name. The empty key has the variant that
      was chosen last for any document.
    - `chosen_includers`: the kernels chosen by command for headers, by header.
    - `disk_revision`: incremented whenever the contents of files may have changed.
    - `tree_revision`: incremented whenever kernels or headers may have been added or removed, or their
      includes may have changed.
    - `host_revision`: incremented whenever host code or a build file may have changed.
    """

    documents: Mapping[str, OpenDocument] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    settings: Mapping[str, Settings] = field(default_factory=dict)
    chosen_versions: Mapping[str, str] = field(default_factory=dict)
    chosen_variants: Mapping[str, str] = field(default_factory=dict)
    chosen_includers: Mapping[str, str] = field(default_factory=dict)
    disk_revision: int = 0
    tree_revision: int = 0
    host_revision: int = 0

    def open_texts(self) -> Mapping[str, Document]:
        """Returns the open documents by name, as the analysis represents them."""
        return {name: each.document for name, each in self.documents.items()}

    def folder_of(self, name: str) -> str:
        """Returns the innermost workspace folder that contains the document; empty if there is none."""
        holding = [folder for folder in self.folders if name.startswith(folder.rstrip(os.sep) + os.sep)]
        return max(holding, key=len, default="")

    def version_of(self, name: str) -> str:
        """Returns the language version chosen by command for a document's project; empty if none was."""
        if not self.chosen_versions:
            return ""
        return self.chosen_versions.get(self.root_of(name), self.chosen_versions.get("", ""))

    def root_of(self, name: str) -> str:
        """Returns the root folder of a document's project.

        For a document that is not a file, returns the first workspace folder.
        """
        return find_project_root(name, self.folders) if is_file_name(name) else "".join(self.folders[:1])

    def variant_of(self, name: str) -> str | None:
        """Returns the variant chosen for the document, or else the last variant chosen for any document.

        Returns None if no variant was chosen.
        """
        return self.chosen_variants.get(name, self.chosen_variants.get(""))

    def settings_of(self, folder: str) -> Settings:
        """Returns the settings that apply in a folder."""
        general = self.settings.get("", Settings())
        return self.settings[folder].with_fallback(general) if folder in self.settings else general
