/**
 * @file OpenCL C grammar for tree-sitter, by overriding rules of tree-sitter-c
 * @license MIT
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const C = require('tree-sitter-c/grammar');

const {PREC, commaSep, commaSep1} = C;

/** Precedence of what only tolerates an unexpanded macro: below every reading that C has. */
const TOLERANCE = {MODIFIER: -5, STATEMENT: -20};

const VECTOR_WIDTHS = [2, 3, 4, 8, 16];
const SCALARS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'half', 'float', 'double'];
const IMAGES = [
  '1d', '1d_buffer', '1d_array', '2d', '2d_array', '2d_depth', '2d_array_depth',
  '2d_msaa', '2d_array_msaa', '2d_msaa_depth', '2d_array_msaa_depth', '3d',
];
const ATOMICS = [
  'int', 'uint', 'long', 'ulong', 'half', 'float', 'double', 'flag', 'intptr_t', 'uintptr_t', 'size_t', 'ptrdiff_t',
];

/** Names of types that OpenCL C adds to C's (6.3.1 to 6.3.3 of the unified specification). */
const OPENCL_TYPES = [
  'uchar', 'ushort', 'uint', 'ulong', 'half',
  ...SCALARS.flatMap(scalar => VECTOR_WIDTHS.map(width => `${scalar}${width}`)),
  ...IMAGES.map(image => `image${image}_t`),
  ...ATOMICS.map(atomic => `atomic_${atomic}`),
  'sampler_t', 'event_t', 'clk_event_t', 'queue_t', 'ndrange_t', 'reserve_id_t', 'cl_mem_fence_flags',
];

/** `name` and `__name`, as every OpenCL C keyword of this kind may be spelled. */
const keyword = (...names) => choice(...names.flatMap(name => [name, `__${name}`]));

/** Any run of GNU or C23 attributes. */
const attributes = $ => repeat(choice($.attribute_specifier, $.attribute_declaration));

const pointer = ($, symbol, declarator) => prec.dynamic(1, prec.right(seq(
  symbol,
  repeat(choice($.ms_pointer_modifier, $.type_qualifier, $.attribute_specifier, $.attribute_declaration)),
  field('declarator', declarator),
)));

const attributed = ($, declarator) => prec.right(seq(
  declarator,
  repeat1(choice($.attribute_declaration, $.attribute_specifier)),
));

module.exports = grammar(C, {
  name: 'opencl',

  conflicts: ($, original) => original.concat([
    [$.comma_expression, $.vector_literal],
  ]),

  rules: {
    // Specifiers

    type_qualifier: (_, original) => choice(
      original,
      keyword('global', 'local', 'constant', 'private', 'generic'),
      keyword('read_only', 'write_only', 'read_write'),
      '__restrict',
    ),

    // `__restrict` is a qualifier here, as the other spellings are.
    ms_pointer_modifier: $ => choice(
      $.ms_unaligned_ptr_modifier,
      $.ms_unsigned_ptr_modifier,
      $.ms_signed_ptr_modifier,
    ),

    function_qualifier: _ => keyword('kernel'),

    storage_class_specifier: (_, original) => choice(original, '__block'),

    _declaration_modifiers: ($, original) => choice(original, $.function_qualifier),

    primitive_type: (_, original) => token(choice(...original.content.members, ...OPENCL_TYPES)),

    type_specifier: ($, original) => choice(original, $.pipe_type, $.typeof_specifier),

    pipe_type: $ => prec.right(seq(
      'pipe',
      repeat($.type_qualifier),
      field('element', $.type_specifier),
    )),

    typeof_specifier: $ => seq(
      choice('typeof', '__typeof__', '__typeof'),
      '(',
      field('operand', choice($.expression, $.comma_expression, $.type_descriptor)),
      ')',
    ),

    // Declarators

    pointer_declarator: $ => pointer($, '*', $._declarator),
    pointer_field_declarator: $ => pointer($, '*', $._field_declarator),
    pointer_type_declarator: $ => pointer($, '*', $._type_declarator),
    abstract_pointer_declarator: $ => pointer($, '*', optional($._abstract_declarator)),

    block_pointer_declarator: $ => pointer($, '^', $._declarator),
    block_pointer_field_declarator: $ => pointer($, '^', $._field_declarator),
    block_pointer_type_declarator: $ => pointer($, '^', $._type_declarator),
    abstract_block_pointer_declarator: $ => pointer($, '^', optional($._abstract_declarator)),

    _declarator: ($, original) => choice(original, $.block_pointer_declarator),
    _declaration_declarator: ($, original) => choice(original, $.block_pointer_declarator),
    _field_declarator: ($, original) => choice(original,
      alias($.block_pointer_field_declarator, $.block_pointer_declarator)),
    _type_declarator: ($, original) => choice(original,
      alias($.block_pointer_type_declarator, $.block_pointer_declarator)),
    _abstract_declarator: ($, original) => choice(original, $.abstract_block_pointer_declarator),

    // Expressions

    _expression_not_binary: ($, original) => choice(original, $.vector_literal, $.block_literal),

    vector_literal: $ => prec.dynamic(1, prec(PREC.CAST, seq(
      '(',
      field('type', $.type_descriptor),
      ')',
      '(',
      $.expression,
      repeat1(seq(',', $.expression)),
      ')',
    ))),

    // A suffix more: `1.0h` is a half.
    number_literal: (_, original) => token(seq(
      ...original.content.members.slice(0, -1),
      /[uUlLwWfFbBdDhH]*/,
    )),

    block_literal: $ => seq(
      '^',
      optional(choice(
        field('type', $.type_descriptor),
        field('parameters', $.parameter_list),
      )),
      field('body', $.compound_statement),
    ),
  },
});
