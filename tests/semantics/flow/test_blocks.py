"""Flow through blocks: their captured variables and their arguments."""

from __future__ import annotations

import pytest

from .marks import wrong_marks

SOURCES = {
    "arguments and captures": """\
kernel void k(global int *g, local int *l) {
    int *p = g;
    void (^b)(int *) = ^(int *q) {
//                            ^ local
        *q = *p;
//            ^ global
    };
    p = l;
    b(l);
}
""",
    "what a block returns": """\
kernel void k(global int *g, local int *l) {
    int *(^same)(int *) = ^(int *q) { return q; };
    int *p = same(g);
    //   ^ global
    p = same(l);
//  ^ local
}
""",
    "a block that is passed on": """\
int call(int (^f)(int *), int *p) { return f(p); }
kernel void k(global int *g) {
    call(^(int *q) { return *q; }, g);
//              ^ global
}
""",
    "a block at program scope": """\
int (^const twice)(int *) = ^(int *q) { return 2 * *q; };
//                                 ^ local
kernel void k(local int *l) { twice(l); }
""",
    "a block that runs as a kernel": """\
kernel void k(global int *g, queue_t q, ndrange_t n) {
    int *p = g;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, n, ^(local void *m) {
        void *v = m;
        //    ^ local
        *p = 1;
//       ^ global
    }, 16);
}
""",
}


@pytest.mark.parametrize("name", SOURCES)
def test_blocks(name: str) -> None:
    assert wrong_marks(SOURCES[name]) == []
