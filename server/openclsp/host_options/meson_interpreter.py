"""Finds builds in Meson files: commands whose arguments contain a kernel file and build options."""

from __future__ import annotations

import os.path
import re
from collections.abc import Sequence
from typing import Final

from openclsp.host_options.host_build import HostBuild
from openclsp.host_options.host_lexer import (
    FORMATTED,
    NAME,
    STRING,
    ConditionBranch,
    HostToken,
    HostTokens,
    TokenisedHostText,
)
from openclsp.host_options.option_splitter import UNKNOWN_TEXT, FoundOption, filter_supported_options
from openclsp.host_options.symbolic_text import HostPlace, PathCondition
from openclsp.host_options.token_patterns import split_tokens
from openclsp.project.file_discovery import KERNEL_SUFFIXES

_PLACE_HOLDER: Final = re.compile(r"@\d+@")
_COMMANDS: Final = frozenset(("custom_target", "run_command", "generator", "run_target", "process"))
MAXIMUM_STEPS: Final = 50_000


class MesonInterpreter:
    """Interprets one Meson file with its own variables."""

    def __init__(self, path: str, text: TokenisedHostText, kernels: frozenset[str]) -> None:
        self.path, self.text, self.kernels = path, text, kernels
        self.folder = os.path.dirname(path)
        self.variables: dict[str, list[str]] = {}
        self.builds: list[HostBuild] = []
        self.steps = 0

    def find_builds(self) -> tuple[HostBuild, ...]:
        """Returns the builds of kernels in the file."""
        lines = split_tokens(self.text.tokens, ";")
        self.interpret_statements([line for line in lines if line], ())
        return tuple(self.builds)

    def interpret_statements(self, lines: Sequence[HostTokens], path: PathCondition) -> None:
        """Interprets statements, one per line, under the path condition `path`."""
        at = 0
        while at < len(lines) and self.steps < MAXIMUM_STEPS:
            self.steps += 1
            line = lines[at]
            word = line[0].text if line[0].kind == NAME else ""
            end = _find_block_end(lines, at) if word in ("if", "foreach") else at
            if word == "foreach":
                self.interpret_foreach(line, lines[at + 1 : end], path)
            elif word == "if":
                self.interpret_if(lines, at, end, path)
            else:
                self.interpret_statement(line, path)
            at = end + 1

    def interpret_if(self, lines: Sequence[HostTokens], at: int, end: int, path: PathCondition) -> None:
        """Interprets each branch of an `if` statement, from line index `at` to `end`, under its condition."""
        parts = [at]
        depth = 0
        for index in range(at + 1, end):
            word = lines[index][0].text
            depth += (word == "if") - (word == "endif")
            if depth == 0 and word in ("elif", "else"):
                parts.append(index)
        total = len(parts) + (lines[parts[-1]][0].text != "else")
        before = dict(self.variables)
        after: dict[str, list[str]] = {}
        for number, start in enumerate(parts):
            stop = parts[number + 1] if number + 1 < len(parts) else end
            self.variables = dict(before)
            branch = ConditionBranch(f"{self.path}:{lines[at][0].offset}", number, total)
            self.interpret_statements(lines[start + 1 : stop], (*path, branch))
            changed = {name: value for name, value in self.variables.items() if before.get(name) != value}
            # After the `if`, the variable may have its earlier value or an unknown one.
            after.update({name: [*before.get(name, []), UNKNOWN_TEXT] for name in changed})
        self.variables = {**before, **after}

    def interpret_foreach(self, line: HostTokens, body: Sequence[HostTokens], path: PathCondition) -> None:
        """Interprets the body of a `foreach` once for each element of a known list."""
        colon = next((index for index, token in enumerate(line) if token.text == ":"), -1)
        if colon < 2:
            return
        for item in self.evaluate_expression(line[colon + 1 :])[:1000]:
            self.variables[line[colon - 1].text] = [item]
            self.interpret_statements(body, path)

    def interpret_statement(self, line: HostTokens, path: PathCondition) -> None:
        """Interprets an assignment, and the calls of commands in a line."""
        at = next((index for index, token in enumerate(line) if token.text in ("=", "+=")), -1)
        if at == 1 and line[0].kind == NAME:
            value = self.evaluate_expression(line[2:])
            before = self.variables.get(line[0].text, []) if line[1].text == "+=" else []
            self.variables[line[0].text] = before + value
        for index, token in enumerate(line):
            if token.kind == "(" and index and line[index - 1].text in _COMMANDS:
                self.interpret_command(line[index - 1], token.items, path)

    def interpret_command(self, name: HostToken, items: HostTokens, path: PathCondition) -> None:
        """Records a build if the arguments contain a kernel file and options."""
        values = []
        for argument in split_tokens(items):
            keyword = len(argument) > 1 and argument[1].text == ":" and argument[0].kind == NAME
            if not keyword or argument[0].text in (
                "input",
                "command",
                "arguments",
                "extra_args",
                "depend_files",
            ):
                values += self.evaluate_expression(argument[2:] if keyword else argument)
        place = HostPlace(self.path, self.text.line_of(name.offset))
        kernels = {
            kernel
            for value in values
            if value.lower().endswith(KERNEL_SUFFIXES)
            for kernel in (os.path.normpath(os.path.join(self.folder, value)),)
            if kernel in self.kernels
        }
        found = tuple(FoundOption(value, place, path) for value in filter_supported_options(values))
        if kernels and found:
            self.builds.append(HostBuild(found, place, name.text, frozenset(kernels)))

    def evaluate_expression(self, tokens: Sequence[HostToken]) -> list[str]:
        """Evaluates an expression to a list of strings; a single string is a list of one."""
        parts: list[list[str]] = []
        # A sum of strings is one string; with a list among the operands it is a concatenation of lists.
        texts = True
        at = 0
        joined = ""
        while at < len(tokens):
            token = tokens[at]
            following = tokens[at + 1] if at + 1 < len(tokens) else None
            value = [UNKNOWN_TEXT]
            if token.kind in (STRING, FORMATTED):
                value = [token.text if token.kind == STRING else UNKNOWN_TEXT]
            elif token.kind == "[":
                value = [
                    text for each in split_tokens(token.items) for text in self.evaluate_expression(each)
                ]
                texts = False
            elif token.kind == NAME and following is not None and following.kind == "(":
                at += 1
                if token.text == "files":
                    value = [
                        text
                        for each in split_tokens(following.items)
                        for text in self.evaluate_expression(each)
                    ]
                    texts = False
            elif token.kind == NAME:
                value = self.variables.get(token.text, [UNKNOWN_TEXT])
                texts = texts and len(value) == 1
            at += 1
            while at < len(tokens) and tokens[at].text == ".":
                folder = at + 1 < len(tokens) and tokens[at + 1].text in ("current_source_dir", "source_root")
                if at + 1 < len(tokens) and tokens[at + 1].text == "format":
                    value = [_PLACE_HOLDER.sub(UNKNOWN_TEXT, text) for text in value]
                else:
                    value = [self.folder] if folder else [UNKNOWN_TEXT]
                at += 3
            if joined == "/" and parts:
                parts[-1] = [os.path.join(parts[-1][-1], *value)]
            else:
                parts.append(value)
            joined = tokens[at].text if at < len(tokens) else ""
            at += 1
        if texts and len(parts) > 1:
            return ["".join(part[0] for part in parts if part)]
        return [text for part in parts for text in part]


def _find_block_end(lines: Sequence[HostTokens], at: int) -> int:
    """Returns the index of the line that ends the block at index `at`; `len(lines)` if no line ends it."""
    word = lines[at][0].text
    depth = 0
    for index in range(at, len(lines)):
        first = lines[index][0].text
        depth += (first == word) - (first == f"end{word}")
        if depth == 0:
            return index
    return len(lines)
