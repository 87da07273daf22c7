"""Calls of the built-in functions with pointer parameters, with pointers into every space in many forms."""

from __future__ import annotations

from collections.abc import Iterator

from .program import WITH_GENERIC, Program, matrix

_CALLS = {
    "fract": ("float", "fract(f, {p})"),
    "modf4": ("float4", "modf(f4, {p})"),
    "sincos-double": ("double", "sincos((double)f, {p})"),
    "frexp": ("int", "frexp(f, {p})"),
    "frexp2": ("int2", "frexp(f4.xy, {p})"),
    "remquo": ("int", "remquo(f, f, {p})"),
    "lgamma_r": ("int", "lgamma_r(f, {p})"),
    "vload2": ("int", "vload2(0, {p})"),
    "vload16": ("uchar", "vload16(0, {p})"),
    "vstore3": ("float", "vstore3(f4.xyz, 0, {p})"),
    "vstore8": ("short", "vstore8((short8)(0), 0, {p})"),
    "vload_half": ("half", "vload_half(0, {p})"),
    "vload_half4": ("half", "vload_half4(0, {p})"),
    "vloada_half2": ("half", "vloada_half2(0, {p})"),
    "vstore_half": ("half", "vstore_half(f, 0, {p})"),
    "vstore_half4_rtz": ("half", "vstore_half4_rtz(f4, 0, {p})"),
    "vstorea_half4": ("half", "vstorea_half4(f4, 0, {p})"),
    "prefetch": ("float", "prefetch({p}, 4)"),
    "atomic_add": ("int", "atomic_add({p}, 1)"),
    "atomic_inc": ("uint", "atomic_inc({p})"),
    "atomic_cmpxchg": ("int", "atomic_cmpxchg({p}, 1, 2)"),
    "atomic_xchg-float": ("float", "atomic_xchg({p}, f)"),
    "atom_add": ("int", "atom_add({p}, 1)"),
    "atom_min-long": ("long", "atom_min({p}, 1L)"),
    "copy-to": ("float", "async_work_group_copy({p}, g, 4, 0)"),
    "copy-from": ("float", "async_work_group_copy(l, {p}, 4, 0)"),
    "copy-strided": ("float", "async_work_group_strided_copy({p}, l, 4, 2, 0)"),
    "wait": ("event_t", "wait_group_events(1, {p})"),
    "atomic_store": ("atomic_int", "atomic_store({p}, 1)"),
    "atomic_load": ("atomic_uint", "atomic_load({p})"),
    "atomic_init": ("atomic_int", "atomic_init({p}, 1)"),
    "atomic_exchange": ("atomic_float", "atomic_exchange({p}, f)"),
    "atomic_fetch_or": ("atomic_int", "atomic_fetch_or_explicit({p}, 1, memory_order_relaxed)"),
    "atomic_flag": ("atomic_flag", "atomic_flag_test_and_set({p})"),
    "compare-object": ("atomic_int", "atomic_compare_exchange_strong({p}, &n, 1)"),
    "compare-expected": ("int", "atomic_compare_exchange_weak(a, {p}, 1)"),
    "to_global": ("int", "to_global({p})"),
    "to_local": ("float4", "to_local({p})"),
    "to_private": ("char", "to_private({p})"),
    "get_fence": ("int", "get_fence({p})"),
    "printf-format": ("char", "printf({p})"),
    "printf-string": ("char", 'printf("%s", {p})'),
    "printf-pointer": ("int", 'printf("%p", {p})'),
    "profiling": ("ulong", "capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, {p})"),
    "ndrange": ("size_t", "ndrange_2D({p})"),
    "marker": ("clk_event_t", "enqueue_marker(q, 1, {p}, &e)"),
    "as_ulong": ("int", "as_ulong({p})"),
    "as_float": ("float", "as_float({p})"),
}
"""Each with the type that its pointer points to, and a call in which `{p}` is that pointer."""

_FORMS = {
    "plain": ("{space}{type} *p", "p"),
    "const": ("const {space}{type} *p", "p"),
    "volatile": ("volatile {space}{type} *p", "p"),
    "behind": ("{space}{type} *p", "p + 1"),
    "element": ("{space}{type} *p", "&p[2]"),
    "pointee": ("{space}{type} *p", "*&p"),
    "through": ("{space}{type} **p", "*p"),
    "array": ("{space}{type} p[4]", "p"),
    "vector": ("{space}{type} (*p)[4]", "*p"),
    "void": ("{space}void *p", "p"),
    "unsigned": ("{space}ulong2 *p", "p"),
    "cast": ("{space}void *p", "({space}{type} *)p"),
    "cast-global": ("{space}{type} *p", "(global {type} *)p"),
    "choice": ("{space}{type} *p", "n ? p : p + 1"),
    "value": ("{space}{type} *p", "p[0]"),
}
"""How the pointer is declared as a parameter, and what is passed."""

_NEWER = {"atomic_store", "atomic_load", "atomic_init", "atomic_exchange", "atomic_fetch_or", "atomic_flag"}
_NEWER |= {"compare-object", "compare-expected"}
_DEVICE = {"profiling", "marker"}


def builtin_arguments() -> Iterator[Program]:
    """Yields every call with every form in every space, and with the address of an object."""
    for call, (type_, spelled) in _CALLS.items():
        others = ", global float *g, local float *l, float f, float4 f4, int n"
        others += ", volatile global atomic_int *a" if call in _NEWER else ""
        others += ", queue_t q, clk_event_t e" if call in _DEVICE else ""
        for form, (declared, passed) in _FORMS.items():
            # one line, as a function's unknown type is then on the line of everything that depends on it
            template = f"void f({declared}{others}){{{{ {spelled.format(p=passed)}; }}}}\n"
            template = template.replace("{type}", type_)
            yield from matrix(
                f"builtin-{call}-{form}", template.replace("{space}", "{S}"), letters=WITH_GENERIC
            )
        template = f"kernel void f({others[2:]}){{{{ {{S}}{type_} x; {spelled.format(p='&x')}; }}}}\n"
        yield from matrix(f"builtin-{call}-object", template)
