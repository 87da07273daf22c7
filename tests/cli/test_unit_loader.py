"""A unit resolves each include once."""

from __future__ import annotations

from openclsp.cli.unit_loader import UnitLoader
from openclsp.project.file_system import LocalFileSystem

from ..semantics.units import Headers


class Counting(Headers):
    """Headers that count what is asked for."""

    count = 0

    def load(self, name, angled, includer):
        self.count += 1
        return super().load(name, angled, includer)


def test_each_include_is_resolved_once():
    headers = Counting({"a.h": b"int a;\n"})
    loader = UnitLoader(headers)
    found = [loader.load(name, False, "/k.cl") for name in ("a.h", "none.h", "a.h", "none.h")]
    assert found[0] is found[2]
    assert found[1] is found[3]
    assert headers.count == 2


def test_the_search_for_fixes_reads_each_file_a_few_times(openclsp, write, monkeypatch):
    """Kernels that include each other: every fix is checked in all of them."""
    names = [f"k{number}.cl" for number in range(4)]
    for number, name in enumerate(names):
        others = "".join(f'#include "{each}"\n' for each in names if each != name)
        fault = f"kernel void k{number}(global int *g) {{ local int *p = g; local int *q = g; }}\n"
        write(name, f"#ifndef K{number}\n#define K{number}\n{others}{fault}#endif\n")
    read = []
    real = LocalFileSystem.read

    def counting(files, name, permission):
        read.append(name)
        return real(files, name, permission)

    monkeypatch.setattr(LocalFileSystem, "read", counting)
    assert openclsp("check", "--std", "CL1.2", "--jobs", "1", ".").code == 1
    assert max(read.count(name) for name in set(read) if name.endswith(".cl")) < 60
