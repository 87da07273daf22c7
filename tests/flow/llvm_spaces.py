"""Compares the flow analysis with LLVM's inference of address spaces, line by line.

    python -m tests.flow.llvm_spaces [--std CL2.0] [--option OPTION]… [--details N] [--generated PROFILE:FIRST:COUNT]… FILE…

clang compiles for amdgcn with the options that openclsp finds (see `compiled_files`), where a generic pointer is a *flat* one; then `opt` inlines everything, splits objects into
scalars and infers spaces. On each line that accesses memory through a generic pointer, LLVM's spaces are compared with
what our pointers on that line hold:

- a contradiction: LLVM knows a space that ours does not have;
- more: LLVM knows one space, where ours has several or does not know.

The exit status is 1 where there is a contradiction. LLVM knows more where a branch is dead for its constants, where it
unrolls, and where a condition depends on memory that it forwards; the command prints each such line. Where it removed
all but one access of a line, one of our pointers on the line has to have its space.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.ide.location_map import LocationMap
from openclsp.semantics.database.derived_queries import FLOW
from openclsp.semantics.flow.flow_queries import POINTS_TO, solution
from openclsp.semantics.flow.transfers import SPACE_BITS, SPACE_OF_BIT, UNKNOWN
from openclsp.semantics.translation_unit import TranslationUnit

from ..rules.analysis import analyse
from .compare import made
from .compiled_files import CLANG, CompiledFile, compiled_file, run
from .printing import printed

_ADDRESS_FUNCTIONS = """
declare i1 @llvm.amdgcn.is.shared(ptr)
declare i1 @llvm.amdgcn.is.private(ptr)
define internal ptr addrspace(3) @__to_local(ptr %p) alwaysinline {
  %is = call i1 @llvm.amdgcn.is.shared(ptr %p)
  %cast = addrspacecast ptr %p to ptr addrspace(3)
  %r = select i1 %is, ptr addrspace(3) %cast, ptr addrspace(3) addrspacecast (ptr null to ptr addrspace(3))
  ret ptr addrspace(3) %r
}
define internal ptr addrspace(5) @__to_private(ptr %p) alwaysinline {
  %is = call i1 @llvm.amdgcn.is.private(ptr %p)
  %cast = addrspacecast ptr %p to ptr addrspace(5)
  %r = select i1 %is, ptr addrspace(5) %cast, ptr addrspace(5) addrspacecast (ptr null to ptr addrspace(5))
  ret ptr addrspace(5) %r
}
define internal ptr addrspace(1) @__to_global(ptr %p) alwaysinline {
  %s = call i1 @llvm.amdgcn.is.shared(ptr %p)
  %v = call i1 @llvm.amdgcn.is.private(ptr %p)
  %other = or i1 %s, %v
  %cast = addrspacecast ptr %p to ptr addrspace(1)
  %r = select i1 %other, ptr addrspace(1) null, ptr addrspace(1) %cast
  ret ptr addrspace(1) %r
}
"""
"""The library functions behind `to_local` and its like, so that LLVM can decide what they return"""
_DECLARED = re.compile(r"^declare ptr addrspace\(\d\) @__to_(?:local|private|global)\(.*$", re.MULTILINE)
_INFER = "function(infer-address-spaces,sroa,infer-address-spaces,sroa)"
_PIPELINES = (
    "function(infer-address-spaces,mem2reg),cgscc(devirt<4>(inline)),function(infer-address-spaces,instcombine<no-verify-fixpoint>,simplifycfg,infer-address-spaces)",
    (
        f"{_INFER},cgscc(devirt<4>(inline,function(sroa,infer-address-spaces,sroa))),"
        "function(sroa,infer-address-spaces,instcombine<no-verify-fixpoint>,simplifycfg,sroa,infer-address-spaces,instcombine<no-verify-fixpoint>,simplifycfg)"
    ),
)
"""The second splits objects while it inlines, so it knows more, and removes more accesses than the first."""
_THRESHOLDS = tuple(f"-inline{word}-threshold=1000000" for word in ("", "cold", "hint"))
_SPACES = {"1": "global", "3": "local", "5": "private", "4": "constant", "0": "flat", "": "flat"}
_ROOT = "<stdin>"
_NODE = re.compile(r"^(!\d+) = (?:distinct )?!DILocation\(line: (\d+).*?scope: (!\d+)", re.MULTILINE)
_SCOPE = re.compile(
    r"^(!\d+) = (?:distinct )?!DI(?:Subprogram|LexicalBlock|LexicalBlockFile)\((.*)\)$", re.MULTILINE
)
_FILE = re.compile(r'^(!\d+) = !DIFile\(filename: "([^"]*)"', re.MULTILINE)
_ACCESS = re.compile(r"= load |  store |cmpxchg|atomicrmw")
_POINTER = re.compile(
    r"\bptr(?: addrspace\((\d+)\))? (?:[%@][\w.\"$-]+|addrspacecast|getelementptr|null|poison|inttoptr)"
)
_OWN_SLOT = re.compile(
    r"  (%[\w.$-]+) = (?:addrspacecast ptr addrspace\(5\) \S+ to ptr\b"
    r"|(?:getelementptr|addrspacecast) .*?\bptr (%[\w.$-]+))"
)
_SCALAR = re.compile(r"  (%[\w.$-]+) = alloca (?![\[{%<])")
"""A variable that splitting into scalars removes"""

Lines = Mapping[int, frozenset[str]]


class _Debug:
    """The lines of the root file in LLVM's debug information."""

    def __init__(self, ir: str) -> None:
        self._lines = {number: (int(line), scope) for number, line, scope in _NODE.findall(ir)}
        self._files = dict(_FILE.findall(ir))
        self._scopes: dict[str, str] = {}
        for number, body in _SCOPE.findall(ir):
            named = re.search(r"file: (!\d+)", body)
            self._scopes[number] = named[1] if named else ""

    def line(self, number: str) -> int:
        """The line of a location; 0 where it is in an included file."""
        line, scope = self._lines.get(number, (0, ""))
        return line if self._files.get(self._scopes.get(scope, "")) == _ROOT else 0


