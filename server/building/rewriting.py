"""Rewrites the source of a module into an equivalent form that mypyc compiles to faster code.

- A class decorated with `openclsp.dataclass` gets explicit methods: mypyc builds native classes from visible
  source only.
- A module-level name that is bound once becomes `Final`: mypyc then keeps it in a C variable instead of a
  dictionary.
- `isinstance(x, A | B)` becomes `isinstance(x, (A, B))`, which mypyc compiles to a comparison of types.
- Annotations of named tuples become strings, because mypyc fails on some of them.

This module does not depend on mypyc, and its output is valid Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_DECORATOR = "dataclass"


@dataclass(frozen=True)
class Edit:
    """Replaces the bytes from `start` to `end` (offsets from 0, end exclusive) by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class _Field:
    name: str
    annotation: str
    default: str | None
    factory: str | None
    init: bool
    compare: bool
    repr: bool
    statement: ast.AnnAssign


def rewritten(source: str) -> str:
    """Returns the source of a module, rewritten for mypyc."""
    return _Rewriter(source).rewritten()


class _Rewriter:
    def __init__(self, source: str) -> None:
        self.data = source.encode()
        self.tree = ast.parse(source)
        self.edits: list[Edit] = []
        self.starts = [0]
        for line in self.data.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def rewritten(self) -> str:
        classes = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef):
                self._class(node)
                for decorator in node.decorator_list:
                    if isinstance(decorator, ast.Call) and _called(decorator) == _DECORATOR:
                        self._dataclass(node, decorator)
                        classes.append(node.name)
            elif isinstance(node, ast.Call) and _called(node) == "isinstance" and len(node.args) == 2:
                self._isinstance(node.args[1])
        self._finals()
        future = next(each for each in self.tree.body if isinstance(each, ast.ImportFrom))
        assert future.module == "__future__"
        end = self._end(future)
        told = "; from typing import Final as _Final_"
        if classes:
            told += "; from typing import Any as _Any_, ClassVar as _ClassVar_"
            told += "; from openclsp.dataclass import completed as _completed_"
        self.edits.append(Edit(end, end, told))
        result = self.data
        for edit in sorted(self.edits, key=lambda each: (each.start, each.end), reverse=True):
            result = result[: edit.start] + edit.text.encode() + result[edit.end :]
        return result.decode()

    def _offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column

    def _start(self, node: ast.stmt | ast.expr) -> int:
        return self._offset(node.lineno, node.col_offset)

    def _end(self, node: ast.stmt | ast.expr) -> int:
        return self._offset(node.end_lineno or 0, node.end_col_offset or 0)

    def _text(self, node: ast.expr) -> str:
        return self.data[self._start(node) : self._end(node)].decode()

    def _isinstance(self, classes: ast.expr) -> None:
        parts = list(_alternatives(classes))
        if len(parts) > 1:
            told = ", ".join(self._text(each) for each in parts)
            self.edits.append(Edit(self._start(classes), self._end(classes), f"({told})"))

    def _finals(self) -> None:
        """Annotates module-level names bound exactly once as `Final`, also in tuple assignments."""
        stored: dict[str, int] = {}
        shared: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Global):
                shared.update(node.names)
        for statement in self.tree.body:
            for each in _own(statement):
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                    stored[each.id] = stored.get(each.id, 0) + 1
        once = {name for name, count in stored.items() if count == 1 and _is_value(name)} - shared
        for statement in self.tree.body:
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target, value = statement.targets[0], statement.value
                if isinstance(target, ast.Name) and target.id in once and not _makes_type(value):
                    self.edits.append(Edit(self._end(target), self._end(target), ": _Final_"))
                elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                    self._tuple(statement, target, value, once)
            elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                annotation = statement.annotation
                told = self._text(annotation)
                if statement.value is None or statement.target.id not in once or "Final" in told:
                    continue
                self.edits.append(Edit(self._start(annotation), self._end(annotation), f"_Final_[{told}]"))

    def _tuple(self, statement: ast.Assign, target: ast.Tuple, value: ast.Tuple, once: set[str]) -> None:
        """Splits `a, b = x, y` into single assignments, unless a value reads one of the bound names."""
        names = [each.id for each in target.elts if isinstance(each, ast.Name)]
        if len(names) != len(value.elts) or not once.issuperset(names):
            return
        if any(isinstance(each, ast.Starred) for each in value.elts):
            return
        if any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(value)):
            return
        parts = [
            f"{name}: _Final_ = {self._text(each)}" for name, each in zip(names, value.elts, strict=True)
        ]
        self.edits.append(Edit(self._start(statement), self._end(statement), "; ".join(parts)))

    def _class(self, node: ast.ClassDef) -> None:
        """Rewrites a class for mypyc: fields of named tuples, constants, and attributes that are deleted."""
        if any(isinstance(each, ast.Name) and each.id == "NamedTuple" for each in node.bases):
            for each in node.body:
                if isinstance(each, ast.AnnAssign) and not isinstance(each.annotation, ast.Constant):
                    a = each.annotation
                    self.edits.append(Edit(self._start(a), self._end(a), repr(self._text(a))))
        if not node.bases:
            for each in node.body:
                if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant):
                    end = self._end(each.targets[0])
                    self.edits.append(Edit(end, end, ": _Final_"))
        deleted = sorted(
            target.attr
            for each in ast.walk(node)
            if isinstance(each, ast.Delete)
            for target in each.targets
            if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self"
        )
        if deleted:
            at = self._start(node.body[0])
            self.edits.append(Edit(at, at, f"__deletable__ = {deleted!r}; "))

    def _dataclass(self, node: ast.ClassDef, decorator: ast.Call) -> None:
        """Appends the methods that `openclsp.dataclass` would generate, after the class's own methods."""
        options = {each.arg: ast.literal_eval(each.value) for each in decorator.keywords}
        fields = [
            self._field(each)
            for each in node.body
            if isinstance(each, ast.AnnAssign) and not self._text(each.annotation).startswith("ClassVar")
        ]
        methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
        at = self._start(decorator) - 1
        # The edits remove the decorator and the defaults: the generated `__init__` sets the defaults, and
        # `completed` adds the metadata of the fields.
        self.edits.append(Edit(at, self._end(decorator), ""))
        for each in fields:
            statement = each.statement
            self.edits.append(Edit(self._end(statement.annotation), self._end(statement), ""))
        indent = " " * (node.body[0].col_offset)
        lines = [""]
        lines.append("__dataclass_fields__: _ClassVar_[dict[str, _Any_]]")
        lines += self._init(fields, "__post_init__" in methods)
        compared = [each for each in fields if each.compare]
        if options.get("eq", True) and "__eq__" not in methods:
            lines += _equality(node.name, compared)
            if options.get("frozen") and "__hash__" not in methods:
                lines += _hash(compared)
        if options.get("order"):
            lines += _order(node.name, compared)
        end = self._end(node)
        told = "".join(f"\n{indent}{line}" for line in lines)
        outer = " " * node.col_offset
        # One string, because mypyc writes a page of C for a list of tuples.
        specs = "\n".join(f"{f.name} {f.init:d}{f.compare:d}{f.repr:d} {f.annotation}" for f in fields)
        told += f"\n\n{outer}_completed_({node.name}, {specs!r})\n"
        self.edits.append(Edit(end, end, told))

    def _field(self, statement: ast.AnnAssign) -> _Field:
        assert isinstance(statement.target, ast.Name)
        default = factory = None
        init = compare = shown = True
        value = statement.value
        if isinstance(value, ast.Call) and _called(value) == "field":
            for each in value.keywords:
                if each.arg == "default":
                    default = self._text(each.value)
                elif each.arg == "default_factory":
                    factory = self._text(each.value)
                elif each.arg == "init":
                    init = ast.literal_eval(each.value)
                elif each.arg == "compare":
                    compare = ast.literal_eval(each.value)
                elif each.arg == "repr":
                    shown = ast.literal_eval(each.value)
                else:
                    raise ValueError(f"field({each.arg}=) is not known here")
        elif value is not None:
            # A tuple needs brackets where it becomes the default of a parameter.
            default = f"({self._text(value)})" if isinstance(value, ast.Tuple) else self._text(value)
        return _Field(
            statement.target.id,
            self._text(statement.annotation),
            default,
            factory,
            init,
            compare,
            shown,
            statement,
        )

    def _init(self, fields: list[_Field], post: bool) -> list[str]:
        parameters, body = ["self"], []
        for each in fields:
            value = each.name
            if each.factory is not None:
                made = {"list": "[]", "dict": "{}"}.get(each.factory, f"({each.factory})()")
                value = made
                if each.init:
                    parameters.append(f"{each.name}: {each.annotation} | None = None")
                    value = f"{made} if {each.name} is None else {each.name}"
            elif each.init:
                default = "" if each.default is None else f" = {each.default}"
                parameters.append(f"{each.name}: {each.annotation}{default}")
            elif each.default is not None:
                value = each.default
            else:
                continue
            body.append(f"    self.{each.name} = {value}")
        if post:
            body.append("    self.__post_init__()")
        return [f"def __init__({', '.join(parameters)}) -> None:", *(body or ["    pass"])]


