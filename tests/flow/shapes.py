"""Programs with known answers: each shape is one way in which pointers flow, with random sizes and spaces.

If a shape goes through memory, the known answer is what inclusion allows, or less if the members determine it.
"""

from __future__ import annotations

from collections.abc import Callable

from . import program as p
from .idioms import IDIOMS
from .shape import Shape

_PAIR = p.Record("S0")
_PAIR_TYPE = p.RecordType("S0", False, (("a", p.POINTER), ("b", p.POINTER)))
_UNION_TYPE = p.RecordType("U0", True, (("p", p.POINTER), ("bits", p.CARRIER)))
_TO_POINTER = p.Pointer(p.GENERIC, p.POINTER)
_TO_PAIR = p.Pointer(p.GENERIC, _PAIR)


def _call(name: str, *arguments: p.Expression) -> p.Statement:
    return p.Evaluate("{};", p.Call(name, arguments))


def chain(s: Shape) -> None:
    """Helpers pass a pointer on, from one or two kernels."""
    starts = s.spaces(s.chance.randint(1, 3))
    given = p.Variable("p", p.POINTER)
    name = s.helper([s.use(given, *starts)], given)
    for _ in range(s.chance.randint(0, 6)):
        body = [s.use(given, *starts), _call(name, s.take(given, *starts))]
        s.chance.shuffle(body)
        name = s.helper(body, given)
    for start in starts:
        s.kernel(_call(name, s.source(start)))


def diamond(s: Shape) -> None:
    """Two paths lead to one helper that returns its argument: each caller gets its own."""
    spaces = s.spaces(s.chance.randint(2, 3))
    given = p.Variable("p", p.POINTER)
    bottom = s.helper([p.Return(s.take(given, *spaces))], given, result=p.POINTER)
    for _ in range(s.chance.randint(0, 3)):
        body = [p.Return(p.Call(bottom, (s.take(given, *spaces),)))]
        bottom = s.helper(body, given, result=p.POINTER)
    calls = []
    for space in spaces:
        got = s.variable()
        side = s.helper([p.Declare(got, p.Call(bottom, (s.take(given, space),))), s.use(got, space)], given)
        calls.append(_call(side, s.source(space)))
    s.kernel(*calls)


def selection(s: Shape) -> None:
    """A helper returns one of two arguments; each call has its own pair."""
    calls: list[p.Statement] = []
    pairs = [s.spaces(2) for _ in range(s.chance.randint(1, 3))]
    first, second = p.Variable("p", p.POINTER), p.Variable("q", p.POINTER)
    ones, others = {a for a, _ in pairs}, {b for _, b in pairs}
    choice = p.Choice(s.opaque(), s.take(first, *ones), s.take(second, *others))
    pick = s.helper([p.Return(choice)], first, second, result=p.POINTER)
    for a, b in pairs:
        got = s.variable()
        calls += [p.Declare(got, p.Call(pick, (s.source(a), s.source(b)))), s.use(got, a, b)]
    s.kernel(*calls)


def recursion(s: Shape) -> None:
    """Parameters change places at each recursive call, so that each holds all arguments of the cycle."""
    count = s.chance.randint(2, 4)
    spaces = s.spaces(count + 1)
    given = [p.Variable(f"p{number}", p.POINTER) for number in range(count + 1)]
    circle = spaces[:count]
    name = s.name_of("f")
    turned = [s.take(each, *circle) for each in (*given[1:count], given[0])]
    again = _call(name, *turned, s.take(given[count], spaces[count]))
    body = [p.If(s.opaque(), (again,)), *(s.use(each, *circle) for each in given[:count])]
    s.helper([*body, s.use(given[count], spaces[count])], *given, name=name)
    s.kernel(_call(name, *map(s.source, spaces)))