def accesses(ir: str, *, front: bool = False) -> dict[int, set[str]]:
    """The spaces of the accesses on each line; of `front` end output, without those of parameters and variables."""
    debug = _Debug(ir)
    found: dict[int, set[str]] = defaultdict(set)
    own: set[str] = set()
    kernel = True
    for text in ir.splitlines():
        if text.startswith("define"):
            own, kernel = set(), "amdgpu_kernel" in text
        slot = _OWN_SLOT.match(text) if front else None
        if slot is not None and (slot[2] is None or slot[2] in own):
            own.add(slot[1])
        scalar = _SCALAR.match(text) if front else None
        if scalar is not None:
            own.add(scalar[1])
        where = re.search(r"!dbg (!\d+)", text)
        if not (front or kernel) or where is None or not _ACCESS.search(text):
            continue
        pointers = list(_POINTER.finditer(text.partition("!dbg")[0]))
        if not pointers:
            continue
        pointer = pointers[-1] if "  store " in text else pointers[0]
        line = debug.line(where[1])
        removed = front and pointer[0].split()[-1] in own and " volatile " not in text
        if line and not removed:
            found[line].add(_SPACES.get(pointer[1] or "", "other"))
    return found


def known_by_llvm(ir: str) -> Lines | None:
    """The spaces that LLVM finds on each line with a flat access, `flat` among them; None where it refuses the text."""
    front = accesses(ir, front=True)
    generic = {line for line, spaces in front.items() if "flat" in spaces}
    if not generic:
        return {}
    ir = _DECLARED.sub("", ir) + _ADDRESS_FUNCTIONS
    found: dict[int, set[str]] = defaultdict(set)
    flat: list[set[int]] = []
    for pipeline in _PIPELINES:
        after, _ = run(["opt-22", "-S", f"-passes={pipeline}", *_THRESHOLDS], ir)
        if after is None:
            return None
        spaces = accesses(after)
        flat.append({line for line, each in spaces.items() if "flat" in each})
        for line, each in spaces.items():
            found[line] |= each - {"flat"}
        last = spaces
    for line in flat[1] | {line for line in flat[0] if line not in last}:
        found[line].add("flat")
    # a space that the line accesses otherwise too may be all that is left of it
    given = {line: frozenset(found[line] - front[line] | found[line] & {"flat"}) for line in generic}
    return {line: spaces for line, spaces in given.items() if spaces}


