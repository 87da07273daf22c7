"""Parses the corpus of grammar/test/corpus with the compiled extension, without node."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import tree_sitter
from openclsp import _grammar

CORPUS = Path(__file__).parents[2] / "grammar" / "test" / "corpus"

HEADING = re.compile(r"^={3,}\n(?P<name>.+)\n={3,}\n", re.MULTILINE)
RULER = re.compile(r"^-{3,}\n", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    name: str
    source: str
    expected: str


def read_examples(path: Path) -> list[Example]:
    """The examples of one corpus file: a heading between rulers of `=`, source, a ruler of `-`, the tree."""
    text = path.read_text(encoding="utf-8")
    headings = list(HEADING.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    examples = []
    for heading, end in zip(headings, ends, strict=True):
        source, expected = RULER.split(text[heading.end() : end], maxsplit=1)
        examples.append(Example(f"{path.stem}: {heading['name']}", source.strip("\n") + "\n", expected))
    return examples


EXAMPLES = [example for path in sorted(CORPUS.glob("*.txt")) for example in read_examples(path)]


def one_line(tree: str) -> str:
    return re.sub(r"\s+\)", ")", re.sub(r"\s+", " ", tree)).strip()


def test_corpus_is_there() -> None:
    assert len(EXAMPLES) >= 80


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example_parses_as_written(example: Example) -> None:
    parser = tree_sitter.Parser(tree_sitter.Language(_grammar.language()))
    assert str(parser.parse(example.source.encode()).root_node) == one_line(example.expected)
