"""What an answer depends on beside its document, at one moment: handed to the engine thread as a value."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.lsp.documents import OpenDocument
from openclsp.lsp.settings import Settings


@dataclass(frozen=True, slots=True)
class World:
    """One moment's open documents by name, workspace folders (paths), and options.

    `settings` holds those of each folder, and under the empty key those that hold elsewhere. `checked_as` is the
    language version that was chosen by command for the whole workspace (empty: none), `variants` the variants that were chosen so
    by document, under the empty key the last one. `disk` is raised whenever files may have changed: what was read before
    may be another text now. `tree` is raised whenever kernels or headers may have come or gone, or include others,
    `hosts` whenever host code or a build list may have changed.
    """

    documents: Mapping[str, OpenDocument] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    settings: Mapping[str, Settings] = field(default_factory=dict)
    checked_as: str = ""
    variants: Mapping[str, str] = field(default_factory=dict)
    disk: int = 0
    tree: int = 0
    hosts: int = 0

    def folder_of(self, name: str) -> str:
        """The innermost workspace folder that holds the document; empty where none does."""
        holding = [folder for folder in self.folders if name.startswith(folder.rstrip(os.sep) + os.sep)]
        return max(holding, key=len, default="")

    def variant_of(self, name: str) -> str | None:
        """The variant that was chosen for a document, else the last one that was chosen for any."""
        return self.variants.get(name, self.variants.get(""))

    def settings_of(self, folder: str) -> Settings:
        """The settings that hold in a folder."""
        general = self.settings.get("", Settings())
        return self.settings[folder].over(general) if folder in self.settings else general