def _equality(name: str, fields: list[_Field]) -> list[str]:
    same = " and ".join(f"self.{each.name} == other.{each.name}" for each in fields) or "True"
    return [
        "def __eq__(self, other: object) -> bool:",
        "    if self is other:",
        "        return True",
        f"    return isinstance(other, {name}) and {same}",
    ]


def _hash(fields: list[_Field]) -> list[str]:
    key = (
        f"self.{fields[0].name}"
        if len(fields) == 1
        else "(" + ", ".join(f"self.{f.name}" for f in fields) + ")"
    )
    return ["def __hash__(self) -> int:", f"    return hash({key})"]


def _order(name: str, fields: list[_Field]) -> list[str]:
    lines = []
    mine = "(" + "".join(f"self.{f.name}, " for f in fields) + ")"
    theirs = mine.replace("self.", "other.")
    for method, sign in (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")):
        lines += [f"def {method}(self, other: {name}) -> bool:", f"    return {mine} {sign} {theirs}"]
    return lines


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _alternatives(node: ast.expr) -> Iterator[ast.expr]:
    """Yields the operands of `A | B | C`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _alternatives(node.left)
        yield from _alternatives(node.right)
    else:
        yield node


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yields the AST nodes of a statement, without the bodies of functions, classes and comprehensions."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(
            node,
            ast.FunctionDef
            | ast.ClassDef
            | ast.Lambda
            | ast.ListComp
            | ast.SetComp
            | ast.DictComp
            | ast.GeneratorExp,
        ):
            todo.extend(ast.iter_child_nodes(node))


def _is_value(name: str) -> bool:
    """Whether the name is that of a value: types are written in CamelCase."""
    return not name.startswith("__") and (name.isupper() or name.islower())


def _makes_type(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and _called(value) in ("TypeVar", "NewType", "ParamSpec")
