"""Applies random edits to programs in the strings of host files, and reads the files again by other means.

`python tests/host_code/random_string_edits.py [--count N] [--seed N] FILE…`

Of each edited file, the host's grammar must find no more errors than before, and the program must be the edited one. A
Python file must also parse, and the constants that Python itself reads must be those of the edit.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
from collections import Counter

from openclsp.host_code.host_language import HostLanguage, host_language_of_file
from openclsp.host_code.host_tree import parse_host_file
from openclsp.host_code.program_document import program_documents
from openclsp.host_code.stringifying_macros import blank_stringified, find_stringified
from openclsp.source.document import Document

NEW = (
    b"",
    b"global ",
    b"__global ",
    b"x",
    b'"',
    b"\\",
    b"\n",
    b"'",
    b"%",
    b"{ }",
    b"/* \xc3\xa9 */",
    b"\tint q;\n",
    b'"""',
    b")",
)
TOKEN = re.compile(rb"\w+|[^\w\s]|\n")


def errors_of(data: bytes, language: HostLanguage) -> int:
    """The number of syntax errors that the host's grammar finds."""
    if language is not HostLanguage.PYTHON:
        # The compiler makes a string of such an argument before it parses.
        data = blank_stringified(data, tuple(find_stringified(data)))
    tree = parse_host_file(data, language)
    return len(tree.captures("(ERROR) @error").get("error", ()))


def constants_of(data: bytes) -> Counter[str] | None:
    """The string constants of a Python file; None if it does not parse."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return None
    found = (each.value for each in ast.walk(tree) if isinstance(each, ast.Constant))
    return Counter(
        each if isinstance(each, str) else each.decode("utf-8", "replace")
        for each in found
        if isinstance(each, str | bytes)
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    chosen = random.Random(arguments.seed)
    hosts = []
    for path in arguments.files:
        with open(path, "rb") as file:
            host = Document.of(path, file.read())
        if host_language_of_file(path) is not None and program_documents(host):
            hosts.append(host)
    counts: Counter[str] = Counter()
    while counts["written"] < arguments.count and hosts and counts["refused"] < 20 * arguments.count:
        host = chosen.choice(hosts)
        language = host_language_of_file(host.name)
        program = chosen.choice(program_documents(host))
        text = program.document.text.data
        tokens = list(TOKEN.finditer(text))
        if language is None or language is HostLanguage.NOTEBOOK or not tokens:
            continue
        token = chosen.choice(tokens)
        start = token.start()
        end = chosen.choice((start, token.end(), min(len(text), token.end() + chosen.randrange(30))))
        new = chosen.choice(NEW)
        edits = program.host_edits([(start, end, new)])
        if edits is None:
            counts["refused"] += 1
            continue
        counts["written"] += 1
        data = host.text.data
        result = data
        for edit in sorted(edits, key=lambda each: each.start, reverse=True):
            result = result[: edit.start] + edit.new + result[edit.old_end :]
        if errors_of(result, language) > errors_of(data, language):
            counts["new syntax errors"] += 1
            print("syntax error:", host.name, start, end, new)
        if language is HostLanguage.PYTHON:
            before, after = constants_of(data), constants_of(result)
            wanted = text[:start] + new + text[end:]
            if before is not None and after is None:
                counts["Python does not parse"] += 1
                print("Python:", host.name, start, end, new)
            elif before is not None and after is not None:
                counts["read by Python"] += 1
                whole = len(program.program.value.literals) == 1 and not program.program.value.has_holes
                body = wanted[wanted.index(b"\n") + 1 :] if not program.program.is_complete else wanted
                if whole and body.replace(b"\r\n", b"\n").decode("utf-8", "replace") not in after:
                    counts["other value in Python"] += 1
                    print("value:", host.name, start, end, new)
    print(dict(counts))


if __name__ == "__main__":
    main()
