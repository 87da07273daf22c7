"""Formats real kernels as the server does, and lists those whose tokens would change.

    python -m tests.kernels.formatting FOLDER [--part 1/8]

Every `.cl` file below the folder is formatted by the project's `.clang-format`, or by the default style. A file of which the
server formats nothing, because clang-format would change its tokens or fails, is printed with the reason. `--part` takes only
every so many-th file.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from openclsp.ide.formatting.formatting_style import StyleProblem, find_style
from openclsp.ide.formatting.token_comparison import have_same_tokens
from openclsp.lsp.session.clang_format import FormattingFailure, apply_replacements, run_clang_format
from openclsp.project.file_system import LOCAL_FILE_SYSTEM
from openclsp.project.project_roots import find_project_root, read_permission_of_folder


def format_file(file: Path) -> str:
    """The result for one file: `formatted`, `unchanged`, or why it cannot be formatted."""
    data = file.read_bytes()
    permission = read_permission_of_folder(find_project_root(str(file)), LOCAL_FILE_SYSTEM)
    style = find_style(str(file), LOCAL_FILE_SYSTEM, permission, 4, True)
    if isinstance(style, StyleProblem):
        return "style not usable"
    found = run_clang_format(data, style, None)
    if isinstance(found, FormattingFailure):
        return found.reason
    if not have_same_tokens(data, apply_replacements(data, found)):
        return "tokens would change"
    return "formatted" if found else "unchanged"


def main() -> int:
    """Runs as the module's docstring says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", default="1/1")
    options = parser.parse_args()
    first, of = map(int, options.part.split("/"))
    counts: Counter[str] = Counter()
    for file in sorted(options.folder.resolve().rglob("*.cl"))[first - 1 :: of]:
        result = format_file(file)
        counts[result] += 1
        if result not in ("formatted", "unchanged"):
            print(f"{file}: {result}")
    print(", ".join(f"{number} {result}" for result, number in counts.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
