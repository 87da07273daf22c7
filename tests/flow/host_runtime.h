/* What the programs of a C file share: where objects lie, what a use sees, chance, and the end of a run. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define kernel
#define global
#define local
#define private
#define IN_GLOBAL __attribute__((section("globals"), aligned(64)))
#define IN_LOCAL __attribute__((section("locals"), aligned(64)))
typedef unsigned long ulong;

void *_NSConcreteStackBlock[32], *_NSConcreteGlobalBlock[32];
extern char __start_globals[], __stop_globals[], __start_locals[], __stop_locals[];
static int global_buffer[64] IN_GLOBAL __attribute__((used));
static int local_buffer[64] IN_LOCAL __attribute__((used));
static char arena[1 << 20] __attribute__((aligned(64)));
/* What a null or poisoned pointer leads to: an area of its own for each use, as C may read an argument after a later
   argument has been evaluated. */
enum { area_size = 1 << 10, area_count = 1 << 12 };
static char nowhere[area_count][area_size] __attribute__((aligned(64)));
static unsigned areas_used;
static unsigned long used;
static int steps;
static jmp_buf end_of_run;
static unsigned long state;
static unsigned steady;
static unsigned char *seen;

enum { is_global = 1, is_local = 2, is_private = 4, is_null = 8, is_stray = 16, is_poisoned = 32 };
#define POISON 0xa5a5a5a5a5a5a5a5ul

static unsigned chance(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state >> 33;
}
static void poison(void *at, unsigned long size) { memset(at, 0xa5, size); }
static void *make_private(unsigned long size) {
    void *made = arena + used;
    used += (size + 63) / 64 * 64;
    if (used > sizeof arena) longjmp(end_of_run, 1);
    poison(made, size);
    return made;
}
static void step(void) {
    if (++steps > 2000) longjmp(end_of_run, 1);
}
static int space_of(const void *pointer) {
    const char *at = pointer;
    if (!at) return is_null;
    if ((unsigned long)at == POISON || (at >= nowhere[0] && at < nowhere[area_count])) return is_poisoned;
    if (at >= __start_globals && at < __stop_globals) return is_global;
    if (at >= __start_locals && at < __stop_locals) return is_local;
    if (at >= arena && at < arena + sizeof arena) return is_private;
    return is_stray;
}
static void see(int use, const void *pointer) { seen[use] |= space_of(pointer); }
static void *real(const void *pointer) {
    if (space_of(pointer) & (is_global | is_local | is_private)) return (void *)pointer;
    char *area = nowhere[areas_used++ % area_count];
    poison(area, area_size);
    return area;
}

#define PRIVATE(type, name) typeof(type) *name = make_private(sizeof(type))
#define SEE(use, value) ({ __auto_type _v = (value); see(use, (const void *)_v); _v; })
#define REAL(value) ({ __auto_type _r = (value); (typeof(_r))real(_r); })
#define TO(space, value) ({ __auto_type _t = (value); space_of(_t) & (is_##space | is_poisoned) ? _t : (typeof(_t))0; })
#define ONLY(space, value) \
    ({ __auto_type _c = (value); space_of(_c) & (is_##space | is_null) ? _c : (typeof(_c))POISON; })

static void runs(int program, void (*run)(void), int uses, unsigned long seed, int count) {
    unsigned char marks[uses + 1];
    memset(marks, 0, sizeof marks);
    seen = marks;
    for (int number = 0; number < count; number++) {
        state = (seed + number + 1) * 0x9e3779b97f4a7c15ul;
        used = 0, steps = 0, steady = chance();
        if (!setjmp(end_of_run)) run();
    }
    printf("%d", program);
    for (int use = 0; use < uses; use++) printf(" %d", marks[use]);
    printf("\n");
}