def mutual_recursion(s: Shape) -> None:
    """Two helpers call each other and return the argument of one of them."""
    start, added = s.space(), s.space()
    given, extra = p.Variable("p", p.POINTER), p.Variable("q", p.POINTER)
    even, odd = s.name_of("even"), s.name_of("odd")
    both = {start, added}
    again = p.Call(even, (s.take(extra, added), s.take(extra, added)))
    s.helper(
        [p.If(s.opaque(), (p.Return(p.Call(odd, (s.take(given, *both), s.take(extra, added)))),)),
         p.Return(s.take(given, *both))],
        given, extra, result=p.POINTER, name=even,
    )  # fmt: skip
    s.helper(
        [p.If(s.opaque(), (p.Return(again),)), p.Return(s.take(given, *both))],
        given, extra, result=p.POINTER, name=odd,
    )  # fmt: skip
    got = s.variable()
    s.kernel(p.Declare(got, p.Call(even, (s.source(start), s.source(added)))), s.use(got, *both))


def swap(s: Shape) -> None:
    """A helper swaps two pointers through pointers to them: both may hold both."""
    spaces = s.spaces(2)
    one, other, kept = p.Variable("p", _TO_POINTER), p.Variable("q", _TO_POINTER), s.variable()
    at_one = p.Dereference(s.take(one, "private"), p.POINTER)
    at_other = p.Dereference(s.take(other, "private"), p.POINTER)
    body = [
        p.Declare(kept, s.take(at_one, *spaces)),
        p.Assign(
            p.Dereference(s.take(one, "private"), p.POINTER),
            s.take(p.Dereference(s.take(other, "private"), p.POINTER), *spaces),
        ),
        p.Assign(at_other, s.take(kept, *spaces)),
    ]
    name = s.helper(body, one, other)
    a, b = s.variable(), s.variable()
    call = _call(name, p.AddressOf(a, "private"), p.AddressOf(b, "private"))
    s.kernel(
        p.Declare(a, s.source(spaces[0])),
        p.Declare(b, s.source(spaces[1])),
        call,
        s.use(a, *spaces),
        s.use(b, *spaces),
    )


def members(s: Shape) -> None:
    """A struct by value: its members are distinguished, also through copies, calls and results."""
    s.records.append(_PAIR_TYPE)
    a, b = s.spaces(2)
    given, copy = p.Variable("s", _PAIR), s.variable(_PAIR)
    body = [
        s.use(p.Member(given, "a", p.POINTER), a),
        p.Declare(copy, p.Load(given)),
        s.use(p.Member(copy, "b", p.POINTER), b),
        p.Return(p.Load(copy)),
    ]
    name = s.helper(body, given, result=_PAIR)
    first, second = s.variable(_PAIR), s.variable(_PAIR)
    parts = p.Compound(_PAIR, (("a", s.source(a)), ("b", s.source(b))))
    s.kernel(
        p.Declare(first, parts),
        p.Declare(second, p.Call(name, (p.Load(first),))),
        s.use(p.Member(second, "a", p.POINTER), a),
        s.use(p.Member(first, "b", p.POINTER), b),
    )


def members_through_pointers(s: Shape) -> None:
    """A helper sets the members of a struct through a pointer, which may point to a compound literal."""
    s.records.append(_PAIR_TYPE)
    a, b = s.spaces(2)
    given, value = p.Variable("s", _TO_PAIR), p.Variable("v", p.POINTER)

    def member(name: str) -> p.Member:
        return p.Member(p.Dereference(s.take(given, "private"), _PAIR), name, p.POINTER)

    name = s.helper([p.Assign(member("a"), s.take(value, a)), s.use(member("b"), b, p.NULL)], given, value)
    kept, pointer = s.variable(_PAIR), s.variable(_TO_PAIR)
    literal = p.Literal(1, _PAIR, (("b", s.source(b)),))
    s.kernel(
        p.Declare(kept, p.Compound(_PAIR, (("b", p.Null()),))),
        p.Declare(
            pointer,
            p.Choice(
                s.opaque(),
                p.Cast(_TO_PAIR, p.AddressOf(kept, "private")),
                p.Cast(_TO_PAIR, p.AddressOf(literal, "private")),
            ),
        ),
        _call(name, s.take(pointer, "private"), s.source(a)),
        s.use(p.Member(kept, "a", p.POINTER), a, p.NULL),
        s.use(p.Member(p.Dereference(s.take(pointer, "private"), _PAIR), "a", p.POINTER), a, p.NULL),
    )


