"""Selects clang's errors about address spaces, by message or by note."""

from __future__ import annotations

import re

_ABOUT = re.compile(
    r"changes address space of (nested )?pointer"
    r"|pointers to non-overlapping address spaces"
    r"|pointer arguments to kernel functions must reside in"
    r"|kernel parameter cannot be declared as a pointer to a pointer"
    r"|may not be qualified with an address space"
    r"|return type cannot be qualified with address space"
    r"|automatic variable qualified with an (invalid )?address space"
    r"|variables? cannot be declared in \w+ address space"
    r"|variables in the \w+ address space can only be declared"
    r"|(program scope|static local|extern) variable must reside in"
    r"|variable in constant address space must be initialized"
    r"|multiple address spaces specified"
    r"|address space is (negative|larger)"
    r"|'__local' variable cannot have an initializer"
    r"|sampler type cannot be used with the __local and __global"
    r"|global sampler requires a const or constant"
    r"|event_t type can only be used with __private"
    r"|atomic variable can be (assigned|initialized) to a variable only in global"
    r"|expecting a generic pointer argument"
    r"|expected to have parameters of type 'local void\*'"
    r"|does not support the '(__)?generic' type qualifier"
    r"|variables in function scope cannot be declared static"
)
"""The spaces are what these say (clang 22's DiagnosticSemaKinds.td)."""

_PERHAPS = re.compile(
    r"no matching function for call|call to .* is ambiguous|conflicting types for"
    r"|redefinition of .* with a different type|redeclaration of .* with a different type|typedef redefinition"
    r"|read-only variable is not assignable|cannot assign to"
    r"|initializer element is not a compile-time constant|incompatible (integer to )?pointer"
    r"|address argument to atomic|does not support the '\w+' storage class"
)
"""A wrong space may lie behind these, as may other faults."""


def is_about_spaces(message: str) -> bool:
    """Whether the error can have no other cause than an address space."""
    return _ABOUT.search(message) is not None


def may_be_about_spaces(message: str) -> bool:
    """Whether an address space may be the cause, among others."""
    return _PERHAPS.search(message) is not None
