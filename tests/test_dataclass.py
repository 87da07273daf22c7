"""openclsp's dataclasses behave like the standard library's in the features that the package uses."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any, ClassVar, Generic, TypeVar

import pytest
from openclsp.dataclass import dataclass

T = TypeVar("T")


def point(decorate: Callable[..., Any]) -> Any:
    @decorate(frozen=True, slots=True)
    class Point:
        """A place."""

        AXES: ClassVar[int] = 2
        x: int
        y: int = 0
        name: str = field(default="", compare=False)
        seen: list[int] = field(default_factory=list, repr=False, compare=False)

        def moved(self, by: int) -> Point:
            return dataclasses.replace(self, x=self.x + by)

    return Point


def counter(decorate: Callable[..., Any]) -> Any:
    @decorate(slots=True)
    class Counter(Generic[T]):
        start: T
        total: int = field(init=False, default=0)
        log: dict[str, int] = field(init=False, default_factory=dict)

        def __post_init__(self) -> None:
            self.total += 1

    return Counter


BOTH = pytest.mark.parametrize("decorate", [dataclass, dataclasses.dataclass], ids=["ours", "theirs"])


@BOTH
def test_a_frozen_one_is_a_value(decorate: Callable[..., Any]) -> None:
    cls = point(decorate)
    one = cls(1, 2, name="a")
    assert one == cls(x=1, y=2) != cls(1)
    assert hash(one) == hash(cls(1, 2))
    assert one != (1, 2)
    assert {one: "found"}[cls(1, 2, "b")] == "found"
    assert repr(one).endswith("Point(x=1, y=2, name='a')")
    assert one.moved(3) == cls(4, 2)
    assert one.moved(3).name == "a"
    assert one.seen == [] and one.seen is not cls(1, 2).seen
    assert cls.AXES == 2 and not hasattr(one, "__dict__")
    assert [each.name for each in dataclasses.fields(one)] == ["x", "y", "name", "seen"]
    assert dataclasses.is_dataclass(cls) and dataclasses.asdict(one)["y"] == 2
    assert copy.copy(one) == copy.deepcopy(one) == one
    assert cls.__doc__ == "A place."
    match one:
        case cls(x, 2):
            assert x == 1
        case _:
            pytest.fail("does not match")


@BOTH
def test_a_mutable_one_compares_but_has_no_hash(decorate: Callable[..., Any]) -> None:
    cls = counter(decorate)
    one = cls[int](5)
    assert one.total == 1
    one.total = 7
    assert one != cls(5)
    assert cls(5) == cls(5)
    assert repr(one).endswith("Counter(start=5, total=7, log={})")
    with pytest.raises(TypeError):
        hash(one)
    with pytest.raises(AttributeError):
        one.unknown = 1


@BOTH
def test_wrong_arguments_are_named(decorate: Callable[..., Any]) -> None:
    cls = point(decorate)
    for _ in range(2):
        with pytest.raises(TypeError, match=r"__init__\(\) missing 1 required positional argument: 'x'"):
            cls()
        with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
            cls(1, z=2)
    with pytest.raises(TypeError, match="total"):
        counter(decorate)(1, total=3)


@BOTH
def test_one_without_equality_is_told_by_itself(decorate: Callable[..., Any]) -> None:
    @decorate(frozen=True, slots=True, eq=False)
    class Name:
        text: str

    assert Name("a") != Name("a")
    assert len({Name("a"), Name("a")}) == 2


@BOTH
def test_an_ordered_one_sorts_by_its_fields(decorate: Callable[..., Any]) -> None:
    @decorate(frozen=True, slots=True, order=True)
    class Version:
        major: int
        minor: int = 0

    assert sorted([Version(2), Version(1, 5), Version(1)]) == [Version(1), Version(1, 5), Version(2)]
    assert Version(1) <= Version(1) < Version(1, 1) and Version(2) >= Version(1, 9)
    with pytest.raises(TypeError):
        _ = Version(1) < 3


@BOTH
def test_what_the_class_defines_stays(decorate: Callable[..., Any]) -> None:
    @decorate(frozen=True, slots=True)
    class Own:
        x: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own) and abs(self.x - other.x) < 2

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    assert Own(1) == Own(2) != Own(4)
    assert hash(Own(1)) == 7 and repr(Own(1)) == "own"


@BOTH
def test_fields_of_a_base_come_first(decorate: Callable[..., Any]) -> None:
    @decorate(frozen=True, slots=True)
    class Base:
        x: int

    @decorate(frozen=True, slots=True)
    class Derived(Base):
        y: int

    assert repr(Derived(1, 2)).endswith("Derived(x=1, y=2)")
    assert Derived(1, 2) == Derived(1, 2) != Base(1)


@BOTH
def test_one_that_contains_itself_can_be_shown(decorate: Callable[..., Any]) -> None:
    @decorate(slots=True)
    class Node:
        next: Any = None

    node = Node()
    node.next = node
    assert repr(node).endswith("Node(next=...)")


@BOTH
def test_a_shared_default_is_refused(decorate: Callable[..., Any]) -> None:
    with pytest.raises(ValueError):

        @decorate(slots=True)
        class Wrong:
            x: list[int] = []  # noqa: RUF012


@dataclass(frozen=True, slots=True)
class Kept:
    """A value class at module level, where pickle finds it."""

    x: int
    y: tuple[int, ...] = ()


def test_it_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, (2,)))) == Kept(1, (2,))


def test_every_dataclass_has_slots() -> None:
    with pytest.raises(ValueError):
        dataclass(slots=False)