def array(s: Shape) -> None:
    """An array of pointers is one set, whichever element is read."""
    spaces = s.spaces(4)
    kept = s.variable(p.Array(p.POINTER, 4))
    got = s.variable()
    s.kernel(
        p.Declare(kept, p.Compound(kept.type, tuple((at, s.source(each)) for at, each in enumerate(spaces)))),
        p.Declare(got, p.Load(p.Element(kept, p.POINTER))),
        s.use(got, *spaces),
    )


def program_scope(s: Shape) -> None:
    """A kernel stores to a program-scope variable, another one reads it; before the store it is null."""
    kept = p.Variable("kept", p.POINTER)
    s.globals.append(p.Global(kept))
    spaces = s.spaces(s.chance.randint(1, 2))
    for each in spaces:
        s.kernel(p.Assign(kept, s.source(each)))
    got = s.variable()
    s.kernel(p.Declare(got, s.take(kept, *spaces, p.NULL)), s.use(got, *spaces, p.NULL))


def blocks(s: Shape) -> None:
    """A block has the values of its captures at its creation, and the arguments of its calls."""
    captured, given = s.space(), s.spaces(2)
    kept, parameter, got = s.variable(), p.Variable("q", p.POINTER), s.variable()
    choice = p.Choice(s.opaque(), s.take(kept, captured), s.take(parameter, *given))
    body = (s.use(kept, captured), s.use(parameter, *given), p.Return(choice))
    block = p.DeclareBlock("b", (parameter,), p.POINTER, (kept,), body)
    s.kernel(
        p.Declare(kept, s.source(captured)),
        block,
        p.Assign(kept, s.source(s.space())),
        p.Evaluate("{};", p.BlockCall("b", (s.source(given[0]),))),
        p.Declare(got, p.BlockCall("b", (s.source(given[1]),))),
        s.use(got, captured, *given),
    )


def casts(s: Shape) -> None:
    """A cast to a named space keeps that space alone; `to_space` too, and turns the others into null."""
    spaces = s.spaces(2)
    wanted = s.chance.choice(spaces)
    kind = p.Pointer(wanted, p.INT)
    kept, cast, asked = s.variable(), s.variable(), s.variable()
    s.kernel(
        p.Declare(
            kept,
            p.Choice(
                s.opaque(), p.Cast(p.POINTER, s.source(spaces[0])), p.Cast(p.POINTER, s.source(spaces[1]))
            ),
        ),
        p.Declare(cast, p.Cast(kind, s.take(kept, *spaces))),
        s.use(cast, wanted),
        p.Declare(asked, p.ToSpace(wanted, s.take(kept, *spaces))),
        p.Evaluate(
            "(void){};", p.Cast(p.POINTER, s.take(asked, wanted, *([p.NULL] if {*spaces} - {wanted} else [])))
        ),
        s.use(kept, *spaces),
    )


def narrowing(s: Shape) -> None:
    """`if (to_local(p))`: one branch has that space, the other the remaining ones, and the code after it all of them."""
    starts = list(p.NAMED)
    given = p.Variable("p", p.POINTER)
    asked, negated = s.space(), s.chance.random() < 0.5
    rest = [each for each in starts if each != asked]
    condition = s.asked(asked, given, *starts, negated=negated)
    there, elsewhere = s.use(given, asked), s.use(given, *rest)
    then, otherwise = (elsewhere, there) if negated else (there, elsewhere)
    name = s.helper([p.If(condition, (then,), (otherwise,)), s.use(given, *starts)], given)
    leave = s.asked(asked, given, *starts)
    early = s.helper([p.If(leave, (p.Return(None),)), s.use(given, *rest)], given)
    s.kernel(*(_call(each, s.source(start)) for each in (name, early) for start in starts))


def assignment(s: Shape) -> None:
    """A variable holds what was last assigned to it; after branches, what any of them assigned."""
    kept = s.variable()
    a, b, c = s.spaces(3)
    s.kernel(
        p.Declare(kept, s.source(a)),
        s.use(kept, a),
        p.Assign(kept, s.source(b)),
        s.use(kept, b),
        p.If(s.opaque(), (p.Assign(kept, s.source(c)), s.use(kept, c))),
        s.use(kept, b, c),
    )


