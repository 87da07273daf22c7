"""Compares the flow of address spaces with LLVM's inference for amdgcn, line by line.

    python -m tests.oracle.flow_llvm FILE… [--options "-D…"] [--standard CL2.0] [--details N]
    python -m tests.oracle.flow_llvm --generated N [--seed N]

A line is compared if LLVM has resolved all of its accesses to one space. Our set for each generic pointer that is
dereferenced on that line must contain that space (otherwise it is `missed`). If it contains more, the chain of each
other space is printed. Files that clang rejects are counted and skipped.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from openclsp.ide.feature_results import PointerFlow
from openclsp.ide.flow.pointer_flow import compute_flow_at
from openclsp.ide.hover.hover import compute_hover
from openclsp.language.dialect import Dialect
from openclsp.semantics.translation_unit import TranslationUnit

from ..flow.printing import printed
from ..flow.random_programs import PROFILES, random_program
from ..language.clang import CLANG
from .ours import analysed_file

OPT = shutil.which("opt-22")
"""LLVM's own passes, where they are installed."""

_SPACES = {"0": "generic", "1": "global", "3": "local", "4": "constant", "5": "private"}
_PASSES = "function(infer-address-spaces,sroa,instcombine,infer-address-spaces)"
_DEFINE = re.compile(r'define .*?@("?[\w.$]+"?)\(')
_CALL = re.compile(r'call .*?@("?[\w.$]+"?)\(')
_ACCESS = re.compile(r"^\s*(?:%\S+ = )?(?:load|store|atomicrmw|cmpxchg)\b")
_POINTER = re.compile(r"\bptr(?: addrspace\((\d+)\))? [%@]")
_WHERE = re.compile(r"!dbg !(\d+)")
_LOCATION = re.compile(r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+).*?scope: !(\d+)")
_SCOPE = re.compile(r"^!(\d+) = (?:distinct )?!DI(?:Subprogram|LexicalBlock|LexicalBlockFile)\((.*)\)")
_FILE = re.compile(r'^!(\d+) = !DIFile\(filename: "([^"]*)"')
_MULTIPLIED = re.compile(r"(?<!\breturn)(?<!\belse)(?<=[\w)\]])\s*\*$")
_NAMED = (("global",), ("local",), ("constant",), ("private",))
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Line:
    """A generic pointer that is dereferenced on a line with a single space in LLVM, and our answer."""

    file: Path
    line: int
    text: str
    space: str
    flow: PointerFlow

    @property
    def verdict(self) -> str:
        held = {space.word for space in self.flow.spaces}
        if self.space not in held:
            return "unknown" if self.flow.unknown else "missed"
        return "equal" if held == {self.space} else "more"

    def __str__(self) -> str:
        held = ", ".join(space.word for space in self.flow.spaces)
        shown = f"{self.verdict}: {self.file}:{self.line}: {self.text.strip()}\n    LLVM {self.space}; `{self.flow.name}` holds {{{held}}}"
        for witness in self.flow.witnesses:
            if witness.space.word != self.space:
                steps = " -> ".join(f"{step.description} (line {step.line})" for step in witness.steps)
                shown += f"\n    {witness.space.word}: {steps}"
        return shown


def spaces_by_line(file: Path, standard: str, options: Sequence[str]) -> Mapping[int, frozenset[str]] | None:
    """Returns the spaces accessed on each line of functions that kernels reach; None if LLVM fails."""
    assert CLANG is not None and OPT is not None
    command = [
        CLANG,
        "-target",
        "amdgcn-amd-amdhsa",
        "-mcpu=gfx900",
        "-x",
        "cl",
        f"-cl-std={standard}",
        "-nogpulib",
    ]
    command += ["-g", "-O1", "-w", "-S", "-emit-llvm", *options, str(file), "-o", "-"]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")
    if compiled.returncode:
        return None
    passes = [OPT, "-S", f"-passes={_PASSES}", "-o", "-"]
    inferred = subprocess.run(passes, input=compiled.stdout, capture_output=True, text=True, check=False)
    return None if inferred.returncode else _by_line(inferred.stdout, file)


