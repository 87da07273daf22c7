"""The Python API: the examples of its page, its names, and its errors."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from openclsp import api

PAGE = (Path(__file__).parents[1] / "docs" / "python-api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_of_the_page(example: str, tmp_path: Path) -> None:
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    runpy.run_path(str(tmp_path / "example.py"))


def test_every_public_name_is_listed() -> None:
    defined = {
        name
        for name, value in vars(api).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == api.__name__
    }
    assert defined <= set(api.__all__)
    assert all(hasattr(api, name) for name in api.__all__)
    assert all(
        f"`{name}" in PAGE or f"{name}(" in PAGE
        for name in ("check_text", "hover_at", "flow_at", "KernelOptions")
    )


def test_headers_bytes_and_paths(tmp_path: Path) -> None:
    (tmp_path / "h.clh").write_text("static void f(global int *g) { local int *l = g; }\n")
    text = (
        b'\xef\xbb\xbf#include "../h.clh"\nkernel void k(global int *g) { f(g); local int *l = g; } // \xff\n'
    )
    found = api.check_text(text, path="sub/k.cl", fixes=False)
    assert [(Path(each.range.path).name, each.range.start.line) for each in found] == [
        ("k.cl", 2),
        ("h.clh", 1),
    ]
    assert all(each.fixes == () for each in found)


def test_errors_are_one_line() -> None:
    kernel = "kernel void k(global int *g) { *g = 1; }\n"
    assert api.hover_at(kernel, 2, 1) is None
    for call, message in (
        (lambda: api.hover_at(kernel, 9, 1), "line 9 is outside kernel.cl"),
        (lambda: api.flow_at(kernel, 1, 27), "there is no generic address space"),
        (lambda: api.flow_at(kernel, 1, 13, options=api.KernelOptions(std="CL2.0")), "no generic pointer"),
        (lambda: api.check_text(kernel, options=api.KernelOptions(extensions=("+cl_none",))), "cl_none"),
        (lambda: api.check_text(kernel.encode("utf-16")), "UTF-16"),
        (lambda: api.explain_code("none"), "there is no rule 'none'"),
    ):
        with pytest.raises(api.ApiError, match=re.escape(message)) as caught:
            call()
        assert "\n" not in str(caught.value)
