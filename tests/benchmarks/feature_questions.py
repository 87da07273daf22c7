"""The questions of the table of features: a request at a place in a file, and what its answer must have."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from .client import Server

_HEADER = "float scaled(float value);\n"
_KERNEL = """\
#ifndef SCALE_CL
#define SCALE_CL
#include "scale.h"
#define TWICE(x) ((x) * FACTOR)
#define FACTOR 2

/**
 * Adds a number some times.
 * \\param value the first number
 * \\param times how often
 */
float add_up(float value, int times) { return value + times; }

struct Pair { char first; float3 second; };
typedef struct { int low, high; } Range;

kernel void scale(global float *values, local float *row, constant struct Pair *pairs, int count) {
    size_t i = get_global_id(0);
    float **levels = 0;
    float *cursor = values + i;
    cursor[0] = 1.0f;
    float4 v = (float4)(1.0f);
    Range range = {0, 0x1F};
    values[i] = add_up(v.x, TWICE(3)) + pairs[0].first; // a comment
    row[0] = clamp(v.y, 0.0f, 1.0f) + sizeof(struct Pair) + range.low;
    int never;
    row[1] = conut;
    for (int n = 0; n < count; ++n) {
        values[n] += convert_float(n);
    }
    printf("text in quotes");
}
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void fixed(global int *p) { p[0] = 1; }
#endif
"""
_OPTIONS = "-xcl\n-cl-std=CL2.0\n"
_DOCUMENT = "textDocument"
_CAPABILITIES: dict[str, Any] = {
    "publishDiagnostics": {
        "versionSupport": True,
        "relatedInformation": True,
        "codeDescriptionSupport": True,
        "tagSupport": {"valueSet": [1, 2]},
    },
    "codeAction": {
        "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "refactor"]}},
        "dataSupport": True,
        "resolveSupport": {"properties": ["edit"]},
    },
    "inlayHint": {},
    "linkedEditingRange": {},
    "signatureHelp": {"signatureInformation": {"documentationFormat": ["markdown"]}},
}


@dataclass(frozen=True, slots=True)
class Question:
    """A row: the request `method` at the text `at`, in which `|` marks the position.

    `typed` replaces the line of `at` first. `judge` makes the cell from the result.
    """

    title: str
    method: str
    judge: Callable[[Any], str]
    at: str = ""
    typed: str = ""
    more: dict[str, Any] = field(default_factory=dict)


class FeatureClient:
    """A server with the file open; a context manager that ends it."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        folder = folder.resolve()
        (folder / "scale.h").write_text(_HEADER)
        (folder / "compile_flags.txt").write_text(_OPTIONS)
        (folder / ".clang-format").write_text("BasedOnStyle: LLVM\n")
        self.file = folder / "scale.cl"
        self.file.write_text(_KERNEL)
        self.uri = self.file.as_uri()
        self.version = 1
        self.server = Server(command, folder)

    def __enter__(self) -> Self:
        self.server.initialize({}, pull=False, further=_CAPABILITIES)
        document = {"uri": self.uri, "languageId": "opencl", "version": 1, "text": _KERNEL}
        self.server.notify("textDocument/didOpen", textDocument=document)
        self.diagnostics = self.server.diagnostics(self.uri, 1)[1]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.stop()

    def cell(self, question: Question) -> str:
        """Returns the cell of a row: `no` where the server does not know the request."""
        if question.method == "diagnostics":
            return question.judge(self.diagnostics)
        text = _KERNEL
        marked = question.typed or question.at
        if question.typed:
            text += question.typed.replace("|", "")
            self._change(text)
        try:
            return question.judge(self._result(question, text, marked))
        except RuntimeError:
            return "no"
        finally:
            if question.typed:
                self._change(_KERNEL)

    def _change(self, text: str) -> None:
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        self.server.notify("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])

    def _result(self, question: Question, text: str, marked: str) -> Any:
        before, _, after = marked.partition("|")
        selected = after.partition("|")[0]
        after = after.replace("|", "")
        start = text.rindex(before + after) if question.typed else text.index(before + after)
        rows = text[: start + len(before)].split("\n")
        position = {"line": len(rows) - 1, "character": len(rows[-1])}
        parameters: dict[str, Any] = {_DOCUMENT: {"uri": self.uri}, **question.more}
        if marked:
            parameters["position"] = position
            parameters["positions"] = [position]
        if question.method == "textDocument/codeAction":
            end = {**position, "character": position["character"] + len(selected)}
            parameters["range"] = {"start": position, "end": end}
        if question.method == "workspace/executeCommand":
            parameters["arguments"] = [{"uri": self.uri, "position": position}]
        if question.method.endswith("Calls"):
            found = self.server.request("textDocument/prepareCallHierarchy", **parameters).body["result"]
            parameters = {"item": found[0]}
        return self.server.request(question.method, **parameters).body["result"]


def _has(*words: str) -> Callable[[Any], str]:
    """`yes` if the answer has all these words."""

    def judge(result: Any) -> str:
        written = json.dumps(result)
        return "yes" if all(json.dumps(word)[1:-1] in written for word in words) else "no"

    return judge


def _some(result: Any) -> str:
    return "yes" if result else "no"


def _silent(result: Any) -> str:
    return "nothing" if not result or not result.get("contents") else "an answer"


def _number(what: str) -> Callable[[Any], str]:
    def judge(result: Any) -> str:
        return f"{len(result)} {what}" if result else "no"

    return judge


def _items(result: Any) -> list[dict[str, Any]]:
    found = result["items"] if isinstance(result, dict) else result or []
    return sorted(found, key=lambda item: item.get("sortText") or item["label"])


def _first(label: str) -> Callable[[Any], str]:
    """`yes` if the item that sorts first has this label."""

    def judge(result: Any) -> str:
        found = _items(result)
        return "yes" if found and found[0]["label"].strip() == label else "no"

    return judge


def _offers(*words: str) -> Callable[[Any], str]:
    def judge(result: Any) -> str:
        labels = [item["label"].strip().lstrip("•").strip() for item in _items(result)]
        return "yes" if all(any(label.startswith(word) for label in labels) for word in words) else "no"

    return judge


def _snippets(result: Any) -> str:
    found = [
        item for item in _items(result) if item.get("insertTextFormat") == 2 and "${" in json.dumps(item)
    ]
    return "yes" if any("for" in item["label"] for item in found) else "no"


def _signatures(result: Any) -> str:
    return f"{len(result['signatures'])} overloads" if result and result["signatures"] else "no"


_HOVER, _COMPLETION, _HELP = ("textDocument/" + name for name in ("hover", "completion", "signatureHelp"))
_INVOKED = {"context": {"triggerKind": 1}}
_WHOLE = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 32, "character": 0}}}
_RANGE = {"range": {"start": {"line": 15, "character": 0}, "end": {"line": 17, "character": 0}}}
_INDENTED = {"options": {"tabSize": 4, "insertSpaces": True}}
_NO_DIAGNOSTICS = {"context": {"diagnostics": []}}