def known_by_us(unit: TranslationUnit) -> dict[int, list[frozenset[str]]]:
    """What each generic pointer that is accessed on a line holds; `unknown` among it where that is not known."""
    solution(unit, FLOW)
    places = LocationMap(unit)
    found: dict[int, list[frozenset[str]]] = defaultdict(list)
    document = unit.document
    for item in unit.items:
        if item.group.part.preprocessed.document.name != document.name:
            continue
        for function in unit.database.read(POINTS_TO, item.key).functions:
            for place, bits in function.accesses:
                line = document.text.line_of(places.location(item.key, place).start) + 1
                held = {SPACE_OF_BIT[bit].word for bit in SPACE_BITS if bits & bit}
                found[line].append(frozenset(held | ({"unknown"} if bits & UNKNOWN else set())))
    return found


def _with_used_reads(text: str) -> str:
    """A generated program in which LLVM may not remove what is only read."""
    return text.replace("int sum = 0;", "volatile int sum = 0;")


def judged(llvm: Lines, ours: Mapping[int, list[frozenset[str]]]) -> dict[str, list[int]]:
    """The lines by what the comparison says of them: contradiction, more, equal, finer, or flat for both."""
    found: dict[str, list[int]] = defaultdict(list)
    for line, spaces in sorted(llvm.items()):
        if line not in ours:
            found["not asked"].append(line)
            continue
        held = frozenset[str]().union(*ours[line])
        named, known = spaces - {"flat"}, held - {"unknown"}
        if len(named) > 1:
            # a private one may be the variable that holds the pointer
            named -= {"private"}
        if not held:
            # no pointer was ever assigned: LLVM may choose any
            found["undefined"].append(line)
        elif "unknown" not in held and not named <= known:
            found["contradiction"].append(line)
        elif len(spaces) == 1 and "flat" not in spaces and all(each != spaces for each in ours[line]):
            found["more"].append(line)
        elif "flat" in spaces:
            found["finer" if len(known) == 1 and "unknown" not in held else "flat for both"].append(line)
        else:
            found["equal"].append(line)
    return found


def _of_file(
    path: Path, standard: str, options: list[str], projects: ScannedProjects
) -> tuple[str, CompiledFile | str]:
    return str(path), compiled_file(path.resolve(), standard, options, projects)


def _generated(wanted: Iterable[str], standard: str) -> Iterator[tuple[str, CompiledFile | str]]:
    for each in wanted:
        profile, first, count = each.split(":")
        for number in range(int(count)):
            program = made(profile, int(first) + number)
            text = _with_used_reads(printed(program).text)
            assembly, message = run([*CLANG, f"-cl-std={standard}", "-"], text)
            unit = analyse(text, standard)
            yield program.name, message if assembly is None else CompiledFile(text, assembly, unit)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--std", default="CL2.0")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--generated", action="append", default=[], metavar="PROFILE:FIRST:COUNT")
    parser.add_argument("--details", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--refused", type=int, default=0, help="reasons of clang that are shown")
    options = parser.parse_args()
    projects = ScannedProjects(for_many_inputs=True)
    found = (_of_file(each, options.std, options.option, projects) for each in options.files)
    started = time.monotonic()
    totals: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for name, compiled in chain(found, _generated(options.generated, options.std)):
        if time.monotonic() - started > options.seconds:
            totals["times up"] += 1
            break
        if isinstance(compiled, str):
            totals["files that clang refuses"] += 1
            refused[re.sub(r"'[^']*'", "…", compiled)] += 1
            continue
        try:
            llvm = known_by_llvm(compiled.assembly)
        except subprocess.TimeoutExpired:
            llvm = None
        if llvm is None:
            totals["files that LLVM does not optimise"] += 1
            continue
        totals["files"] += 1
        if not llvm:
            totals["files without flat accesses"] += 1
            continue
        ours = known_by_us(compiled.unit)
        lines = compiled.text.split("\n")
        for what, numbers in judged(llvm, ours).items():
            totals[f"lines: {what}"] += len(numbers)
            for line in numbers if what in ("contradiction", "more") else ():
                options.details -= 1
                if options.details >= 0:
                    said = f"LLVM {sorted(llvm[line])}, ours {[sorted(each) for each in ours[line]]}"
                    print(f"{what}: {name}:{line}: {lines[line - 1].strip()[:120]}\n    {said}")
    for what, number in sorted(totals.items()):
        print(f"{number:6} {what}")
    for message, number in refused.most_common(options.refused):
        print(f"{number:6} refused: {message[:120]}")
    return 1 if totals["lines: contradiction"] else 0


if __name__ == "__main__":
    sys.exit(main())
