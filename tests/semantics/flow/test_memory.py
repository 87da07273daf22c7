"""Pointers in memory: one set for each pointer member of each object, whatever the order of stores."""

from __future__ import annotations

import pytest

from .marks import wrong_marks

SOURCES = {
    "a variable whose address is taken": """\
void set(int **where, int *what) { *where = what; }
//                         ^ local
kernel void k(global int *g, local int *l) {
    int *p = g;
    //   ^ global
    set(&p, l);
    *p = 1;
//   ^ global, local
}
""",
    "two pointers change places": """\
void swap(int **a, int **b) {
    int *t = *a;
    //   ^ global, local
    *a = *b;
    *b = t;
}
kernel void k(global int *g, local int *l) {
    int *p = g, *q = l;
    swap(&p, &q);
    *p = *q;
//   ^ global, local
}
""",
    "members in and after anonymous structs and unions": """\
struct s { union { int a; float b; }; int *p; };
struct t { struct { int a; int *q; }; int *p; };
struct u { int x; union { int *a; int *b; }; int *p; };
struct v { union { struct { int a; int *q; }; float b; }; int *p; };
kernel void k(global int *g, local int *l) {
    struct s s1 = { {1}, g };
    *s1.p = 1;
//     ^ global
    struct s s2 = { 1, g };
    *s2.p = 1;
//     ^ global
    struct s s3 = { .a = 1, g };
    *s3.p = 1;
//     ^ global
    struct s s4 = { {.b = 1}, g };
    *s4.p = 1;
//     ^ global
    struct s s5 = { {1}, .p = g };
    *s5.p = 1;
//     ^ global
    struct t t1 = { {1, l}, g };
    *t1.p = 1;
//     ^ global
    *t1.q = 1;
//     ^ local
    struct t t2 = { 1, l, g };
    *t2.p = 1;
//     ^ global
    *t2.q = 1;
//     ^ local
    struct t t3 = { .a = 1, l, g };
    *t3.p = 1;
//     ^ global
    *t3.q = 1;
//     ^ local
    struct t t4 = { .q = l, g };
    *t4.p = 1;
//     ^ global
    *t4.q = 1;
//     ^ local
    struct t t5 = { { .q = l }, g };
    *t5.p = 1;
//     ^ global
    *t5.q = 1;
//     ^ local
    struct u u1 = { 1, { l }, g };
    *u1.p = 1;
//     ^ global
    *u1.b = 1;
//     ^ local
    struct u u2 = { 1, l, g };
    *u2.p = 1;
//     ^ global
    *u2.b = 1;
//     ^ local
    struct u u3 = { .b = l, g };
    *u3.p = 1;
//     ^ global
    *u3.a = 1;
//     ^ local
    struct u u4 = { .a = l, g };
    *u4.p = 1;
//     ^ global
    *u4.a = 1;
//     ^ local
    struct v v1 = { {{1, l}}, g };
    *v1.p = 1;
//     ^ global
    *v1.q = 1;
//     ^ local
    struct v v2 = { {.q = l}, g };
    *v2.p = 1;
//     ^ global
    *v2.q = 1;
//     ^ local
    struct v v3 = { 1, l, g };
    *v3.p = 1;
//     ^ global
    *v3.q = 1;
//     ^ local
    struct s s6[2] = { { {1}, g }, { {2}, l } };
    *s6[1].p = 1;
//        ^ local
    struct { struct s in; int *r; } s8 = { { {1}, g }, l };
    *s8.in.p = 1;
//        ^ global
    *s8.r = 1;
//     ^ local
}
""",
    "members are told apart": """\
typedef struct { int *p; int *q; struct { int *r; } in[2]; int n; } S;
void put(S *s, int *v) { s->in[1].r = v; }
kernel void k(global int *g, local int *l) {
    int x;
    S s = {.p = g, .q = l};
    put(&s, &x);
    *s.p = 1;
//     ^ global
    *s.q = 1;
//     ^ local
    *s.in[0].r = 1;
//           ^ private or null
    S t = s;
    *(&t)->q = 1;
//         ^ local
    S u = {g, l, {{&x}, {0}}, 1};
    *u.p = 1;
//     ^ global
    *u.in[0].r = 1;
//           ^ private
    S v = {g, l, &x, 0};
    *v.q = 1;
//     ^ local
}
""",
    "structs that are passed and returned": """\
typedef struct { int *p; int *q; } Pair;
Pair made(int *p, int *q) { Pair r = {p, q}; return r; }
int first(Pair a) { return *a.p; }
//                            ^ global
kernel void k(global int *g, local int *l) {
    Pair a = made(g, l);
    *a.q = 1;
//     ^ local
    first(a);
    *made(g, l).p = 1;
//              ^ global
}
""",
    "elements are one": """\
kernel void k(global int *g, local int *l, int i) {
    int *a[2] = {g, l};
    *a[0] = 1;
//   ^ not generic
    int *p = a[i];
    //   ^ global, local
    int **q = a;
    //    ^ private
    p = *(q + 1);
//  ^ global, local
}
""",
    "members of a union are one": """\
typedef union { int *p; float *f; } U;
kernel void k(global int *g, local float *l) {
    U u;
    u.p = g;
    u.f = l;
    *u.p = 1;
//     ^ global, local
}
""",
    "at program scope": """\
global int *at;
int *global kept;
//          ^ global or null
void keep(int *p) { kept = p; }
kernel void k(global int *g) { keep(g); }
kernel void m(void) { *kept = 1; }
//                     ^ global or null
""",
    "what the host puts there is not known": """\
struct node { struct node *next; int *p; };
kernel void k(global struct node *n, local int *l) {
    n->p = l;
//     ^ local
    *n->next->p = 1;
//            ^ unknown
    *n->p = 1;
//      ^ local or unknown
}
""",
    "a struct through a pointer to void": """\
struct S { int *p; };
void put(void *v, int *p) { ((struct S *)v)->p = p; }
kernel void k(global int *g) {
    struct S s;
    put(&s, g);
    *s.p = 1;
//     ^ global
}
""",
    "what no initialiser speaks of is null": """\
struct In { int *r; int *s; };
struct S { int *p; int *q; struct In in; };
kernel void k(global int *g) {
    struct S s = {.q = g, .in.s = g};
    *s.p = 1;
//     ^ null
    *s.q = 1;
//     ^ global
    *s.in.r = 1;
//        ^ null
    *s.in.s = 1;
//        ^ global
    int *a[3] = {g};
    *a[0] = 1;
    int *p = a[1];
    //   ^ null
    struct S t = {g};
    *t.in.r = 1;
//        ^ null
}
""",
    "another struct laid over it": """\
struct A { int n; int *p; };
struct B { int n; int *q; };
kernel void k(global int *g, local int *l) {
    struct A a;
    a.p = g;
    struct B *b = (struct B *)&a;
    b->q = l;
    *a.p = 1;
//     ^ global, local, private
    *b->q = 1;
//      ^ global, local, private
    struct A *back = (struct A *)&a.n;
    back->p = &b->n;
}
""",
    "another file's variable": """\
extern int *elsewhere;
kernel void k(global int *g) { int *p = elsewhere;
    //                              ^ unknown
}
""",
    "a variable that is declared before it is defined": """\
extern int *here;
int *here = 0;
kernel void k(global int *g) { here = g; int *p = here;
    //                                        ^ global or null or unknown
}
""",
    "what built-in functions write": """\
kernel void k(global int *g, local int *l) {
    int *p = g, *q = 0, *r = 0, *s = l;
    __builtin_memcpy(&q, &p, sizeof p);
    __builtin_nontemporal_store(p, &r);
    p = q;
//      ^ global, local or null or unknown
    p = r;
//      ^ null or unknown
    p = s;
//      ^ local
}
""",
    "what a built-in function only reads": """\
kernel void k(global int *g, local int *l) {
    int *p = g, *q = 0;
    __builtin_memcpy(&q, &p, sizeof p);
    __builtin_prefetch(&p);
    *p = 1;
//   ^ global
}
""",
    "what is read from a pipe": """\
struct S { int *p; };
kernel void k(read_only pipe struct S in) {
    struct S s = {0};
    read_pipe(in, &s);
    *s.p = 1;
//     ^ null or unknown
}
""",
    "inline assembly": """\
kernel void k(global int *g) {
    int *p = g, *q = 0, *r = 0, *s = 0;
    __asm__("mov %1, %0" : "=r"(q) : "r"(p));
    __asm__ volatile("st %1, [%0]" : : "r"(&r), "r"(p) : "memory");
    *q = 1;
//   ^ unknown
    *r = 1;
//   ^ unknown
    *s = 1;
//   ^ null
}
""",
    "what a function that is not known stores behind a pointer": """\
struct S { int *p; };
struct T { struct S *s; };
void elsewhere(struct T *t);
kernel void k(global int *g) {
    struct S s = {g}, other = {g};
    struct T t = {&s};
    elsewhere(&t);
    *s.p = 1;
//     ^ global or unknown
    *other.p = 1;
//         ^ global
}
""",
    "a struct and an array that share their place": """\
union U { struct { int *a; int *b; } s; int *arr[2]; };
kernel void k(global int *g, local int *l, int n) {
    union U u;
    u.s.a = g; u.arr[1] = l;
    *u.s.b = 1;
//       ^ global, local
    int *p = u.arr[n];
    //   ^ global, local
}
""",
    "structs that are chosen": """\
typedef struct { int *p; } S;
S pick(S a, S b, int n) { return n ? a : b; }
kernel void k(global int *g, local int *l, int n) {
    S a = {g}, b = {l};
    int *p = pick(a, b, n).p;
    //   ^ global, local
    S c = n ? a : b;
    p = c.p;
//  ^ global, local
    S d[2] = {a, b};
    p = d[n].p;
//  ^ global, local
    S e = *(n ? &a : &b);
    p = e.p;
//  ^ global, local
    p = (n ? a : b).p;
//  ^ global, local
    S *h = d;
    *h++ = a;
    p = h[-1].p;
//  ^ global, local
}
""",
    "members of members without a name": """\
struct A { union { int *p; ulong u; }; struct { int *q; }; int n; };
kernel void k(global int *g, local int *l) {
    struct A a;
    a.p = g;
    a.q = l;
    *a.p = 1;
//     ^ global
    *a.q = 1;
//     ^ local
    struct A b = a;
    *b.q = 1;
//     ^ local
    struct A *c = &b;
    *c->p = 2;
//      ^ global
    int *r = (int *)a.u;
    //   ^ global
}
""",
    "lists for members of members without a name": """\
struct A { union { int *p; float *f; }; struct { int *q; int *r; }; int *s; };
struct B { int n; union { struct { int *x; int *y; }; ulong w; }; int *z; };
kernel void k(global int *g, local int *l, local float *lf) {
    struct A a = {{g}, {l, g}, l}, b = {.f = lf, .r = g};
    *a.q = 1;
//     ^ local
    *a.r = 1;
//     ^ global
    *a.p = 1;
//     ^ global
    *a.s = 1;
//     ^ local
    *b.f = 1;
//     ^ local
    *b.p = 1;
//     ^ local
    *b.q = 1;
//     ^ null
    *b.r = 1;
//     ^ global
    struct B c;
    c.x = g;
    c.y = l;
    *c.x = 1;
//     ^ global, local
    c.z = g;
    *c.z = 1;
//     ^ global
}
""",
}


@pytest.mark.parametrize("name", SOURCES)
def test_what_lies_in_memory(name: str) -> None:
    assert wrong_marks(SOURCES[name]) == []
