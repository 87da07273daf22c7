"""The rewritten sources that are compiled behave like the originals."""

from __future__ import annotations

import ast
import dataclasses
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


def _building(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "server" / "building" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # the standard library's dataclasses look for their module there
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


rewritten = _building("rewriting").rewritten

SOURCE = '''
from __future__ import annotations
from dataclasses import field
from typing import ClassVar, NamedTuple
from openclsp.dataclass import dataclass

LIMIT = 3
FIRST, SECOND = 1, "two"
_seen: dict[str, int] = {}


class Pair(NamedTuple):
    """Two."""

    a: object
    b: int = 0


@dataclass(frozen=True, slots=True)
class Point:
    """A place."""

    AXES: ClassVar[int] = 2
    x: int
    y: int = LIMIT
    name: str = field(default="", compare=False)
    seen: list[int] = field(default_factory=list, compare=False)

    @property
    def total(self) -> int:
        return self.x + self.y


@dataclass(frozen=True, slots=True, order=True)
class Version:
    major: int
    minor: int = 0
    suffix: tuple[str, str] = "", ""


@dataclass(slots=True)
class Counter:
    start: int
    total: int = field(init=False, default=1)
    log: dict[str, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.total += self.start


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    name: str


def kind(value: object) -> str:
    return "number" if isinstance(value, int | float) else "else"
'''


@pytest.fixture(params=["as written", "rewritten"])
def module(request: pytest.FixtureRequest) -> Any:
    source = SOURCE.lstrip() if request.param == "as written" else rewritten(SOURCE.lstrip())
    made = ModuleType("sample")
    exec(compile(source, "sample", "exec"), vars(made))  # noqa: S102
    return made


def test_classes_behave_alike(module: Any) -> None:
    one = module.Point(1, name="a")
    assert (one.x, one.y, one.name, one.seen, one.total, one.AXES) == (1, 3, "a", [], 4, 2)
    assert one == module.Point(1, 3) != module.Point(1, 4)
    assert one != (1, 3)
    assert hash(one) == hash(module.Point(x=1, y=3)) == hash((1, 3))
    assert repr(one) == "Point(x=1, y=3, name='a', seen=[])"
    assert dataclasses.replace(one, x=5) == module.Point(5, 3)
    assert [each.name for each in dataclasses.fields(one)] == ["x", "y", "name", "seen"]
    match one:
        case module.Point(x, y):
            assert (x, y) == (1, 3)
        case _:
            raise AssertionError
    assert module.Point(1).seen is not module.Point(1).seen


def test_fields_that_are_not_arguments_are_made(module: Any) -> None:
    one = module.Counter(4)
    assert (one.total, one.log) == (5, {})
    assert one == module.Counter(4) and one.log is not module.Counter(4).log
    with pytest.raises(TypeError):
        hash(one)


def test_order_and_identity(module: Any) -> None:
    assert module.Version(1, 2) < module.Version(1, 3) <= module.Version(2) and module.Version(
        3
    ) > module.Version(2)
    one = module.Node("a")
    assert one != module.Node("a")
    assert len({one, one, module.Node("a")}) == 2


def test_everything_else_stays(module: Any) -> None:
    assert (module.LIMIT, module.FIRST, module.SECOND, module._seen) == (3, 1, "two", {})
    assert (module.kind(2), module.kind("x")) == ("number", "else")
    assert module.Pair(1).b == 0


def test_every_source_can_be_rewritten() -> None:
    for path in sorted((ROOT / "server" / "openclsp").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "from __future__ import annotations" in source:
            ast.parse(rewritten(source))


def test_every_module_to_compile_is_there() -> None:
    """Without this test, a missing compiled module would only cause a message of the build."""
    for line in (ROOT / "server" / "building" / "modules.txt").read_text(encoding="utf-8").splitlines():
        pattern = line.partition("#")[0].strip()
        assert not pattern or list((ROOT / "server" / "openclsp").glob(pattern)), pattern
