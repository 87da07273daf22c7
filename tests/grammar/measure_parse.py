"""Measures the share of real kernels that parse without errors, and the speed: measure_parse.py PATH…

Not a test: the kernels are third-party files and are not in the repository. Debian's packages darktable, piglit and
hashcat-data contain some (`apt-get download`, `dpkg -x`).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import tree_sitter
from openclsp import _grammar


def first_error(node: tree_sitter.Node) -> tree_sitter.Node:
    """The innermost node at the first error below `node`."""
    while not (node.is_error or node.is_missing):
        faulty = next((child for child in node.children if child.has_error or child.is_missing), None)
        if faulty is None:
            break
        node = faulty
    return node


def measure(folder: Path) -> str:
    parser = tree_sitter.Parser(tree_sitter.Language(_grammar.language()))
    texts = {path: path.read_bytes() + b"\n" for path in sorted(folder.rglob("*.cl"))}
    start = time.process_time()
    trees = {path: parser.parse(text) for path, text in texts.items()}
    seconds = time.process_time() - start
    faulty = [path for path, tree in trees.items() if tree.root_node.has_error]
    for path in faulty:
        print(f"{path}:{first_error(trees[path].root_node).start_point.row + 1}")
    size = sum(map(len, texts.values())) / 1e6
    good = len(texts) - len(faulty)
    return f"{folder}: {good} of {len(texts)} without an error, {size:.1f} MB at {size / max(seconds, 1e-9):.1f} MB/s"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(measure(Path(argument)))
