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
from typing import NamedTuple

from openclsp.host_code.host_language import HOST_ENDINGS, HostLanguage, host_language_of_file
from openclsp.host_code.host_words import may_use_kernel
from openclsp.host_code.kernel_calls.kernel_use_finder import find_kernel_uses
from openclsp.host_code.kernel_calls.kernel_uses import ArgumentList, ArgumentSet, ListForm, PassedKind
from openclsp.host_code.program_document import program_documents
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.host_contract.host_contract import HostContracts
from openclsp.ide.host_contract.kernel_signature import ParameterKind
from openclsp.ide.host_contract.parameter_types import TypeReader
from openclsp.ide.host_contract.project_kernels import KernelResolver, ProjectKernels
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
        kernels = KernelResolver(host, program_documents(host, language), self.kernels, TypeReader())
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


class Fault(NamedTuple):
    """A fault in a call: what was done, and the edits (start, end, new text) that do it."""

    kind: str
    edits: tuple[tuple[int, int, bytes], ...]


PRELUDE = b"static cl_int seeded_int; static cl_mem seeded_mem; static cl_double seeded_double; static cl_char seeded_char;\n"
"""Variables of known types that a fault may pass; a line before the file"""


def faults_of_set(
    data: bytes, use: ArgumentSet, count: int, is_only: bool, rng: random.Random
) -> list[Fault]:
    """The faults that can be made in a call that sets one argument of a kernel with `count` parameters.

    `is_only`: no other call sets this argument, so that the file lacks one without it.
    """
    call = data[use.span.start : use.span.end]
    if use.span.start == 0 or call.startswith(b"functor"):
        return []
    by_size = (
        b"sizeof" in data[use.value_span.start : use.value_span.end]
        or b"," in data[use.value_span.start : use.value_span.end]
    )
    others = [number for number in range(count + 2) if number != use.index]
    found = [Fault("index", ((*use.index_span, str(rng.choice(others)).encode()),))]
    value, place = use.value, use.value_span
    passed = {
        "local": b"64 * sizeof(cl_int), NULL",
        "memory": b"sizeof(cl_mem), &seeded_mem",
        "value": b"sizeof(cl_int), &seeded_int",
    }
    if not by_size:
        passed = {
            "local": b"64 * sizeof(cl_int), NULL",
            "memory": b"sizeof(cl_mem), &seeded_mem",
            "value": b"seeded_int",
        }
    own = {PassedKind.LOCAL: "local", PassedKind.VALUE: "value"}.get(value.kind, "memory")
    kinds = [each for each in passed if each != own]
    found.append(Fault("kind", ((*place, passed[rng.choice(kinds)]),)))
    if own != "local":
        wrong = b"char" if value.size == 8 else b"double"
        text = b"sizeof(seeded_%s), &seeded_%s" % (wrong, wrong) if by_size else b"seeded_" + wrong
        found.append(Fault("size", ((*place, text),)))
    if is_only:
        found.append(Fault("count", ((*use.span, b"0"),)))
    return found


def is_only_set(host: Document, language: HostLanguage, use: ArgumentSet) -> bool:
    """Whether no other call of the file sets an argument."""
    uses = find_kernel_uses(host.text.data, language).uses
    own = [each for each in uses if isinstance(each, ArgumentSet) and each.kernel.name == use.kernel.name]
    return sum(each.index in (use.index, None) for each in own) == 1


def faults_of_list(data: bytes, use: ArgumentList, rng: random.Random) -> list[Fault]:
    """The faults that can be made in a call of Python that passes all arguments."""
    if use.form is not ListForm.CALL or not use.arguments:
        return []
    last, chosen = use.arguments[-1].span, rng.choice(use.arguments)
    text = data[last.start : last.end]
    numpy = b"np" if b"as np" in data else b"numpy"
    own = chosen.value.kind
    wrong = b"cl.LocalMemory(8)" if own is not PassedKind.LOCAL else numpy + b".int32(1)"
    found = [
        Fault("count", ((last.end, last.end, b", " + text),)),
        Fault("kind", ((*chosen.span, wrong),)),
    ]
    if own is PassedKind.VALUE:
        number = b".int8(1)" if chosen.value.size == 8 else b".float64(1)"
        found.append(Fault("size", ((*chosen.span, numpy + number),)))
    return found


def edited(data: bytes, fault: Fault) -> bytes:
    """The text of a file with a fault."""
    for start, end, text in sorted(fault.edits, reverse=True):
        data = data[:start] + text + data[end:]
    return data


def seed_faults(folders: list[str], number: int, rng: random.Random) -> None:
    """Makes faults in calls drawn from all, and prints the share that is reported."""
    calls: list[tuple[Repository, Document, HostLanguage, ArgumentSet | ArgumentList | None]] = []
    for folder in folders:
        repository = Repository(folder)
        for host, language in repository.host_files():
            uses = find_kernel_uses(host.text.data, language)
            own = [each for each in uses.uses if isinstance(each, ArgumentSet | ArgumentList)]
            calls += ((repository, host, language, each) for each in own)
            calls += [(repository, host, language, None)] * (uses.argument_calls - len(own))
    print(f"{len(calls)} calls, {sum(each[3] is not None for each in calls)} of them with a known kernel")
    made: Counter[str] = Counter()
    while made["made"] < number:
        repository, host, language, use = rng.choice(calls)
        made["made"] += 1
        if use is None:
            made["unknown kernel"] += 1
            continue
        kernels = KernelResolver(host, program_documents(host, language), repository.kernels, TypeReader())
        signature = kernels.signature(use.kernel.name)
        count = len(signature.parameters or ()) if signature is not None else 4
        is_set = isinstance(use, ArgumentSet)
        possible = (
            faults_of_set(host.text.data, use, count, is_only_set(host, language, use), rng)
            if isinstance(use, ArgumentSet)
            else faults_of_list(host.text.data, use, rng)
        )
        if not possible:
            made["made"] -= 1
            continue
        fault = rng.choice(possible)
        prelude = PRELUDE if language is not HostLanguage.PYTHON else b""
        before = Document.of(host.name, prelude + host.text.data)
        after = Document.of(host.name, prelude + edited(host.text.data, fault))
        old = {(each.code, each.message) for each in repository.contracts.check(before, language).diagnostics}
        new = {(each.code, each.message) for each in repository.contracts.check(after, language).diagnostics}
        readable = signature is not None and signature.parameters is not None
        if is_set and isinstance(use, ArgumentSet):
            readable = readable and use.index is not None
        group = "readable" if readable else "not readable"
        made[group] += 1
        made[f"{group}, {fault.kind}"] += 1
        if new - old:
            made[f"{group}, found"] += 1
            made[f"{group}, {fault.kind}, found"] += 1
            made["found"] += 1
        else:
            line = host.text.line_of(use.span.start)
            text = host.text.data.split(b"\n")[line].decode("utf-8", "replace").strip()
            where = os.path.relpath(host.name, os.path.dirname(repository.folder))
            done = b" | ".join(each[2] for each in fault.edits).decode()
            print(f"    {group}, not found: {where}:{line + 1}: {fault.kind} -> {done}: {text}")
    for key, value in sorted(made.items()):
        print(f"{key}: {value}")


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
