"""Calls that enqueue blocks, and queries about blocks to be enqueued."""

from __future__ import annotations

from collections.abc import Iterator

from .program import Program

_FRAME = """\
kernel void f(queue_t q, global int *g, local int *l, clk_event_t e, int n) {
    ndrange_t r = ndrange_1D(1);
    clk_event_t w[2];
    clk_event_t *pw = w;
    const ndrange_t cr = r;
    void *v;
    float h = 1;
    void (^none)(void) = ^{ };
    void (^one)(local void *) = ^(local void *a){ };
    void (^two)(local void *, local void *) = ^(local void *a, local void *b){ };
    void (^typed)(local int *) = ^(local int *a){ };
    void (^value)(int) = ^(int a){ };
    CALL;
}
"""
"""A kernel with what a call may need."""

_BLOCKS = {
    "none": "none",
    "literal": "^{ }",
    "literal-int": "^{ return 1; }",
    "one": "one",
    "two": "two",
    "typed": "typed",
    "value": "value",
    "local-int": "^(local int *a){ }",
    "global-void": "^(global void *a){ }",
    "void": "^(void *a){ }",
    "constant-void": "^(constant void *a){ }",
    "local-const-void": "^(local const void *a){ }",
    "local-void": "^(local void *a){ }",
    "mixed": "^(local void *a, local int *b){ }",
    "cast": "(void (^)(void))none",
    "parenthesised": "(none)",
    "pointer": "v",
    "0": "0",
    "integer": "n",
    "function": "get_global_id",
}

_SIZES = {
    "none": "",
    "1": ", 1",
    "1-1": ", 1, 1",
    "1-1-1": ", 1, 1, 1",
    "int": ", n",
    "long": ", 1L",
    "float": ", h",
    "double": ", 1.0",
    "pointer": ", v",
    "sizeof": ", sizeof(int)",
    "size-float": ", 1, h",
    "bool": ", true",
    "char": ", 'a'",
    "negative": ", -1",
    "size_t": ", get_local_size(0)",
}

_EVENT_LISTS = {
    "none": "",
    "null": "0, 0, 0, ",
    "NULL": "0, NULL, NULL, ",
    "one": "1, &e, &e, ",
    "list": "2, w, &e, ",
    "pointer": "2, pw, pw, ",
    "float": "1.0f, &e, &e, ",
    "wrong-list": "1, v, &e, ",
    "wrong-result": "1, &e, v, ",
    "array-result": "1, &e, w, ",
    "values": "1, e, e, ",
    "integer": "1, n, &e, ",
    "count-pointer": "v, &e, &e, ",
    "two": "1, &e, ",
    "single": "1, ",
}

_HEADS = {
    "right": "q, 0, r",
    "flags": "q, CLK_ENQUEUE_FLAGS_NO_WAIT, r",
    "const-range": "q, 0, cr",
    "range-call": "get_default_queue(), 0, ndrange_1D(1)",
    "pointer-queue": "v, 0, r",
    "zero-queue": "0, 0, r",
    "pointer-flags": "q, v, r",
    "float-flags": "q, 1.0f, r",
    "pointer-range": "q, 0, v",
    "integer-range": "q, 0, 1",
    "queue-range": "q, 0, q",
    "address-range": "q, 0, &r",
}

_QUERIES = {
    "size": "get_kernel_work_group_size",
    "multiple": "get_kernel_preferred_work_group_size_multiple",
}
_RANGE_QUERIES = {
    "max": "get_kernel_max_sub_group_size_for_ndrange",
    "count": "get_kernel_sub_group_count_for_ndrange",
}

