"""Files of real projects as clang compiles them: with the options that openclsp finds for them.

What the host defines when it runs is missing: undeclared names become numbers, unknown types `float`, until clang accepts
the file or a bound is reached. openclsp's unit gets the same definitions.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore
from openclsp.project.option_parser import parse_build_options
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document

CLANG = ("clang-22", "-x", "cl", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-nogpulib", "-g", "-w", "-S",
         "-emit-llvm", "-o", "-", "-ferror-limit=20", "-O2", "-Xclang", "-disable-llvm-passes")  # fmt: skip
_MISSING = (
    (re.compile(r"use of undeclared identifier '(\w+)'"), "16"),
    (re.compile(r"unknown type name '(\w+)'"), "float"),
    (re.compile(r"function-like macro '(\w+)' is not defined"), "0"),
)
_PLACE = re.compile(r"<stdin>:(\d+):")
_INCLUDED = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_]\w*")
_ROUNDS = 8
_TIMEOUT = 60


@dataclass(frozen=True, slots=True)
class CompiledFile:
    """A file that clang accepts: its text, LLVM's assembly before any pass, and openclsp's unit."""

    text: str
    assembly: str
    unit: TranslationUnit


def run(command: Sequence[str], text: str, folder: str | None = None) -> tuple[str | None, str]:
    """The output of a compiler, None where it refuses the text, and its messages."""
    done = subprocess.run(
        [*command],
        input=text,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        errors="replace",
        check=False,
        cwd=folder,
    )
    return (done.stdout if done.returncode == 0 else None), done.stderr


def compiled_file(
    path: Path, standard: str, options: Sequence[str], projects: ScannedProjects
) -> CompiledFile | str:
    """Compiles a file as a program of its own; if that fails, the first message of the last attempt."""
    text = path.read_bytes().decode("utf-8", "replace")
    defined: dict[str, str] = {}
    message = ""
    for _ in range(_ROUNDS):
        # a macro with parameters replaces the plain one
        given = {name: value for name, value in defined.items() if f"{name}(...)" not in defined}
        written = [*options, *(f"-D{name}={value}" for name, value in given.items()), f"-cl-std={standard}"]
        unit = _unit(path, text, written, projects)
        command = [*CLANG, *_clang_options(unit, defined), *written, f"-I{path.parent}", "-"]
        try:
            assembly, messages = run(command, text, str(path.parent))
        except subprocess.TimeoutExpired:
            return "clang takes too long"
        if assembly is not None:
            return CompiledFile(text, assembly, unit)
        errors = [line for line in messages.splitlines() if " error: " in line]
        message = errors[0].partition(" error: ")[2] if errors else "clang fails"
        missing = dict(_missing(errors, text.splitlines(), defined))
        if not missing:
            break
        defined |= missing
    return message


def _missing(
    errors: Sequence[str], lines: Sequence[str], defined: dict[str, str]
) -> Iterator[tuple[str, str]]:
    """Yields the definitions that may remove errors: of names that have none, or another one than they need."""
    for error in errors:
        for pattern, value in _MISSING:
            found = pattern.search(error)
            if found is not None and found[1] not in defined:
                yield found[1], value
        place = _PLACE.match(error)
        line = lines[int(place[1]) - 1] if place is not None and int(place[1]) <= len(lines) else ""
        names = [name for name in _NAME.findall(line) if name in defined]
        if "cannot combine with previous" in error or "expected" in error:
            # a word before a type, such as an attribute
            yield from ((name, "") for name in names if defined[name] == "float")
        elif "is not a function" in error:
            yield from ((f"{name}(...)", "1") for name in names if f"{name}(...)" not in defined)


def _unit(path: Path, text: str, written: Sequence[str], projects: ScannedProjects) -> TranslationUnit:
    document = Document.of(str(path), text.encode())
    planned = projects.plan(document, parse_build_options([*written]).options, None)
    documents = DocumentStore(LOCAL_FILE_SYSTEM, {document.name: document})
    unit = TranslationUnit(planned.unit_config, document, planned.make_include_loader(documents))
    # as clang has it: nothing else calls its functions
    unit.outside = replace(unit.outside, is_whole=True, is_open=lambda name: False)
    return unit


def _found_folders(unit: TranslationUnit) -> Iterator[str]:
    """The folders from which openclsp included files: some are found by their place in the project."""
    documents = sorted(unit.preprocessed.documents())
    for name in documents:
        text = Path(name).read_text(errors="replace") if Path(name).is_file() else ""
        for included in dict.fromkeys(_INCLUDED.findall(text)):
            yield from (
                found.removesuffix(f"/{included}") for found in documents if found.endswith(f"/{included}")
            )


def _clang_options(unit: TranslationUnit, defined: dict[str, str]) -> list[str]:
    """The options of the project as clang takes them; a macro whose value the host computes has none of its own."""
    configuration = unit.target.configuration
    options = [f"-I{folder}" for folder in configuration.include_folders]
    options += [f"-idirafter{folder}" for folder in _found_folders(unit)]
    options += [f"-iquote{folder}" for folder in configuration.quote_folders]
    for name, value in configuration.defines:
        if name not in defined and value != name:
            options.append(f"-D{name}={value}")
    for each in configuration.forced_includes:
        options += ["-include", each]
    return options
