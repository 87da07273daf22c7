"""The build of the compiled modules: C text in parts, one loader for all modules, a message if the build falls back to plain Python."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from setuptools import Extension

ROOT = Path(__file__).parent.parent
BUILDING = ROOT / "server" / "building"


@pytest.fixture(autouse=True)
def _building_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BUILDING))


def test_every_module_is_in_one_part_and_the_library_in_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import c_parts

    monkeypatch.setattr(c_parts, "PART_SIZE", 100)
    sources = []
    for number in range(7):
        source = tmp_path / f"__native_m{number}.c"
        body = f"    /* body {number} */\n" * 4
        source.write_text(f"char CPyDef_m{number}_____top_level__(void) {{\n{body}}}\n")
        sources.append(source)
    runtime = tmp_path / "init.c"
    runtime.write_text("")
    parts = [Path(each).read_text() for each in c_parts.write_parts([*sources, runtime], tmp_path / "parts")]
    assert len(parts) > 2
    for number in range(7):
        assert sum(f"ONCE char CPyDef_m{number}_____top_level__" in part for part in parts) == 1
    assert parts[-1].endswith('#include "init.c"\n')
    assert "\n    /*" not in "".join(parts)
    assert [len(part) for part in parts[:-1]] == sorted((len(part) for part in parts[:-1]), reverse=True)


def test_modules_of_the_same_last_name_get_different_loaders() -> None:
    from module_loaders import LoadedModule, group_loaders

    names = ["a.calls", "a.text", "b.calls", "c.calls", "b.text"]
    groups = group_loaders([LoadedModule(Extension(name, []), "library") for name in names])
    assert [[each.name for each in group] for group in groups] == [
        ["a.calls", "a.text"],
        ["b.calls", "b.text"],
        ["c.calls"],
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="builds with the flags of Linux")
def test_a_loader_loads_the_module_that_it_is_called_as(tmp_path: Path) -> None:
    from module_loaders import LoadedModule, write_loader

    modules = [LoadedModule(Extension(name, []), "library") for name in ("package.first", "package.second")]
    write_loader(modules, tmp_path / "loader.c")
    library = "#include <Python.h>\n"
    fill = ""
    for name in ("first", "second"):
        library += f"""
static struct PyModuleDef {name}_definition = {{PyModuleDef_HEAD_INIT, "package.{name}", "I am {name}", -1}};
static PyObject *start_{name}(void) {{ return PyModule_Create(&{name}_definition); }}
"""
        capsule = f"init_package___{name}"
        fill += (
            f'PyModule_AddObject(m, "{capsule}", '
            f'PyCapsule_New((void *)start_{name}, "library.{capsule}", NULL));\n'
        )
    library += f"""
static struct PyModuleDef definition = {{PyModuleDef_HEAD_INIT, "library", NULL, -1}};
PyMODINIT_FUNC PyInit_library(void) {{ PyObject *m = PyModule_Create(&definition); {fill} return m; }}
"""
    (tmp_path / "library.c").write_text(library)
    (tmp_path / "package").mkdir()
    include = sysconfig.get_path("include")
    for source, targets in (
        ("library.c", ["library.so"]),
        ("loader.c", ["package/first.so", "package/second.so"]),
    ):
        for target in targets:
            subprocess.run(
                ["cc", "-shared", "-fPIC", f"-I{include}", "-o", target, source],
                cwd=tmp_path,
                check=True,
                timeout=60,
            )
    code = "import package.first, package.second; print(package.first.__doc__, package.second.__doc__)"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.stdout == "I am first I am second\n", ran.stderr


def test_the_installation_says_that_there_is_no_compiler(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, str(ROOT / "install.py"), str(tmp_path / "environment")],
        env={"PATH": str(tmp_path), "CC": "cc"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 1
    assert ran.stderr.startswith("openclsp: no C compiler was found (cc).") and "wheel" in ran.stderr
    assert not (tmp_path / "environment").exists()