_CALLS = """\
enqueue_kernel()
enqueue_kernel(q, 0, r)
enqueue_kernel(q)
enqueue_kernel(q, 0, r, none, none)
enqueue_kernel(q, 0, r, 1, &e, &e)
enqueue_kernel(q, 0, r, 1, &e, &e, &e, none)
int x = enqueue_kernel(q, 0, r, none)
global int *x = enqueue_kernel(q, 0, r, none)
uint x = get_kernel_work_group_size(none)
get_kernel_work_group_size()
get_kernel_work_group_size(none, none)
get_kernel_work_group_size(1)
get_kernel_max_sub_group_size_for_ndrange(r)
get_kernel_max_sub_group_size_for_ndrange(r, none, none)
get_kernel_max_sub_group_size_for_ndrange(none, r)
enqueue_marker(q, 1, &e, &e)
enqueue_marker(q, 0, 0, &e)
enqueue_marker(q, 0, 0, 0)
enqueue_marker(q, 2, w, &e)
enqueue_marker(0, 2, w, &e)
enqueue_marker(q, 1, v, &e)
enqueue_marker(q, 1, (global clk_event_t *)0, &e)
capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, g)
capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, l)
capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, v)
retain_event(e)
retain_event(&e)
set_user_event_status(e, CL_COMPLETE)
if (is_valid_event(e)) ;
ndrange_t x = ndrange_2D(1)
ndrange_t x = ndrange_1D(1, 2, 3)
ndrange_t x = ndrange_1D(v)
size_t s[2]; ndrange_t x = ndrange_2D(s)
size_t s[2]; ndrange_t x = ndrange_2D(s, s, s)
enqueue_kernel(q, 0, r, ^{ *g = 1; })
enqueue_kernel(q, 0, r, ^{ *l = 1; })
int m; enqueue_kernel(q, 0, r, ^{ int k = m; })
int m; int *p = &m; enqueue_kernel(q, 0, r, ^{ *p = 1; })
int m; private int *p = &m; enqueue_kernel(q, 0, r, ^{ *p = 1; })
int m; enqueue_kernel(q, 0, r, ^{ m = 1; })
int m[4]; enqueue_kernel(q, 0, r, ^{ m[0] = 1; })
enqueue_kernel(q, 0, r, ^{ g = 0; })
enqueue_kernel(q, 0, r, ^{ local int *p = g; })
enqueue_kernel(q, 0, r, ^(local void *p){ *(local int *)p = *g; }, 4)
enqueue_kernel(q, 0, r, ^(local void *p){ *(global int *)p = *g; }, 4)
enqueue_kernel(q, 0, r, ^(local void *p){ local int *i = p; }, 4)
enqueue_kernel(q, 0, r, ^(local void *p){ global int *i = p; }, 4)
enqueue_kernel(q, 0, r, ^{ enqueue_kernel(q, 0, r, ^{ }); })
enqueue_kernel(q, 0, r, ^{ enqueue_kernel(q, 0, r, none); })
void (^b)(void) = ^{ *g = 1; }; enqueue_kernel(q, 0, r, b)
int enqueue_kernel = 1
int x = enqueue_kernel + 1
(void)&enqueue_kernel
"""


def enqueueing() -> Iterator[Program]:
    """Yields every block with every list of sizes and events, every beginning of a call, and calls of particular interest."""
    calls = {
        **_with_blocks(),
        **_queries(),
        **_with_events_and_heads(),
        **{f"enqueue-call-{number:02}": call for number, call in enumerate(_CALLS.splitlines(), 1)},
    }
    for name, call in calls.items():
        yield Program(name, _FRAME.replace("CALL", call, 1))


def _with_blocks() -> dict[str, str]:
    calls = {}
    for name, block in _BLOCKS.items():
        for size, sizes in _SIZES.items():
            calls[f"enqueue-{name}-{size}"] = f"enqueue_kernel(q, 0, r, {block}{sizes})"
        for events in ("null", "one"):
            for size in ("none", "1", "1-1", "float"):
                arguments = f"{_EVENT_LISTS[events]}{block}{_SIZES[size]}"
                calls[f"enqueue-{name}-{events}-{size}"] = f"enqueue_kernel(q, 0, r, {arguments})"
    return calls


def _queries() -> dict[str, str]:
    calls = {}
    for name, block in _BLOCKS.items():
        for asked, query in _QUERIES.items():
            calls[f"query-{asked}-{name}"] = f"uint x = {query}({block})"
        for asked, query in _RANGE_QUERIES.items():
            for kind, given in (("right", "r"), ("const", "cr"), ("0", "0"), ("queue", "q")):
                calls[f"query-{asked}-{name}-{kind}"] = f"uint x = {query}({given}, {block})"
    return calls


def _with_events_and_heads() -> dict[str, str]:
    calls = {}
    for name, events in _EVENT_LISTS.items():
        for block in ("none", "one", "local-int", "pointer"):
            calls[f"enqueue-events-{name}-{block}"] = f"enqueue_kernel(q, 0, r, {events}{_BLOCKS[block]})"
    for name, head in _HEADS.items():
        for block in ("none", "one"):
            calls[f"enqueue-head-{name}-{block}"] = f"enqueue_kernel({head}, {_BLOCKS[block]})"
    return calls
