"""What a document may include, judged by directives alone, holds all that the preprocessor includes."""

from __future__ import annotations

from random import Random

import pytest
from openclsp.source import document_preprocessing
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.inclusions import may_include, preprocess_directives
from openclsp.source.options import NOT_FOUND, Loader, PreprocessorOptions, Refusal

HEADERS = [f"h{number}.h" for number in range(6)]
LINES = [
    '#include "{header}"',
    '#include "{header}"',
    "#define {macro} {number}",
    "#define {macro}",
    "#define {macro}(x) x {number}",
    "#undef {macro}",
    "#ifdef {macro}\n{line}\n#else\n{line}\n#endif",
    "#if {macro} > {number}\n{line}\n#elif defined({macro})\n{line}\n#endif",
    "#ifndef {macro}\n#define {macro} {number}\n{line}\n#endif",
    "#pragma once",
    '#define NAME "{header}"\n#include NAME',
    "int {macro} = {number};",
    "int f(int a) {{",
    "}}",
    "call({macro},\n{line}\n2);",
    "/* {macro}\n{line}\n*/ int c;",
    "int \\\n  {macro}(1);",
    "{macro}(int d;)",
    "int e = __COUNTER__;\n#if __COUNTER__ > {number}\n{line}\n#endif",
    "// {line}",
]


class Headers(Loader):
    """Headers by name."""

    def __init__(self, texts: dict[str, bytes]) -> None:
        self.documents = {name: Document.of(f"/{name}", text) for name, text in texts.items()}

    def load(self, name: str, angled: bool, includer: str) -> Document | Refusal:
        return self.documents.get(name, NOT_FOUND)


def line(random: Random, first: int, depth: int = 0) -> str:
    """A random line, in which lines may be nested; it includes headers from number `first` on."""
    pattern = random.choice(LINES)
    while depth > 2 and "{line}" in pattern:
        pattern = random.choice(LINES)
    parts = pattern.split("{line}")
    text = parts[0]
    for part in parts[1:]:
        text += line(random, first, depth + 1).replace("{", "{{").replace("}", "}}") + part
    header = random.choice(HEADERS[first:] or ["missing.h"])
    return text.format(header=header, macro=random.choice("ABC"), number=random.randint(0, 2))


def lines(random: Random, first: int) -> bytes:
    """A random text."""
    return "".join(line(random, first) + "\n" for _ in range(5)).encode()


@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_is_included_is_missed(seed: int) -> None:
    random = Random(seed)
    included = rejected = 0
    for _ in range(60):
        texts = {name: lines(random, number) for number, name in enumerate(HEADERS, 1)}
        root = Document.of("/k.cl", lines(random, 0))
        loader, cache, options = Headers(texts), IncludeCache(), PreprocessorOptions()
        found = document_preprocessing.full(root, options, loader, cache).documents()
        for name in HEADERS:
            verdict = may_include(
                preprocess_directives(root, options, loader, cache.inclusions()), f"/{name}"
            )
            assert verdict or f"/{name}" not in found, (root.text.data, texts)
            included += verdict
            rejected += not verdict
    assert included > 100 and rejected > 50


def test_a_condition_that_does_not_hold_rules_an_include_out() -> None:
    loader, options, cache = Headers({"h.h": b"int h;\n"}), PreprocessorOptions(), IncludeCache()

    def included(text: bytes) -> bool:
        return may_include(preprocess_directives(Document.of("/k.cl", text), options, loader, cache), "/h.h")

    assert included(b'#define SIZE 4\nint a = SIZE;\n#if SIZE > 2\n#include "h.h"\n#endif\n')
    assert not included(b'#define SIZE 2\nint a = SIZE;\n#if SIZE > 2\n#include "h.h"\n#endif\n')
    assert not included(b'/*\n#include "h.h"\n*/\n// \\\n#include "h.h"\nint a;\n')