QUESTIONS: tuple[Question, ...] = (
    Question(
        "completion of `ker`: `kernel` comes first",
        _COMPLETION,
        _first("kernel"),
        typed="\nker|",
        more=_INVOKED,
    ),
    Question(
        "completion of `get_gl` in a kernel",
        _COMPLETION,
        _offers("get_global_id"),
        typed="\nvoid f() { get_gl|",
        more=_INVOKED,
    ),
    Question(
        "completion of the members of a struct",
        _COMPLETION,
        _offers("first", "second"),
        typed="\nvoid f(struct Pair p) { p.|",
        more=_INVOKED,
    ),
    Question(
        "completion of the components of a vector",
        _COMPLETION,
        _offers("x", "xy"),
        typed="\nvoid f(float4 p) { p.|",
        more=_INVOKED,
    ),
    Question(
        "completion of include paths",
        _COMPLETION,
        _offers("scale.h"),
        typed='\n#include "sc|"',
        more=_INVOKED,
    ),
    Question(
        "completion of extension names in a pragma",
        _COMPLETION,
        _offers("cl_khr_fp64"),
        typed="\n#pragma OPENCL EXTENSION cl_|",
        more=_INVOKED,
    ),
    Question(
        "completion of attributes",
        _COMPLETION,
        _offers("reqd_work_group_size"),
        typed="\n__attribute__((reqd|)) kernel void z() {}",
        more=_INVOKED,
    ),
    Question("a snippet for a loop", _COMPLETION, _snippets, typed="\nvoid f(int n) { fo|", more=_INVOKED),
    Question(
        "signature help: own function with the documentation of a parameter",
        _HELP,
        _has("how often"),
        at="add_up(v.x, |TWICE",
    ),
    Question("signature help: `clamp`", _HELP, _signatures, at="clamp(v.y, |0.0f"),
    Question("hover: `float **` with the space of each level", _HOVER, _has("private"), at="**lev|els"),
    Question(
        "hover: own function with its documentation",
        _HOVER,
        _has("float value", "int times", "Adds a number"),
        at="= add|_up",
    ),
    Question("hover: built-in function with its description", _HOVER, _has("clamp", "minval"), at="= cla|mp"),
    Question("hover: expansion of `TWICE(3)`", _HOVER, _has("((3) * 2)"), at=", TWI|CE"),
    Question("hover: anonymous struct behind a typedef", _HOVER, _has("low", "high"), at="    Ran|ge range"),
    Question("hover: value of `0x1F` in decimal", _HOVER, _has("31"), at="0x1|F"),
    Question("hover: value of `sizeof(struct Pair)`", _HOVER, _has("32"), at="size|of("),
    Question("hover: size and offset of a member", _HOVER, _has("16", "ffset"), at="float3 sec|ond"),
    Question("hover: size of a struct", _HOVER, _has("32"), at="struct Pa|ir {"),
    Question("hover: meaning of an attribute", _HOVER, _has("work-group"), at="reqd_wo|rk"),
    Question("hover: an included file", _HOVER, _has("scale.h"), at='"sca|le.h'),
    Question("hover: in a comment", _HOVER, _silent, at="a com|ment"),
    Question("hover: in a string", _HOVER, _silent, at="text in qu|otes"),
    Question("definition", "textDocument/definition", _some, at="= add|_up"),
    Question("definition of an include", "textDocument/definition", _has("scale.h"), at='"sca|le.h'),
    Question("declaration", "textDocument/declaration", _some, at="= add|_up"),
    Question(
        "type definition",
        "textDocument/typeDefinition",
        _some,
        at="range.l|ow".replace("range.l|ow", "ran|ge.low"),
    ),
    Question("implementation", "textDocument/implementation", _some, at="= add|_up"),
    Question(
        "references",
        "textDocument/references",
        _number("places"),
        at="= add|_up",
        more={"context": {"includeDeclaration": True}},
    ),
    Question("highlights", "textDocument/documentHighlight", _number("places"), at="values|[i]"),
    Question("rename", "textDocument/rename", _has("newText"), at="values|[i]", more={"newName": "output"}),
    Question("incoming calls", "callHierarchy/incomingCalls", _has("scale"), at="float add|_up("),
    Question("outgoing calls", "callHierarchy/outgoingCalls", _has("add_up"), at="void sca|le("),
    Question("links of includes", "textDocument/documentLink", _some),
    Question("outline", "textDocument/documentSymbol", _has("add_up", "Pair", "scale")),
    Question("symbols of the project", "workspace/symbol", _some, more={"query": "add_up"}),
    Question("folding", "textDocument/foldingRange", _some),
    Question("selection ranges", "textDocument/selectionRange", _some, at="values|[i]"),
    Question(
        "linked editing of an include guard", "textDocument/linkedEditingRange", _some, at="define SCALE|_CL"
    ),
    Question("colours (semantic tokens)", "textDocument/semanticTokens/full", _has("data")),
    Question("inlay hints: parameter names", "textDocument/inlayHint", _has("times"), more=_WHOLE),
    Question("inlay hints: address spaces", "textDocument/inlayHint", _has("global"), more=_WHOLE),
    Question("lenses", "textDocument/codeLens", _some),
    Question(
        "extraction of statements into a function",
        "textDocument/codeAction",
        _has("xtract"),
        at="        |values[n] += convert_float(n);|",
        more=_NO_DIAGNOSTICS,
    ),
    Question(
        "extraction of an expression into a variable",
        "textDocument/codeAction",
        _has("variable", "xtract"),
        at="= |add_up(v.x, TWICE(3))|",
        more=_NO_DIAGNOSTICS,
    ),
    Question("formatting of a document", "textDocument/formatting", _some, more=_INDENTED),
    Question("formatting of a range", "textDocument/rangeFormatting", _some, more={**_INDENTED, **_RANGE}),
    Question("error of a misspelt name", "diagnostics", _has("conut")),
    Question("the name that a misspelt one may mean", "diagnostics", _has("`count`")),
    Question("hint of an unused variable", "diagnostics", _has("never")),
    Question("link from a diagnostic to its page", "diagnostics", _has("codeDescription")),
    Question("problems of closed files", "workspace/diagnostic", _some, more={"previousResultIds": []}),
    Question("layout of a struct for 32- and 64-bit devices", "openclsp/layout", _some, at="struct Pa|ir {"),
    Question("expansion of a macro step by step", "openclsp/expand", _some, at=", TWI|CE"),
    Question("abstract syntax tree", "textDocument/ast", _some, more=_RANGE),
)