def tested_results(s: Shape) -> None:
    """`l = to_local(p); if (l) …`, early exits, and copies of the pointer: each as precise as a test of itself."""
    starts = list(p.NAMED)
    given, copy = p.Variable("p", p.POINTER), p.Variable("c", p.POINTER)
    asked = s.space()
    rest = [each for each in starts if each != asked]
    found = p.Variable("found", p.Pointer(asked, p.INT))
    leaves = s.chance.random() < 0.5
    body: list[p.Statement] = [
        p.Declare(copy, s.load(given, *starts)),
        p.Declare(found, p.ToSpace(asked, s.load(copy, *starts))),
    ]
    condition = p.NotNull(p.Load(found), negated=leaves)
    if leaves:
        body += [
            p.If(condition, (s.use(given, *rest), p.Return(None))),
            s.use(given, asked),
            s.use(copy, asked),
        ]
    else:
        body += [
            p.If(condition, (s.use(given, asked), s.use(copy, asked)), (s.use(given, *rest),)),
            s.use(copy, *starts),
        ]
    name = s.helper(body, given)
    s.kernel(*(_call(name, s.source(start)) for start in starts))


def steady_conditions(s: Shape) -> None:
    """Two branches on one condition that does not change between them."""
    kept, a, b = s.variable(), s.space(), s.space()
    number, negated = s.chance.randrange(31), s.chance.random() < 0.5
    first, second = (b, a) if negated else (a, b)
    body: list[p.Statement] = [
        p.Declare(kept, None),
        p.If(p.Steady(number), (p.Assign(kept, s.source(a)),), (p.Assign(kept, s.source(b)),)),
        s.use(kept, a, b),
        p.If(p.Steady(number, negated), (s.use(kept, first),), (s.use(kept, second),)),
        p.If(s.opaque(), (p.If(p.Steady(number), (s.use(kept, a),)),)),
    ]
    s.kernel(*body)


def members_in_order(s: Shape) -> None:
    """Members of an own struct, like variables: assignments, branches, loops, copies of the struct, tests."""
    s.records.append(_PAIR_TYPE)
    a, b, c = s.spaces(3)
    kept, copy = s.variable(_PAIR), s.variable(_PAIR)
    at, other = p.Member(kept, "a", p.POINTER), p.Member(kept, "b", p.POINTER)
    copied = p.Member(copy, "a", p.POINTER)
    asked = s.space()
    s.kernel(
        p.Declare(kept, p.Compound(_PAIR, (("a", s.source(a)),))),
        s.use(at, a),
        p.Declare(copy, p.Load(kept)),
        p.Assign(at, s.source(b)),
        s.use(at, b),
        p.Assign(other, s.take(at, b)),
        s.use(other, b),
        p.If(s.opaque(), (p.Assign(at, s.source(c)), s.use(at, c))),
        p.If(
            s.asked(asked, at, b, c),
            (s.use(at, *({b, c} & {asked})),),
            (s.use(at, *({b, c} - {asked})),),
        ),
        p.Loop("while", s.opaque(), (s.use(copied, a, c), p.Assign(copied, s.source(c)))),
        s.use(copied, a, c),
        p.Assign(kept, p.Load(copy)),
        s.use(at, a, c),
    )


def elements(s: Shape) -> None:
    """Elements of an own array with constant indices, and one with an index that is not known."""
    spaces = s.spaces(3)
    kept = s.variable(p.Array(p.POINTER, 4))
    new = s.space()
    values = tuple((number, s.source(each)) for number, each in enumerate(spaces))
    chosen = s.chance.randrange(3)
    after = [new if number == chosen else each for number, each in enumerate(spaces)]
    s.kernel(
        p.Declare(kept, p.Compound(kept.type, values)),
        *(s.use(p.Element(kept, p.POINTER, number), each) for number, each in enumerate(spaces)),
        p.Assign(p.Element(kept, p.POINTER, chosen), s.source(new)),
        *(s.use(p.Element(kept, p.POINTER, number), each) for number, each in enumerate(after)),
        s.use(p.Element(kept, p.POINTER), *after, p.NULL),
    )