def _by_line(module: str, file: Path) -> Mapping[int, frozenset[str]]:
    accesses: dict[str, list[tuple[str, str]]] = defaultdict(list)
    calls: dict[str, set[str]] = defaultdict(set)
    reached: list[str] = []
    lines: dict[str, tuple[int, str]] = {}
    scopes: dict[str, str] = {}
    files: dict[str, str] = {}
    function = ""
    for row in module.splitlines():
        if row.startswith("define"):
            found = _DEFINE.match(row)
            function = found[1] if found else ""
            if "amdgpu_kernel" in row:
                reached.append(function)
        elif row.startswith("!"):
            if location := _LOCATION.match(row):
                lines[location[1]] = int(location[2]), location[3]
            elif scope := _SCOPE.match(row):
                named = re.search(r"file: !(\d+)", scope[2])
                scopes[scope[1]] = named[1] if named else ""
            elif name := _FILE.match(row):
                files[name[1]] = name[2]
        elif (where := _WHERE.search(row)) and (pointers := list(_POINTER.finditer(row))):
            if _ACCESS.match(row):
                accesses[function].append((where[1], _SPACES.get(pointers[-1][1] or "0", "other")))
            elif "@llvm.mem" in row:
                accesses[function].append((where[1], "other"))
        if called := _CALL.search(row):
            calls[function].add(called[1])
    found_spaces: dict[int, set[str]] = defaultdict(set)
    for name in reached:
        reached += sorted(calls[name] - set(reached))
        for where, space in accesses[name]:
            line, scope = lines.get(where, (0, ""))
            if Path(files.get(scopes.get(scope, ""), "")).name == file.name:
                found_spaces[line].add(space)
    return {line: frozenset(spaces) for line, spaces in found_spaces.items() if line}


def compared(file: Path, standard: str, options: Sequence[str]) -> list[Line] | None:
    """Returns each generic pointer dereferenced on a line with one space; None if clang rejects the file."""
    known = spaces_by_line(file, standard, options)
    if known is None:
        return None
    unit = analysed_file(file.resolve(), Dialect.of(standard), options)
    text = file.read_bytes().decode("utf-8", "replace").splitlines()
    found: list[Line] = []
    for line, spaces in sorted(known.items()):
        (space, *others) = spaces
        if not others and space in ("global", "local", "private") and line <= len(text):
            flows = _dereferenced(unit, line)
            # of several pointers some may need no access any more: what is left is of those that hold the space
            holding = [flow for flow in flows if flow.unknown or space in (each.word for each in flow.spaces)]
            found += [Line(file, line, text[line - 1], space, flow) for flow in holding or flows]
    return found


def _dereferenced(unit: TranslationUnit, line: int) -> list[PointerFlow]:
    """Returns the flows of the generic pointers that a line dereferences.

    These are names after `*` or before `[` or `->`, and pointers that are dereferenced twice. None if the line may
    access memory in another way: through a named pointer, or a variable that is not private.
    """
    found: list[PointerFlow] = []
    document = unit.document
    start = document.text.line_start(line - 1)
    text = "".join(chr(byte) if byte < 128 else " " for byte in document.text.line(line - 1))
    for name in _NAME.finditer(text):
        before, behind = text[: name.start()].rstrip(), text[name.end() :].lstrip()
        unary = before.endswith("*") and not _MULTIPLIED.search(before)
        known = compute_hover(unit, document.name, start + name.start())
        spaces = known.spaces if known is not None else ()
        if spaces[:1] in (("global",), ("local",), ("constant",)):
            return []
        if spaces[1:2] in _NAMED:
            return []
        if not (unary or behind.startswith(("[", "->"))):
            continue
        # of `**p` both `p` and `*p` are dereferenced
        twice = before.endswith("**")
        if twice and spaces[2:3] in _NAMED:
            return []
        inner = [before.rindex("*")] if twice else []
        for column in (*inner, name.start()):
            flow = compute_flow_at(unit, document.name, start + column)
            if flow is not None and flow.reached_by_kernel and (flow.spaces or not flow.null):
                found.append(flow)
    return found


def _generated(folder: Path, count: int, seed: int) -> Iterator[Path]:
    for number in range(seed, seed + count):
        for profile in PROFILES:
            file = folder / f"{profile}-{number}.cl"
            file.write_text(printed(random_program(number, profile)).text)
            yield file


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--options", default="")
    parser.add_argument("--standard", default="CL2.0")
    parser.add_argument("--details", type=int, default=5)
    parser.add_argument("--generated", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    if CLANG is None or OPT is None:
        print("clang-22 and opt-22 are needed")
        return 2
    counted: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for file in [*chosen.files, *_generated(Path(folder), chosen.generated, chosen.seed)]:
            lines = compared(file, chosen.standard, shlex.split(chosen.options))
            counted["files refused" if lines is None else "files"] += 1
            for each in lines or ():
                counted[each.verdict] += 1
                if each.verdict != "equal" and counted[each.verdict] <= chosen.details:
                    print(each, flush=True)
    print(", ".join(f"{number} {word}" for word, number in counted.items()))
    return 1 if counted["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
