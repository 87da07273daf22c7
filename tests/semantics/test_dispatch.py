"""Every node kind of the grammar is typed, traversed, or listed with a reason."""

from __future__ import annotations

import json
from pathlib import Path

import openclsp.semantics.typing.item_typing  # noqa: F401 - registers what is typed
import pytest
from openclsp.semantics.typing.dispatch import handled_kinds

NODE_TYPES = Path(__file__).parents[2] / "grammar" / "src" / "node-types.json"

READ_BY_THEIR_PARENT = """
    abstract_array_declarator abstract_block_pointer_declarator abstract_function_declarator
    abstract_parenthesized_declarator abstract_pointer_declarator array_declarator attributed_declarator
    block_pointer_declarator function_declarator init_declarator parenthesized_declarator pointer_declarator
    attribute attribute_declaration attribute_specifier bitfield_clause function_qualifier
    storage_class_specifier type_qualifier ms_pointer_modifier macro_modifier argument_list parameter_list
    parameter_declaration variadic_parameter enumerator enumerator_list field_declaration
    field_declaration_list field_designator subscript_designator subscript_range_designator initializer_list
    initializer_pair field_identifier character escape_sequence string_content statement_identifier comment
    alignas_qualifier
"""
WALKED_THROUGH = """
    translation_unit attributed_statement break_statement case_statement compound_statement continue_statement
    declaration do_statement else_clause expression_statement for_statement function_definition goto_statement
    if_statement label_declaration labeled_statement return_statement static_assert_declaration
    switch_statement type_definition while_statement macro_argument macro_statement
"""
NOT_OPENCL_C = """
    declaration_list linkage_specification gnu_asm_clobber_list gnu_asm_goto_list gnu_asm_input_operand
    gnu_asm_input_operand_list gnu_asm_output_operand gnu_asm_output_operand_list gnu_asm_qualifier
    label_address_expression ms_based_modifier ms_call_modifier ms_declspec_modifier ms_signed_ptr_modifier
    ms_unaligned_ptr_modifier ms_unsigned_ptr_modifier ms_restrict_modifier null seh_except_clause
    seh_finally_clause seh_leave_statement seh_try_statement import_declaration
"""


def named_kinds() -> list[str]:
    entries = json.loads(NODE_TYPES.read_text(encoding="utf-8"))
    named = (entry["type"] for entry in entries if entry["named"] and "subtypes" not in entry)
    # directives are gone from expanded text
    return [kind for kind in named if not kind.startswith(("preproc_", "system_lib_string"))]


@pytest.mark.parametrize("kind", named_kinds())
def test_the_kind_is_handled(kind: str) -> None:
    listed = set((READ_BY_THEIR_PARENT + WALKED_THROUGH + NOT_OPENCL_C).split())
    assert kind in handled_kinds() or kind in listed
