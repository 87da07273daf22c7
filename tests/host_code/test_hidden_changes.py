"""Calls that may change global variables are recorded once for each assignment, not for each call."""

from __future__ import annotations

import pytest
from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.host_tree import parse_host_file
from openclsp.host_code.kernel_calls.c_declarations import CDeclarations
from openclsp.host_code.kernel_calls.c_kernel_objects import CKernelObjects


def number_of_changes(body: str) -> int:
    text = f"int n;\nvoid run(void) {{\n{body}}}\n"
    tree = parse_host_file(text.encode(), HostLanguage.C)
    numbers = CKernelObjects(tree, CDeclarations(tree)).numbers
    return len(numbers.changes(text.index("void"), "n"))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("n = 1;\n", 1),
        ("n = 1;\nf();\n", 2),
        ("n = 1;\n" + "f();\n" * 100, 2),
        ("n = 1;\nf();\nn = 2;\nf();\nf();\n", 4),
        ("n = 1;\nf();\nn++;\nf();\n", 4),
        ("n = 1;\nf();\nif (g()) { f(); }\nf();\n", 4),
    ],
)
def test_calls_in_succession_are_one_change(body: str, expected: int) -> None:
    assert number_of_changes(body) == expected
