"""Counts the kernels in the strings of host files that are found, against a search for their definitions.

    python -m tests.host_code.completeness [--list FILE] FILE…

The search reads tokens only: each `kernel … void NAME(` outside of comments. A kernel is found if a program of the file
contains the bytes of its name. Others are printed, to be judged by hand: many are no strings but code that a kernel
includes, prose, or the texts of tests of a compiler.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from openclsp.host_code.host_language import host_language_of_file
from openclsp.host_code.kernel_mentions import find_host_kernels
from openclsp.host_code.program_document import program_documents
from openclsp.source.document import Document


def main() -> int:
    """Runs as the module's docstring describes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", type=Path, help="a file with a path on each line")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    paths = [*arguments.files]
    if arguments.list is not None:
        paths += arguments.list.read_text(encoding="utf-8").splitlines()
    counts: Counter[str] = Counter()
    for path in paths:
        language = host_language_of_file(path)
        if language is None:
            continue
        data = Path(path).read_bytes()
        programs = program_documents(Document.of(path, data))
        counts["files"] += 1
        counts["programs"] += len(programs)
        for kernel in find_host_kernels(data, language).defined:
            counts["kernels"] += 1
            if any(each.program.value.value_offset(kernel.start) is not None for each in programs):
                counts["found"] += 1
            else:
                line = data.count(b"\n", 0, kernel.start) + 1
                print(f"{path}:{line}: {kernel.name}")
    print(dict(counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
