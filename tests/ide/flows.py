"""Hand-written and random flows for the tests of their pictures."""

from __future__ import annotations

from hypothesis import strategies as st
from openclsp.ide.feature_results import (
    FlowStep,
    FlowWitness,
    Location,
    PointerFlow,
)
from openclsp.language.spaces import Space

HERE = Location("/k.cl", 0, 1)


def step(function: str, what: str, line: int, *, kernel: bool = False) -> FlowStep:
    """A step at a line of `k.cl`."""
    return FlowStep(HERE, line, function, kernel, what)


def witness(space: Space, *steps: FlowStep) -> FlowWitness:
    """A chain."""
    return FlowWitness(space, steps)


def flow(*witnesses: FlowWitness, name: str = "p", function: str = "helper", **others: bool) -> PointerFlow:
    """Builds the flow of a pointer in a function from its witnesses."""
    flags = {"null": False, "unknown": False, "reached": True, **others}
    return PointerFlow(
        name,
        f"generic int *private {name}",
        tuple(each.space for each in witnesses),
        flags["null"],
        flags["unknown"],
        flags["reached"],
        function,
        witnesses,
    )


TWO = flow(
    witness(
        Space.GLOBAL,
        step("run", "kernel parameter `g`", 3, kernel=True),
        step("run", "argument of `helper`", 9, kernel=True),
        step("helper", "parameter `p`", 1),
    ),
    witness(
        Space.LOCAL,
        step("run", "`tile` lies in local memory", 5, kernel=True),
        step("run", "argument of `helper`", 10, kernel=True),
        step("helper", "parameter `p`", 1),
    ),
)
"""A kernel that gives a helper a pointer into global and one into local."""

RETURNED = flow(
    witness(
        Space.PRIVATE,
        step("pick", "`x` is in private memory", 2),
        step("pick", "returned", 3),
        step("k", "result of `pick`", 7, kernel=True),
        step("k", "`r`", 7, kernel=True),
    ),
    witness(
        Space.GLOBAL, step("k", "kernel parameter `g`", 5, kernel=True), step("k", "`r`", 8, kernel=True)
    ),
    name="r",
    function="k",
)
"""A helper that returns a pointer, in one of two chains."""

LONG = flow(
    witness(
        Space.GLOBAL,
        step("one", "kernel parameter `in`", 3, kernel=True),
        step("one", "argument of `middle`", 9, kernel=True),
        step("middle", "parameter `p`", 1),
        step("middle", "`q`", 2),
        step("middle", "argument of `the_innermost_function_of_all_functions`", 12),
        step("the_innermost_function_of_all_functions", "parameter `p`", 20),
    ),
    witness(
        Space.LOCAL,
        step("two", "`tile` lies in local memory", 30, kernel=True),
        step("two", "argument of `the_innermost_function_of_all_functions`", 31, kernel=True),
        step("the_innermost_function_of_all_functions", "parameter `p`", 20),
    ),
    witness(
        Space.PRIVATE,
        step("other", "`x` is in private memory", 40),
        step("other", "argument of `middle`", 41),
        step("middle", "parameter `p`", 1),
        step("middle", "argument of `the_innermost_function_of_all_functions`", 12),
        step("the_innermost_function_of_all_functions", "parameter `p`", 20),
    ),
    function="the_innermost_function_of_all_functions",
    null=True,
    unknown=True,
)
"""Chains of several lengths, two of which share a function."""

NOTHING = flow(function="lonely", null=True, reached=False)
HOSTILE = "a<b>\"'&]]> `--> |%%{init: x}%% \x01\u202e\ud800 #quot; end"

_names = st.sampled_from(
    ["k", "run", "helper", "a_function_whose_name_is_longer_than_what_is_shown", "föö", "函数", HOSTILE]
)
_whats = st.one_of(st.just("`p`"), _names.map("argument of `{}`".format), st.text(max_size=50))
_steps = st.builds(
    FlowStep, st.just(HERE), st.integers(1, 99_999), _names | st.just(""), st.booleans(), _whats
)
_spaces = st.sampled_from([Space.GLOBAL, Space.LOCAL, Space.PRIVATE, Space.CONSTANT])
_witnesses = st.builds(FlowWitness, _spaces, st.lists(_steps, max_size=7).map(tuple))
flows_by_chance = st.builds(
    PointerFlow,
    _names | st.just(""),
    st.text(max_size=60),
    st.lists(_spaces, max_size=3).map(tuple),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    _names,
    st.lists(_witnesses, max_size=4).map(tuple),
)