def setters(s: Shape) -> None:
    """Objects that helpers set and read: each has what was put into it."""
    s.records.append(_PAIR_TYPE)
    given, value = p.Variable("s", _TO_PAIR), p.Variable("v", p.POINTER)
    spaces = s.spaces(s.chance.randint(2, 3))
    member = p.Member(p.Dereference(s.take(given, "private"), _PAIR), "a", p.POINTER)
    put = s.helper([p.Assign(member, s.take(value, *spaces))], given, value)
    for _ in range(s.chance.randint(0, 2)):
        put = s.helper([_call(put, s.take(given, "private"), s.take(value, *spaces))], given, value)
    read = p.Member(p.Dereference(s.take(given, "private"), _PAIR), "a", p.POINTER)
    get = s.helper([p.Return(s.take(read, *spaces))], given, result=p.POINTER)
    body: list[p.Statement] = []
    objects = [s.variable(_PAIR) for _ in spaces]
    for each, space in zip(objects, spaces, strict=True):
        body += [p.Declare(each, None), _call(put, p.AddressOf(each, "private"), s.source(space))]
    for each, space in zip(objects, spaces, strict=True):
        got = s.variable()
        body += [
            p.Declare(got, p.Call(get, (p.AddressOf(each, "private"),))),
            s.use(got, space),
            s.use(p.Member(each, "a", p.POINTER), space),
        ]
    s.kernel(*body)


def struct_results(s: Shape) -> None:
    """A helper returns what it is given in a struct, perhaps through another: each call has its own."""
    s.records.append(_PAIR_TYPE)
    first, second, whole = p.Variable("p", p.POINTER), p.Variable("q", p.POINTER), p.Variable("s", _PAIR)
    pairs = [s.spaces(2) for _ in range(s.chance.randint(2, 3))]
    made = s.variable(_PAIR)
    parts = p.Compound(
        _PAIR, (("a", s.take(first, *{a for a, _ in pairs})), ("b", s.take(second, *{b for _, b in pairs})))
    )
    make = s.helper([p.Declare(made, parts), p.Return(p.Load(made))], first, second, result=_PAIR)
    same = s.helper([p.Return(p.Load(whole))], whole, result=_PAIR)
    body: list[p.Statement] = []
    for a, b in pairs:
        kept = s.variable(_PAIR)
        body.append(p.Declare(kept, p.Call(make, (s.source(a), s.source(b)))))
        if s.chance.random() < 0.5:
            body.append(p.Assign(kept, p.Call(same, (p.Load(kept),))))
        body += [s.use(p.Member(kept, "a", p.POINTER), a), s.use(p.Member(kept, "b", p.POINTER), b)]
    s.kernel(*body)


def rotation(s: Shape) -> None:
    """Variables change places in a loop; a variable that is only read keeps its value."""
    spaces = s.spaces(3)
    turning = [s.variable() for _ in spaces]
    still, held = s.variable(), s.space()
    first = s.variable()
    body = (
        p.Declare(first, s.take(turning[0], *spaces)),
        p.Assign(turning[0], s.take(turning[1], *spaces)),
        p.Assign(turning[1], s.take(turning[2], *spaces)),
        p.Assign(turning[2], s.take(first, *spaces)),
        s.use(still, held),
    )
    s.kernel(
        *(p.Declare(each, s.source(space)) for each, space in zip(turning, spaces, strict=True)),
        p.Declare(still, s.source(held)),
        p.Loop(s.chance.choice(["for", "while"]), s.opaque(), body),
        *(s.use(each, *spaces) for each in (*turning,)),
    )


def cases(s: Shape) -> None:
    """A switch: a case that does not break falls through to the next."""
    spaces = s.spaces(4)
    kept = s.variable()
    made: list[tuple[tuple[p.Statement, ...], bool]] = []
    held: set[str] = set()
    after: set[str] = set()
    for space in spaces[1:]:
        incoming = {spaces[0]} | held
        stops = s.chance.random() < 0.5
        replaces = s.chance.random() < 0.7
        body: list[p.Statement] = [s.use(kept, *incoming)]
        if replaces:
            body += [p.Assign(kept, s.source(space)), s.use(kept, space)]
        held = {space} if replaces else incoming
        if stops:
            after |= held
            held = set()
        made.append((tuple(body), stops))
    default = s.chance.random() < 0.5
    after |= held if default else held | {spaces[0]}
    s.kernel(p.Declare(kept, s.source(spaces[0])), p.Switch(3, tuple(made), default), s.use(kept, *after))


