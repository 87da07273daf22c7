"""Deferred lsprotocol classes equal the original ones, and few of them are completed."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys

import attrs
from lsprotocol import converters, types

OPENED = """{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument":
  {"uri": "file:///k.cl", "languageId": "opencl", "version": 1, "text": "kernel void k() {}"}}}"""


def _deferred(program: str) -> str:
    """The output of a program, run in a new process in which the classes are deferred."""
    first = "from openclsp.lsp.startup.deferred_types import import_deferred, pending_classes\nimport_deferred()\n"
    ran = subprocess.run([sys.executable, "-c", first + program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def describe_all() -> str:
    """A description of each class: its signature, fields and methods."""
    from lsprotocol import converters, types

    converters.get_converter()
    lines = []
    for name, cls in sorted(types.ALL_TYPES_MAP.items()):
        if not (isinstance(cls, type) and attrs.has(cls)):
            continue
        lines.append(f"{name}{inspect.signature(cls)} {cls.__doc__!r} {cls.__hash__ is None}")
        for field in attrs.fields(cls):
            check = re.sub(" at 0x[0-9a-f]+", "", str(field.validator))
            lines.append(f"  {field.name}: {field.type} = {field.default} {check} {field.eq}")
        own = sorted(name for name, member in vars(cls).items() if inspect.isfunction(member))
        lines.append("  " + " ".join(each for each in own if "attr" not in each and "state" not in each))
    return "\n".join(lines)


def test_a_deferred_class_equals_the_original_class() -> None:
    program = f"import attrs, inspect, re\n{inspect.getsource(describe_all)}\nprint(describe_all(), end='')"
    here = describe_all()
    assert _deferred(program).split("\n") == here.split("\n")
    assert here.count("\n") > 2000


def test_a_deferred_class_validates_assignments() -> None:
    program = """
from lsprotocol import types
place = types.Position(1, 2)
place.line = 3
try:
    place.line = -1
except ValueError:
    print(place)
"""
    assert _deferred(program) == "3:2\n"


def test_messages_are_converted_as_with_the_original_classes() -> None:
    program = f"""
import json
from lsprotocol import converters, types
converter = converters.get_converter()
opened = converter.structure(json.loads('''{OPENED}'''), types.DidOpenTextDocumentNotification)
place = types.Range(types.Position(0, 1), types.Position(2, 3))
found = types.Diagnostic(place, 'wrong', severity=types.DiagnosticSeverity.Error, related_information=[
    types.DiagnosticRelatedInformation(types.Location('file:///k.cl', place), 'here')])
params = types.PublishDiagnosticsParams('file:///k.cl', [found], 1)
print(json.dumps([converter.unstructure(opened), converter.unstructure(params)]))
assert place == types.Range(types.Position(0, 1), types.Position(2, 3)) != types.Range(place.start, place.start)
"""
    converter = converters.get_converter()
    opened = converter.structure(json.loads(OPENED), types.DidOpenTextDocumentNotification)
    place = types.Range(types.Position(0, 1), types.Position(2, 3))
    found = types.Diagnostic(
        place,
        "wrong",
        severity=types.DiagnosticSeverity.Error,
        related_information=[
            types.DiagnosticRelatedInformation(types.Location("file:///k.cl", place), "here")
        ],
    )
    params = types.PublishDiagnosticsParams("file:///k.cl", [found], 1)
    expected = [converter.unstructure(opened), converter.unstructure(params)]
    assert json.loads(_deferred(program)) == expected


def test_only_used_classes_are_completed() -> None:
    program = f"""
import json
from lsprotocol import converters, types
every = len(pending_classes())
converter = converters.get_converter()
converter.structure(json.loads('''{OPENED}'''), types.DidOpenTextDocumentNotification)
assert types.Hover not in pending_classes() or every - len(pending_classes()) < 30
print(every, every - len(pending_classes()))
"""
    every, completed = map(int, _deferred(program).split())
    assert every > 500
    assert 0 < completed < 30


def test_two_threads_may_use_a_class_first() -> None:
    program = """
import threading
from lsprotocol import types
start, crashed = threading.Barrier(8), []
def use() -> None:
    start.wait()
    try:
        for cls in (types.Position, types.Color, types.FormattingOptions):
            cls(1, 2) if cls is not types.Color else cls(0, 0, 0, 0)
    except Exception as error:
        crashed.append(error)
threads = [threading.Thread(target=use) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
print(crashed)
"""
    program = program.replace("types.FormattingOptions", "types.DocumentHighlightOptions").replace(
        "cls(1, 2) if cls is not types.Color else cls(0, 0, 0, 0)",
        "cls(*{types.Position: (1, 2), types.Color: (0.0, 0.0, 0.0, 0.0)}.get(cls, ()))",
    )
    assert _deferred(program) == "[]\n"


def test_the_converter_works_if_lsprotocol_resolves_all_annotations_itself() -> None:
    program = """
from lsprotocol import _hooks, converters, types
_hooks._resolved_forward_references = False
converter = converters.get_converter()
print(converter.structure({"line": 1, "character": 2}, types.Position), len(pending_classes()))
"""
    assert _deferred(program) == "1:2 0\n"
