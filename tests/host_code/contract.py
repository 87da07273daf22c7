"""Measures the contract between host code and kernels on real repositories, and with seeded faults.

`python -m tests.host_code.contract FOLDER… [--faults N --seed S]` prints for each repository how many calls that
pass arguments there are, how many have a known kernel and how many are decided, and lists all diagnostics. With
`--faults`, so many faults (wrong index, kind, size, number) are made one at a time in calls drawn from all, decided
or not, and the share that is reported is printed.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from openclsp.host_code.host_language import HOST_ENDINGS, HostLanguage, host_language_of_file
from openclsp.host_code.host_words import may_use_kernel
from openclsp.host_code.kernel_calls.kernel_use_finder import find_kernel_uses
from openclsp.host_code.kernel_calls.kernel_uses import ArgumentList, ArgumentSet
from openclsp.host_code.program_document import program_documents
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.host_contract.host_contract import HostContracts
from openclsp.ide.host_contract.kernel_signature import ParameterKind
from openclsp.ide.host_contract.parameter_types import TypeReader
from openclsp.ide.host_contract.project_kernels import HostFileKernels, ProjectKernels
from openclsp.project.project_scan import scan_project
from openclsp.source.document import Document


class Repository:
    """A folder with host code, and its kernels."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.abspath(folder)
        self.kernels = ProjectKernels()
        self.kernels.update(scan_project(self.folder, maximum_entries=100_000), {})
        self.contracts = HostContracts(self.kernels)

    def host_files(self) -> Iterator[tuple[Document, HostLanguage]]:
        """Yields the host files with words of calls that pass arguments."""
        for path in sorted(Path(self.folder).rglob("*")):
            language = host_language_of_file(path.name)
            if not path.name.lower().endswith(HOST_ENDINGS) or language is None or not path.is_file():
                continue
            data = path.read_bytes()
            if len(data) < 4_000_000 and may_use_kernel(data):
                yield Document.of(str(path), data), language

    def count(self, host: Document, language: HostLanguage) -> Counter[str]:
        """Counts the calls of a host file: all, those with a known kernel, and those that are decided."""
        uses = find_kernel_uses(host.text.data, language)
        found: Counter[str] = Counter(calls=uses.argument_calls)
        kernels = HostFileKernels(host, program_documents(host, language), self.kernels, TypeReader())
        for use in uses.uses:
            if not isinstance(use, ArgumentSet | ArgumentList):
                continue
            found["named"] += 1
            signature = kernels.signature(use.kernel.name)
            found["defined"] += signature is not None
            if signature is None or signature.parameters is None:
                continue
            if isinstance(use, ArgumentList):
                found["decided"] += 1
            elif use.index is not None and use.index < len(signature.parameters):
                found["decided"] += signature.parameters[use.index].kind is not ParameterKind.UNKNOWN
        return found


def shown(repository: Repository, host: Document, diagnostic: Diagnostic) -> str:
    """A diagnostic in one line, with the line of the file."""
    line = host.text.line_of(diagnostic.location.start)
    text = host.text.data.split(b"\n")[line].decode("utf-8", "replace").strip()
    where = os.path.relpath(host.name, repository.folder)
    return f"    {where}:{line + 1}: {diagnostic.code}: {diagnostic.message}\n        {text}"


def measure(folders: list[str]) -> None:
    """Prints the counts and the diagnostics of each repository."""
    total: Counter[str] = Counter()
    for folder in folders:
        repository = Repository(folder)
        counts: Counter[str] = Counter()
        lines: list[str] = []
        for host, language in repository.host_files():
            counts.update(repository.count(host, language))
            found = repository.contracts.check(host, language).diagnostics
            counts["diagnostics"] += len(found)
            lines += (shown(repository, host, each) for each in found)
        print(f"{os.path.basename(repository.folder)}: {dict(counts)}", flush=True)
        for line in lines:
            print(line, flush=True)
        total.update(counts)
    print(f"total: {dict(total)}")


def main() -> None:
    """Runs the measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--faults", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.faults:
        seed_faults(given.folders, given.faults, random.Random(given.seed))
    else:
        measure(given.folders)


if __name__ == "__main__":
    main()
