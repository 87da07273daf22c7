"""Draws random docstrings and sentences of the documents, for a reader who has not seen the code.

    python -m tests.prose_sample --seed 1

Each docstring is printed with its signature, each sentence with its page. A sample passes if the reader understands all
of it at first reading; whatever is not understood is rewritten.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
from collections.abc import Iterator

from .test_imports import PACKAGE, ROOT, modules, name_of

_FENCE = re.compile(r"`{3,}|~{3,}")
_NO_PROSE = re.compile(r"\||#|<|!\[|\[[^\]]+\]:|- (?:Severity|Dialects|Clause|clang):")
# an item of a list that continues the sentence above the list
_PART = re.compile(r"(?!openclsp|clang)[a-z]")
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstrings() -> Iterator[str]:
    """Yields each docstring of the package, below the qualified name and the signature."""
    for path in modules():
        yield from _docstrings_in(ast.parse(path.read_text(encoding="utf-8")), name_of(path), "")


def _docstrings_in(node: ast.AST, module: str, within: str) -> Iterator[str]:
    """Yields the docstrings of a node and of the nodes below it; `within` is the enclosing class."""
    if isinstance(node, Documented) and (text := ast.get_docstring(node)):
        yield f"{module}{_signature(node, within)}\n    {text}".replace("\n\n", "\n")
    if isinstance(node, ast.ClassDef):
        within = f"{node.name}."
    for child in ast.iter_child_nodes(node):
        yield from _docstrings_in(child, module, within)


def _signature(node: Documented, within: str) -> str:
    if isinstance(node, ast.Module):
        return ""
    if isinstance(node, ast.ClassDef):
        return f": class {node.name}"
    result = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    return f": {within}{node.name}({ast.unparse(node.args)}){result}"


def sentences() -> Iterator[str]:
    """Yields each sentence of the documents and rule pages, outside of code, tables and headings."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *PACKAGE.rglob("*.md")]
    for page in sorted(pages):
        text = _prose(page.read_text(encoding="utf-8"))
        for paragraph in re.split(r"\n\s*\n|^\s*(?:[-*]|\d+\.) ", text, flags=re.MULTILINE):
            for sentence in re.split(r"(?<=[.:?])\s+(?=[A-Z`\[])", " ".join(paragraph.split())):
                if len(sentence.split()) > 5 and not _PART.match(sentence):
                    yield f"{page.relative_to(ROOT)}: {sentence}"


def _prose(markdown: str) -> str:
    """The text without fenced and indented code, tables, headings, HTML, and the header of a rule page."""
    lines: list[str] = []
    fence = ""
    previous = ""
    for line in markdown.splitlines():
        content = line.strip()
        mark = _FENCE.match(content)
        if fence:
            if mark and mark[0].startswith(fence) and content == mark[0]:
                fence = ""
            content = ""
        elif mark:
            fence, content = mark[0], ""
        elif _NO_PROSE.match(content) or (line.startswith("    ") and not previous):
            # an indented line after an empty one is code
            content = ""
            lines.append("")
            continue
        lines.append(line if content else "")
        previous = content
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--docstrings", type=int, default=40)
    parser.add_argument("--sentences", type=int, default=20)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    drawn = chance.sample(sorted(docstrings()), options.docstrings)
    drawn += chance.sample(sorted(sentences()), options.sentences)
    for number, text in enumerate(drawn, 1):
        print(f"{number}. {text}\n")


if __name__ == "__main__":
    main()
