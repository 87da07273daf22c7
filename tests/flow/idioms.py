"""Kernels that ask a pointer for its address space, composed of a subject, a test and a form of control.

The *subject* is the pointer: a parameter, a `const` copy, a variable whose address is taken, a member or an element. The
*test* is `to_local(p)` itself or its result in a variable. The *form* is how the program branches on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from . import program as p
from .shape import Shape

_PAIR = p.Record("S0")
_PAIR_TYPE = p.RecordType("S0", False, (("a", p.POINTER), ("b", p.POINTER)))
_TO_POINTER, _TO_PAIR = p.Pointer(p.GENERIC, p.POINTER), p.Pointer(p.GENERIC, _PAIR)
_EVERY = p.NAMED


@dataclass(frozen=True, slots=True)
class _Asked:
    """A pointer that holds every space, and a question for one of them.

    `setup` makes the pointer of the helper's parameter; `places` are the pointer and its copies, which are narrowed
    alike.
    """

    shape: Shape
    setup: Sequence[p.Statement]
    places: Sequence[p.Place]
    space: str
    kept: p.Variable | None

    @property
    def rest(self) -> list[str]:
        return [each for each in _EVERY if each != self.space]

    def test(self, *held: str, negated: bool = False) -> p.Condition:
        """Whether the pointer, which holds these spaces here, has the space that is asked for."""
        if self.kept is None:
            return self.shape.asked(self.space, self.places[0], *(held or _EVERY), negated=negated)
        if self.kept.type == p.POINTER:
            found = {*(held or _EVERY)}
            spaces = [*found & {self.space}, *([p.NULL] if found - {self.space} else [])]
            return p.NotNull(self.shape.load(self.kept, *spaces), negated)
        return p.NotNull(p.Load(self.kept), negated)

    def use(self, *spaces: str) -> tuple[p.Statement, ...]:
        """Uses of the pointer and of its copies, which hold these spaces."""
        return tuple(self.shape.use(each, *spaces) for each in self.places)


def _parameter(s: Shape, given: p.Variable) -> tuple[list[p.Statement], list[p.Place]]:
    return [], [given]


def _constant_copy(s: Shape, given: p.Variable) -> tuple[list[p.Statement], list[p.Place]]:
    copy = s.variable()
    places: list[p.Place] = [given, copy]
    s.chance.shuffle(places)
    return [p.Declare(copy, s.load(given, *_EVERY), constant=True)], places


def _addressed(s: Shape, given: p.Variable) -> tuple[list[p.Statement], list[p.Place]]:
    kept, at = s.variable(), s.variable(_TO_POINTER)
    setup: list[p.Statement] = [
        p.Declare(kept, s.load(given, *_EVERY)),
        p.Declare(at, p.AddressOf(kept, "private")),
        s.use(p.Dereference(s.load(at, "private"), p.POINTER), *_EVERY),
    ]
    return setup, [kept]


def _member(s: Shape, given: p.Variable) -> tuple[list[p.Statement], list[p.Place]]:
    s.records = [_PAIR_TYPE]
    kept, name = s.variable(_PAIR), s.chance.choice("ab")
    values = ((name, s.load(given, *_EVERY)),)
    setup: list[p.Statement] = [p.Declare(kept, p.Compound(_PAIR, values))]
    if s.chance.random() < 0.5:
        setup.append(p.Declare(s.variable(_TO_PAIR), p.AddressOf(kept, "private")))
    return setup, [p.Member(kept, name, p.POINTER)]


def _element(s: Shape, given: p.Variable) -> tuple[list[p.Statement], list[p.Place]]:
    kept, number = s.variable(p.Array(p.POINTER, 4)), s.chance.randrange(4)
    return [
        p.Declare(kept, None),
        p.Assign(p.Element(kept, p.POINTER, number), s.load(given, *_EVERY)),
    ], [p.Element(kept, p.POINTER, number)]


def _pointed_to(s: Shape, given: p.Variable) -> tuple[list[p.Statement], list[p.Place]]:
    """A member through a pointer to the struct."""
    s.records = [_PAIR_TYPE]
    kept, at = s.variable(_PAIR), s.variable(_TO_PAIR)
    setup: list[p.Statement] = [
        p.Declare(kept, p.Compound(_PAIR, (("a", s.load(given, *_EVERY)), ("b", s.load(given, *_EVERY))))),
        p.Declare(at, p.AddressOf(kept, "private")),
    ]
    return setup, [p.Member(p.Dereference(p.Load(at), _PAIR), "a", p.POINTER)]


_SUBJECTS = (_parameter, _constant_copy, _addressed, _member, _element, _pointed_to)


def _asked(s: Shape, given: p.Variable) -> _Asked:
    setup, places = s.chance.choice(_SUBJECTS)(s, given)
    space = s.space()
    way = s.chance.choice(("itself", "named", "constant", "generic"))
    if way == "itself":
        return _Asked(s, setup, places, space, None)
    kept = s.variable(p.POINTER if way == "generic" else p.Pointer(space, p.INT))
    declared = p.Declare(kept, p.ToSpace(space, s.load(places[0], *_EVERY)), constant=way == "constant")
    return _Asked(s, [*setup, declared], places, space, kept)


# --- forms of control: the statements after the setup


def _branch(asked: _Asked) -> list[p.Statement]:
    negated = asked.shape.chance.random() < 0.5
    there, elsewhere = asked.use(asked.space), asked.use(*asked.rest)
    ways = (elsewhere, there) if negated else (there, elsewhere)
    return [p.If(asked.test(negated=negated), *ways), *asked.use(*_EVERY)]


def _early_exit(asked: _Asked) -> list[p.Statement]:
    if asked.shape.chance.random() < 0.5:
        leave = p.If(asked.test(negated=True), (*asked.use(*asked.rest), p.Return(None)))
        return [leave, *asked.use(asked.space)]
    return [p.If(asked.test(), (p.Return(None),)), *asked.use(*asked.rest)]


def _both(asked: _Asked) -> list[p.Statement]:
    """`if (test && other)`, in either order, and with a use of the pointer in the condition."""
    s = asked.shape
    match s.chance.randrange(3):
        case 0:
            condition: p.Condition = p.Both(asked.test(), s.opaque(), False)
        case 1:
            condition = p.Both(s.opaque(), asked.test(), False)
        case _:
            narrowed = s.load(asked.places[-1], asked.space)
            condition = p.Both(asked.test(), p.NotNull(narrowed, False), False)
            return [p.If(condition, asked.use(asked.space), asked.use(*asked.rest)), *asked.use(*_EVERY)]
    return [p.If(condition, asked.use(asked.space), asked.use(*_EVERY))]


def _either(asked: _Asked) -> list[p.Statement]:
    """`if (!test || other) return;`."""
    s = asked.shape
    tests = [asked.test(negated=True), s.opaque()]
    s.chance.shuffle(tests)
    leave = p.Both(tests[0], tests[1], True)
    if s.chance.random() < 0.5:
        return [p.If(leave, (*asked.use(*_EVERY), p.Return(None))), *asked.use(asked.space)]
    return [p.If(leave, asked.use(*_EVERY), asked.use(asked.space))]


def _conditional(asked: _Asked) -> list[p.Statement]:
    """`test ? p : other`."""
    s = asked.shape
    other, own = s.chance.choice(["global", "private"]), p.Variable("own", p.INT)
    away, got, place = s.variable(), s.variable(), asked.places[-1]
    source = s.globals[0].variable if other == "global" else own
    chosen = p.Choice(asked.test(), s.load(place, asked.space), s.load(away, other))
    rest = p.Choice(asked.test(negated=True), s.load(place, *asked.rest), s.load(away, other))
    return [
        p.Declare(own, None),
        p.Declare(away, p.AddressOf(source, other)),
        p.Declare(got, chosen),
        s.use(got, asked.space, other),
        p.Assign(got, rest),
        s.use(got, *asked.rest, other),
    ]


def _loop(asked: _Asked) -> list[p.Statement]:
    """`while (test && other)`, and loops that are left or continued by a test."""
    s = asked.shape
    kind = s.chance.choice(["for", "while"])
    match s.chance.randrange(3):
        case 0:
            condition = p.Both(asked.test(), s.opaque(), False)
            return [p.Loop(kind, condition, asked.use(asked.space)), *asked.use(*_EVERY)]
        case 1:
            body = (p.Jump("break", asked.test(negated=True)), *asked.use(asked.space))
        case _:
            body = (p.Jump("continue", asked.test()), *asked.use(*asked.rest))
    return [p.Loop(kind, s.opaque(), body), *asked.use(*_EVERY)]


def _in_turn(asked: _Asked) -> list[p.Statement]:
    """`if (to_local(p)) … else if (to_global(p)) … else …`."""
    s = asked.shape
    second = s.chance.choice(asked.rest)
    (third,) = {*asked.rest} - {second}
    inner = p.If(s.asked(second, asked.places[0], *asked.rest), asked.use(second), asked.use(third))
    return [p.If(asked.test(), asked.use(asked.space), (inner,)), *asked.use(*_EVERY)]


def _correlated(asked: _Asked) -> list[p.Statement]:
    """Two branches on the same test, between which it cannot change."""
    s = asked.shape
    kept, own = s.variable(), p.Variable("own", p.INT)
    first: tuple[p.Statement, ...] = (p.Assign(kept, p.AddressOf(s.globals[0].variable, "global")),)
    second: tuple[p.Statement, ...] = (p.Assign(kept, p.AddressOf(own, "private")),)
    return [
        p.Declare(own, None),
        p.Declare(kept, None),
        p.If(asked.test(), first, second),
        s.use(kept, "global", "private"),
        p.If(
            asked.test(),
            (s.use(kept, "global"), *asked.use(asked.space)),
            (s.use(kept, "private"), *asked.use(*asked.rest)),
        ),
    ]


def _overwritten(asked: _Asked) -> list[p.Statement]:
    """After a test, the pointer gets another value: itself, or where it lies."""
    s = asked.shape
    place, new = asked.places[0], p.AddressOf(s.globals[0].variable, "global")
    changed: list[p.Statement] = [p.Assign(place, new)]
    pointer = next(
        (each for each in asked.setup if isinstance(each, p.Declare) and isinstance(each.value, p.AddressOf)),
        None,
    )
    if pointer is not None and pointer.variable.type != p.POINTER and s.chance.random() < 0.7:
        # the variable or struct is changed through its address, or what is read through it is changed itself
        assert isinstance(pointer.value, p.AddressOf)
        kept = pointer.value.place
        assert isinstance(kept, p.Variable)
        through = p.Dereference(p.Load(pointer.variable), kept.type)
        if isinstance(place, p.Member):
            own: p.Place = kept if isinstance(place.base, p.Dereference) else through
            changed = [p.Assign(p.Member(own, place.name, p.POINTER), new)]
        elif s.chance.random() < 0.5:
            changed = [p.Assign(through, new)]
        else:
            given = p.Variable("q", _TO_POINTER)
            put = s.helper([p.Assign(p.Dereference(p.Load(given), p.POINTER), new)], given)
            changed = [p.Evaluate("{};", p.Call(put, (p.Load(pointer.variable),)))]
    if s.chance.random() < 0.4:
        loop = p.Loop("while", s.opaque(), (s.use(place, *_EVERY), *changed))
        return [p.If(asked.test(), (loop, s.use(place, *_EVERY))), s.use(place, *_EVERY)]
    return [p.If(asked.test(), (*changed, s.use(place, *_EVERY))), s.use(place, *_EVERY)]


_CONTROL: dict[str, Callable[[_Asked], list[p.Statement]]] = {
    each.__name__.strip("_"): each
    for each in (
        _branch,
        _early_exit,
        _both,
        _either,
        _conditional,
        _loop,
        _in_turn,
        _correlated,
        _overwritten,
    )
}


def _idiom(s: Shape, form: Callable[[_Asked], list[p.Statement]]) -> None:
    given = p.Variable("p", p.POINTER)
    asked = _asked(s, given)
    name = s.helper([*asked.setup, *form(asked)], given)
    s.kernel(*(p.Evaluate("{};", p.Call(name, (s.source(start),))) for start in _EVERY))


def idiom(name: str) -> Callable[[Shape], None]:
    """Returns the shape of that form of control, with a random subject and test."""
    return lambda s: _idiom(s, _CONTROL[name])


IDIOMS = {f"asked_{name}": idiom(name) for name in _CONTROL}