def jumps(s: Shape) -> None:
    """`goto` forwards past an assignment, and back to one."""
    a, b, c = s.spaces(3)
    kept = s.variable()
    s.kernel(
        p.Declare(kept, s.source(a)),
        p.Jump("goto past", s.opaque()),
        p.Assign(kept, s.source(b)),
        s.use(kept, b),
        p.Label("past"),
        s.use(kept, a, b, c),
        p.Assign(kept, s.source(c)),
        p.Jump("goto past", s.opaque()),
        s.use(kept, c),
    )


def carriers(s: Shape) -> None:
    """Integers and unions that carry a pointer, and copies word by word, preserve the pointer."""
    s.records += [_PAIR_TYPE, _UNION_TYPE]
    a, b = s.spaces(2)
    number, back = s.variable(p.CARRIER), s.variable()
    either, again = s.variable(p.Record("U0")), s.variable()
    source, target = s.variable(_PAIR), s.variable(_PAIR)
    s.kernel(
        p.Declare(number, p.Cast(p.CARRIER, s.source(a))),
        p.Declare(back, p.Cast(p.POINTER, p.Load(number))),
        s.use(back, a),
        p.Declare(either, None),
        p.Assign(p.Member(either, "p", p.POINTER), s.source(b)),
        p.Declare(again, p.Cast(p.POINTER, p.Load(p.Member(either, "bits", p.CARRIER)))),
        s.use(again, b),
        p.Declare(source, p.Compound(_PAIR, (("a", s.source(a)), ("b", s.source(a))))),
        p.Declare(target, None),
        p.CopyBytes(s.chance.choice(["word", "byte", "vector"]), _PAIR, *_addresses(target, source)),
        s.use(p.Member(target, "b", p.POINTER), a),
    )


def _addresses(*places: p.Place) -> list[p.Expression]:
    return [p.AddressOf(each, "private") for each in places]


def conditionals(s: Shape) -> None:
    """`c ? p : q`, nested, and with a test of a pointer."""
    a, b, c = s.spaces(3)
    one, other, third, got = s.variable(), s.variable(), s.variable(), s.variable()
    inner = p.Choice(s.opaque(), s.take(one, a), s.take(other, b))
    asked = s.chance.choice([a, c])
    narrowed, rest = {a, b, c} & {asked}, {a, b, c} - {asked}
    made: list[p.Statement] = [
        p.Declare(one, s.source(a)),
        p.Declare(other, s.source(b)),
        p.Declare(third, s.source(c)),
        p.Declare(got, p.Choice(s.opaque(), inner, s.take(third, c))),
        s.use(got, a, b, c),
    ]
    if rest:
        choice = p.Choice(s.asked(asked, got, a, b, c), s.take(got, *narrowed), s.take(got, *rest))
        made.append(p.Evaluate("sum += *{};", choice))
    s.kernel(*made)


def unassigned(s: Shape) -> None:
    """A pointer that was never assigned holds nothing; a helper that no kernel reaches contributes nothing."""
    space = s.space()
    given, never = p.Variable("p", p.POINTER), s.variable()
    shared = s.helper([s.use(given, space)], given)
    own = p.Variable("own", p.INT)
    s.helper([p.Declare(own, None), _call(shared, p.AddressOf(own, "private"))])
    s.kernel(p.Declare(never, None), s.use(never), _call(shared, s.source(space)))


SHAPES: dict[str, Callable[[Shape], None]] = {
    make.__name__: make
    for make in (
        chain, diamond, selection, recursion, mutual_recursion, swap, members, members_through_pointers, array,
        program_scope, blocks, casts, narrowing, assignment, rotation, cases, jumps, carriers, conditionals, unassigned,
        tested_results, steady_conditions, members_in_order, elements, setters, struct_results,
    )
} | IDIOMS  # fmt: skip

BOUNDED = frozenset(
    ("asked_overwritten", "swap", "members_through_pointers", "array", "program_scope", "carriers", "blocks")
)
"""The shapes that go through memory or blocks: their known answers are bounds, a finer analysis may tell less."""


def shaped_program(name: str, seed: int) -> p.Program:
    """Returns the program of that shape and seed."""
    shape = Shape(seed, name)
    SHAPES[name](shape)
    return shape.done()
