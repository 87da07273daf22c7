"""The small extensions that load one module each from the library with the code of all compiled modules.

mypyc generates a C file for each of them. To compile and link 130 of them takes half a minute, so on POSIX
systems one file is compiled that can load all of them, and every module gets a copy of it: Python calls the
function with the module's name.
"""

from __future__ import annotations

from pathlib import Path

from setuptools import Extension


class LoadedModule(Extension):
    """The extension of a module whose code is in `library`."""

    def __init__(self, generated: Extension, library: str) -> None:
        super().__init__(
            generated.name,
            generated.sources,
            include_dirs=generated.include_dirs,
            extra_compile_args=generated.extra_compile_args,
        )
        self.library = library


def group_loaders(modules: list[LoadedModule]) -> list[list[LoadedModule]]:
    """Groups the modules that can share a loader: the last parts of their dotted names are distinct."""
    groups: list[dict[str, LoadedModule]] = []
    for module in modules:
        name = module.name.rpartition(".")[2]
        for group in groups:
            if name not in group:
                group[name] = module
                break
        else:
            groups.append({name: module})
    return [list(group.values()) for group in groups]


def write_loader(modules: list[LoadedModule], path: Path) -> None:
    """Writes the C source of a loader for `modules`; the last parts of their dotted names must differ."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = _LOAD
    for module in modules:
        # mypyc names the capsule of a module like this (exported_name in mypyc/namegen.py).
        capsule = "init_" + module.name.replace("___", "___3_").replace(".", "___")
        name = module.name.rpartition(".")[2]
        text += (
            f"PyMODINIT_FUNC PyInit_{name}(void) "
            f'{{ return load("{module.library}", "{capsule}", "{module.library}.{capsule}"); }}\n'
        )
    path.write_text(text, encoding="utf-8")


_LOAD = """#include <Python.h>

static PyObject *load(const char *library, const char *attribute, const char *name)
{
    PyObject *from = Py_BuildValue("(s)", "*");
    PyObject *module = from ? PyImport_ImportModuleLevel(library, NULL, NULL, from, 0) : NULL;
    Py_XDECREF(from);
    PyObject *capsule = module ? PyObject_GetAttrString(module, attribute) : NULL;
    Py_XDECREF(module);
    void *start = capsule ? PyCapsule_GetPointer(capsule, name) : NULL;
    Py_XDECREF(capsule);
    return start ? ((PyObject *(*)(void))start)() : NULL;
}

"""
