"""The generic pointers that receive the arguments of a kernel."""

from __future__ import annotations

from pathlib import Path

from openclsp.ide.flow.argument_flow import find_argument_receivers

from ..end_to_end.marks import Marked
from .units import analyse


def receivers(
    folder: Path, source: str, kernel: str = "k", version: str = "CL2.0"
) -> list[tuple[str, str, tuple[str, ...]]]:
    """Pointer, function and arguments of each receiver; every pointer must be declared at the next mark."""
    marked = Marked.of(source)
    unit = analyse(folder, marked.text, {"openclsp.toml": f'language-version = "{version}"\n'})
    found = find_argument_receivers(unit, ("function_definition", kernel, 0))
    places = sorted((each.location.start, each.location.end) for each in found)
    assert places == list(marked.spans)
    return [(each.name, each.function, each.arguments) for each in found]


def test_variables_and_parameters_that_arguments_reach(tmp_path: Path) -> None:
    assert receivers(
        tmp_path,
        """
void last(int *⟪deep⟫) { *deep = 1; }
void first(int *⟪p⟫, int n, int *unused) { last(p + n); }
void named(global int *g) {}
kernel void k(global int *samples, local int *tile, int n) {
    int *⟪any⟫ = samples;
    if (n) any = tile;
    int own[2];
    int *mine = own;
    first(any, n, mine);
    named(samples);
    last(tile);
}
""",
    ) == [
        ("any", "k", ("samples", "tile")),
        ("p", "first", ("samples", "tile")),
        ("deep", "last", ("samples", "tile")),
    ]


def test_arguments_of_another_kernel_and_calls_in_a_cycle(tmp_path: Path) -> None:
    assert receivers(
        tmp_path,
        """
void b(int *p, int n);
void a(int *⟪p⟫, int n) { b(p, n); }
void b(int *⟪p⟫, int n) { if (n) a(p, n - 1); }
kernel void other(local int *tile) { a(tile, 1); }
kernel void k(global int *out) { a(out, 2); }
""",
    ) == [("p", "a", ("out",)), ("p", "b", ("out",))]


def test_nothing_without_generic_pointers(tmp_path: Path) -> None:
    text = "void f(int *p) {}\nkernel void k(global int *g, int n) { f(g); }\n"
    assert receivers(tmp_path, text, version="CL1.2") == []
    assert receivers(tmp_path, "kernel void k(global int *g) { g[0] = 1; }\n") == []
    assert receivers(tmp_path, "kernel void k(void) {}\n", "gone") == []
