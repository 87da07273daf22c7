"""Compares the table of built-in functions with clang's header.

    python -m tests.oracle.builtins [--dialect NAME]… [--each-extension]

The declarations of clang's header `opencl-c.h` are read in the dialect and, with `--each-extension`, once more with
each extension or feature switched off. An overload that is not in the header may be one that clang knows without it.
Functions that clang knows without any declaration (`enqueue_kernel`, pipe functions, `to_global` …) are looked up by
name. clang's lists are cached by version and dialect outside of the repository.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from openclsp.language.builtin_functions import Signature, builtin_function, builtin_names, is_unchecked
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect, make_dialect
from openclsp.language.features import available_in

from ..language.clang import QUIETLY, clang_command
from . import clang

FOLDER = Path("~/.cache/openclsp/builtins").expanduser()

_DECLARATION = re.compile(r"[|`]-FunctionDecl .*? (?P<name>\w+) '(?P<type>[^']*)'(?::'[^']*')?(?: .*)?")
_SPACES = ("private", "global", "local", "constant", "generic")
_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'")


@dataclass(frozen=True, slots=True)
class Difference:
    """An overload that only one side has; or a name, if only names are compared."""

    dialect: str
    by_clang: bool
    overload: str

    def __str__(self) -> str:
        return f"{self.dialect}: {'only clang has' if self.by_clang else 'only openclsp has'} {self.overload}"


def differences(dialect: Dialect, name: str, folder: Path = FOLDER) -> list[Difference]:
    """Yields the differences in a dialect, which the results call `name`.

    Raises RuntimeError if clang cannot read its own header in that dialect.
    """
    theirs = declared(dialect, folder)
    mine = {
        str(signature): signature
        for function in builtin_names(dialect)
        if not is_unchecked(function)
        for signature in builtin_function(function, dialect) or ()
    }
    found = [Difference(name, True, overload) for overload in sorted(theirs - mine.keys())]
    more = [
        mine[overload] for overload in sorted(mine.keys() - theirs) if not _is_agreed(mine[overload], dialect)
    ]
    found += [Difference(name, False, str(signature)) for signature in _refused(more, dialect)]
    unchecked = sorted(filter(is_unchecked, builtin_names(Dialect.of("CL2.0"))))
    known = _known_by_name(unchecked, dialect)
    for function in unchecked:
        if (function in known) != (builtin_function(function, dialect) is not None):
            found.append(Difference(name, function in known, function))
    return found


def _is_agreed(signature: Signature, dialect: Dialect) -> bool:
    """Intel's image functions belong to its extensions in OpenCL C 1.2 too.

    There, clang's header requires a feature of 3.0 that nothing defines in 1.2.
    """
    images = any("image" in parameter for parameter in signature.parameters)
    return dialect.version < 200 and signature.name.startswith("intel_sub_group_") and images


def declared(dialect: Dialect, folder: Path = FOLDER) -> frozenset[str]:
    """Returns every overload that clang's header declares in the dialect, spelled as `Signature` spells it."""
    what = f"{clang.version()} {dialect.version} {' '.join(sorted(dialect.extensions))}"
    kept = folder / f"{dialect.name}-{hashlib.sha256(what.encode()).hexdigest()[:20]}.txt"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        kept.write_text("\n".join(sorted(_listed(dialect))))
    return frozenset(kept.read_text().splitlines())


def _listed(dialect: Dialect) -> Iterator[str]:
    command = [word for word in clang_command(dialect) if word != "-fdeclare-opencl-builtins"]
    finished = subprocess.run(
        [*command, "-ast-dump", "-"], check=False, input="", capture_output=True, text=True
    )
    if finished.returncode:
        error = next((line for line in finished.stderr.splitlines() if "error:" in line), "no error")
        raise RuntimeError(f"clang cannot read its header: {error}")
    for line in finished.stdout.splitlines():
        match = _DECLARATION.match(line)
        if match:
            yield _spelled(match["name"], match["type"])


def _spelled(name: str, type_: str) -> str:
    result, _, rest = type_.replace("__", "").partition(" (")
    parameters = [_parameter(each) for each in rest[:-1].split(", ")]
    return f"{result} {name}({', '.join(parameters)})"


def _parameter(type_: str) -> str:
    words = type_.replace("*private", "*").split()
    if words[-1] != "*":
        return " ".join(word for word in words if word != "private")
    spaces = [word for word in words if word in _SPACES]
    return " ".join([*spaces, *(word for word in words if word not in _SPACES)])


def _known_by_name(names: Sequence[str], dialect: Dialect) -> set[str]:
    """Returns the names that clang treats as functions."""
    text = "".join(f"void f{number}(void) {{ {name}(); }}\n" for number, name in enumerate(names))
    command = [*clang_command(dialect), *QUIETLY, "-fsyntax-only", "-"]
    finished = subprocess.run(command, check=False, input=text, capture_output=True, text=True)
    return set(names) - set(_UNDECLARED.findall(finished.stderr))


def _refused(signatures: Sequence[Signature], dialect: Dialect) -> list[Signature]:
    """Returns the overloads that clang lacks even without its header: a call with exactly these types is an error."""
    lines = []
    for number, signature in enumerate(signatures):
        names = [f"a{index}" for index in range(len(signature.parameters))]
        declared = ", ".join(map(" ".join, zip(signature.parameters, names, strict=True)))
        lines.append(f"void f{number}({declared}) {{ {signature.name}({', '.join(names)}); }}")
    if not lines:
        return []
    errors = clang.errors_of_texts(
        ["#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" + "\n".join(lines)], dialect
    )
    wrong = {error.line - 2 for error in errors[0]}
    return [signature for number, signature in enumerate(signatures) if number in wrong]


def switched_off(dialect: Dialect) -> Iterator[tuple[str, Dialect]]:
    """Yields the dialect without each of its extensions and features and their dependents; the name states which."""
    for name in sorted(available_in(dialect.version)):
        made = make_dialect(dialect.standard, [f"-{name}"])
        if isinstance(made, tuple):
            yield f"{dialect.name} without {name}", made[0]


def main() -> int:
    """Runs as the module's docstring describes; returns 1 if something differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--dialect", action="append", choices=[dialect.name for dialect in REFERENCE_DIALECTS]
    )
    parser.add_argument("--each-extension", action="store_true", help="also with each extension off")
    parser.add_argument("--cache", type=Path, default=FOLDER, help="where clang's lists are kept")
    options = parser.parse_args()
    if reason := clang.reason_to_skip():
        print(f"skipped: {reason}")
        return 0
    chosen = [Dialect.of(name) for name in options.dialect] if options.dialect else list(REFERENCE_DIALECTS)
    tried = [(dialect.name, dialect) for dialect in chosen]
    if options.each_extension:
        tried += [each for dialect in chosen for each in switched_off(dialect)]
    total = 0
    for name, dialect in tried:
        try:
            found = differences(dialect, name, options.cache)
        except RuntimeError as error:
            print(f"{name}: skipped: {error}")
            continue
        total += len(found)
        for difference in found:
            print(difference)
        count = len(declared(dialect, options.cache))
        print(f"{name}: {count} overloads declared by clang, {len(found)} differences")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
