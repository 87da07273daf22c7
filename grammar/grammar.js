/**
 * @file OpenCL C grammar for tree-sitter, by overriding rules of tree-sitter-c
 * @license MIT
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const C = require('tree-sitter-c/grammar');

const {PREC, commaSep1, preprocessor, preprocIf} = C;

/** Dynamic precedence of what only tolerates an unexpanded macro: below every reading that C itself has. */
const TOLERANCE = {MODIFIER: -5, TYPE_ARGUMENT: -12, ARGUMENT: -15, STATEMENT: -20};

/**
 * What `(T)(a, b)` is, best first: a call where T is a name (as in tree-sitter-c, which cannot know types either), a
 * vector literal where T can only be a type, a cast of a comma expression never.
 */
const DYNAMIC = {VECTOR_LITERAL: -1, COMMA: -2, SIZEOF_TYPE: -1};

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

/** `name` and `__name`, as a keyword of OpenCL C may be spelled either way. */
const either = (...names) => choice(...names.flatMap(name => [name, `__${name}`]));

/** The end of a directive's line. The file's last line must end in one too. */
const endOfLine = () => token.immediate(/[ \t\f\v]*\r?\n/);

const anAttribute = $ => choice($.attribute_specifier, $.attribute_declaration);

const pointer = ($, symbol, declarator) => prec.dynamic(1, prec.right(seq(
  optional($.ms_based_modifier),
  symbol,
  repeat(choice($.ms_pointer_modifier, $.type_qualifier, anAttribute($))),
  field('declarator', declarator),
)));

const abstractPointer = ($, symbol) => prec.dynamic(1, prec.right(seq(
  symbol,
  repeat(choice($.ms_pointer_modifier, $.type_qualifier, anAttribute($))),
  field('declarator', optional($._abstract_declarator)),
)));

const parenthesized = ($, declarator) => seq(
  '(',
  repeat(choice($.ms_call_modifier, $.attribute_specifier)),
  declarator,
  ')',
);

const functionHead = ($, declarator) => prec(1, seq(
  field('declarator', declarator),
  field('parameters', $.parameter_list),
  optional($.gnu_asm_expression),
));

// No rule of its own: error recovery tries few reductions before it gives up inserting a missing semicolon.
const initializedDeclarator = $ => choice(
  seq(optional($.ms_call_modifier), $._declaration_declarator, optional($.gnu_asm_expression)),
  $.init_declarator,
);

const caseLabel = $ => seq(
  choice(
    seq('case', field('value', $.expression), optional(seq('...', field('end', $.expression)))),
    'default',
  ),
  ':',
);

const attributed = ($, declarator) => prec.right(seq(declarator, repeat1(anAttribute($))));

const tagged = $ => choice($.struct_specifier, $.union_specifier, $.enum_specifier);

const record = ($, word) => prec.right(seq(
  word,
  repeat(choice(anAttribute($), $.ms_declspec_modifier)),
  choice(
    seq(field('name', $._type_identifier), field('body', optional($.field_declaration_list))),
    field('body', $.field_declaration_list),
  ),
  repeat($.attribute_specifier),
));

module.exports = grammar(C, {
  name: 'opencl',

  conflicts: ($, original) => [
    [$._declarator, $.type_specifier, $.macro_modifier],
    [$.parameter_declaration],
    // `enum_specifier` alone is no conflict any more: its attributes are taken by a precedence.
    ...original.filter(names => names.length > 1 || names[0].name !== 'enum_specifier'),

    // A name may be a macro's as long as what follows does not tell.
    [$.type_specifier, $.macro_modifier],
    [$.sized_type_specifier, $.macro_modifier],
    [$.type_specifier, $.sized_type_specifier, $.macro_modifier],
    [$.expression, $.macro_statement],
    [$.type_specifier, $.expression, $.macro_type_specifier, $.macro_statement],

    // A type or an expression as argument: f(int) may also be a type that a macro makes.
    [$.type_specifier, $._plain_type_descriptor],
    [$._strict_type_descriptor, $._plain_type_descriptor],

    // `(T)(a, b)`: see DYNAMIC.
    [$.comma_expression, $.vector_literal],

    // `^__attribute__((x))` may begin a block's result type, or stand before its body.
    [$.type_descriptor],
    [$.type_descriptor, $.block_literal],

    // `generic` and `pipe` are keywords or names by what follows.
    [$._declaration_specifiers],
    [$.type_qualifier, $._soft_keyword],
    [$.pipe_type, $._soft_keyword],

    // Attributes: before a declarator or in its parentheses, of a pointer with a name or without.
    [$._declaration_modifiers, $.abstract_parenthesized_declarator],
    [$._declaration_modifiers, $.parenthesized_declarator, $.abstract_parenthesized_declarator],
    [$.attributed_declarator, $.parameter_declaration],

    // `static struct S { };` has no declarator.
    [$.declaration, $._declaration_specifiers],
  ],

  rules: {
    // The preprocessor's lines, in text that was not expanded

    preproc_include: $ => seq(
      preprocessor('include'),
      field('path', choice(
        $.string_literal,
        $.system_lib_string,
        $.identifier,
        // #include STRINGIFY(PATH/name.h): what a macro makes of it is no expression.
        alias(token(prec(1, /[A-Za-z_]\w*[ \t]*\([^\r\n]*/)), $.preproc_arg),
      )),
      endOfLine(),
    ),

    // tree-sitter-c's preproc_arg ends before a comment: what follows the comment is one more.
    _macro_body: $ => repeat1(field('value', $.preproc_arg)),

    preproc_def: $ => seq(
      preprocessor('define'),
      field('name', $.identifier),
      optional($._macro_body),
      endOfLine(),
    ),

    preproc_function_def: $ => seq(
      preprocessor('define'),
      field('name', $.identifier),
      field('parameters', $.preproc_params),
      optional($._macro_body),
      endOfLine(),
    ),

    preproc_call: $ => seq(
      field('directive', $.preproc_directive),
      repeat(field('argument', $.preproc_arg)),
      endOfLine(),
    ),

    // Specifiers

    type_qualifier: (_, original) => choice(
      original,
      either('global', 'local', 'constant', 'private', 'generic'),
      either('read_only', 'write_only', 'read_write'),
      '__const', '__volatile', '__volatile__',
    ),

    function_qualifier: _ => either('kernel'),

    storage_class_specifier: (_, original) => choice(original, '__block'),

    _declaration_modifiers: ($, original) => choice(original, $.function_qualifier),

    _declaration_specifiers: $ => seq(
      repeat(choice($._declaration_modifiers, $.macro_modifier)),
      field('type', $.type_specifier),
      repeat($._declaration_modifiers),
    ),

    type_descriptor: $ => seq(
      repeat(choice($.type_qualifier, anAttribute($), $.macro_modifier)),
      field('type', $.type_specifier),
      repeat(choice($.type_qualifier, anAttribute($))),
      field('declarator', optional($._abstract_declarator)),
    ),

    // No macro_modifier: f(a b) is a call that lacks a comma, not a type.
    macro_type_specifier: $ => prec.dynamic(-1, seq(
      field('name', $.identifier),
      '(',
      field('type', alias($._strict_type_descriptor, $.type_descriptor)),
      ')',
    )),

    _strict_type_descriptor: $ => seq(
      repeat(choice($.type_qualifier, anAttribute($))),
      field('type', $.type_specifier),
      repeat(choice($.type_qualifier, anAttribute($))),
      field('declarator', optional($._abstract_declarator)),
    ),

    // A type that cannot be taken for an expression, where both may stand.
    _plain_type_descriptor: $ => prec.dynamic(TOLERANCE.TYPE_ARGUMENT, seq(
      choice(
        seq(repeat1(choice($.type_qualifier, $.attribute_specifier)), field('type', $.type_specifier)),
        field('type', choice(
          $.primitive_type, $.sized_type_specifier, $.struct_specifier, $.union_specifier, $.enum_specifier,
          $.typeof_specifier,
        )),
      ),
      repeat(choice($.type_qualifier, $.attribute_specifier)),
      field('declarator', optional($._abstract_declarator)),
    )),

    _type_definition_type: $ => seq(
      repeat(choice($.type_qualifier, anAttribute($), $.macro_modifier)),
      field('type', $.type_specifier),
      repeat(choice($.type_qualifier, anAttribute($))),
    ),

    type_definition: $ => seq(
      optional('__extension__'),
      'typedef',
      choice(
        seq($._type_definition_type, $._type_definition_declarators),
        // typedef struct S { int a; };
        field('type', tagged($)),
      ),
      ';',
    ),

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

    struct_specifier: $ => record($, 'struct'),
    union_specifier: $ => record($, 'union'),

    enum_specifier: $ => prec.right(seq(
      'enum',
      repeat(anAttribute($)),
      choice(
        seq(
          field('name', $._type_identifier),
          optional(seq(':', field('underlying_type', $.primitive_type))),
          field('body', optional($.enumerator_list)),
        ),
        field('body', $.enumerator_list),
      ),
      repeat($.attribute_specifier),
    )),

    enumerator: $ => seq(
      field('name', $.identifier),
      repeat(anAttribute($)),
      optional(seq('=', field('value', $.expression))),
    ),

    // Attributes

    attribute_specifier: $ => seq(
      choice('__attribute__', '__attribute'),
      '(',
      choice(alias($._gnu_attributes, $.argument_list), $.identifier),
      ')',
    ),

    _gnu_attributes: $ => seq('(', optional($._gnu_attribute), repeat(seq(',', optional($._gnu_attribute))), ')'),

    _gnu_attribute: $ => choice(
      $.identifier,
      alias('const', $.identifier),
      alias($.gnu_attribute_call, $.call_expression),
    ),

    gnu_attribute_call: $ => seq(field('function', $.identifier), field('arguments', $.argument_list)),

    attribute_declaration: $ => seq(
      '[[',
      optional($.attribute),
      repeat(seq(',', optional($.attribute))),
      ']]',
    ),

    // Declarators

    pointer_declarator: $ => pointer($, '*', $._declarator),
    pointer_field_declarator: $ => pointer($, '*', $._field_declarator),
    pointer_type_declarator: $ => pointer($, '*', $._type_declarator),
    abstract_pointer_declarator: $ => abstractPointer($, '*'),

    block_pointer_declarator: $ => pointer($, '^', $._declarator),
    block_pointer_field_declarator: $ => pointer($, '^', $._field_declarator),
    block_pointer_type_declarator: $ => pointer($, '^', $._type_declarator),
    abstract_block_pointer_declarator: $ => abstractPointer($, '^'),

    parenthesized_declarator: $ => prec.dynamic(PREC.PAREN_DECLARATOR, parenthesized($, $._declarator)),
    parenthesized_field_declarator: $ => prec.dynamic(PREC.PAREN_DECLARATOR, parenthesized($, $._field_declarator)),
    parenthesized_type_declarator: $ => prec.dynamic(PREC.PAREN_DECLARATOR, parenthesized($, $._type_declarator)),
    abstract_parenthesized_declarator: $ => prec(1, parenthesized($, $._abstract_declarator)),

    attributed_declarator: $ => attributed($, $._declarator),
    attributed_field_declarator: $ => attributed($, $._field_declarator),
    attributed_type_declarator: $ => attributed($, $._type_declarator),

    // The attributes that follow the parameters stay inside, as in tree-sitter-c.
    function_declarator: $ => prec.right(seq(
      functionHead($, $._declarator),
      repeat(choice(
        $.attribute_specifier,
        $.identifier,
        alias($.preproc_call_expression, $.call_expression),
      )),
    )),

    _function_declaration_declarator: $ => prec.right(seq(
      functionHead($, $._declarator),
      repeat($.attribute_specifier),
    )),

    _declarator: ($, original) => choice(
      original,
      $.block_pointer_declarator,
      alias($._soft_keyword, $.identifier),
    ),
    _declaration_declarator: ($, original) => choice(
      original,
      $.block_pointer_declarator,
      alias($._soft_keyword, $.identifier),
    ),
    _field_declarator: ($, original) => choice(
      original,
      alias($.block_pointer_field_declarator, $.block_pointer_declarator),
    ),
    _type_declarator: ($, original) => choice(
      original,
      alias($.block_pointer_type_declarator, $.block_pointer_declarator),
    ),
    _abstract_declarator: ($, original) => choice(original, $.abstract_block_pointer_declarator),

    // Declarations

    declaration: $ => choice(
      seq(
        $._declaration_specifiers,
        field('declarator', initializedDeclarator($)),
        repeat(seq(',', repeat($.attribute_specifier), field('declarator', initializedDeclarator($)))),
        ';',
      ),
      // static struct S { int a; };
      seq(
        repeat1($._declaration_modifiers),
        field('type', choice(tagged($), $.primitive_type, $.sized_type_specifier)),
        ';',
      ),
    ),

    parameter_declaration: $ => seq(
      $._declaration_specifiers,
      optional(field('declarator', choice($._declarator, $._abstract_declarator))),
    ),

    parameter_list: $ => seq(
      '(',
      choice(
        seq(
          repeat(choice(
            seq(choice($.parameter_declaration, $.variadic_parameter), ','),
            alias($.preproc_if_in_parameter_list, $.preproc_if),
            alias($.preproc_ifdef_in_parameter_list, $.preproc_ifdef),
          )),
          optional(seq(
            choice($.parameter_declaration, $.variadic_parameter),
            // f(int x MORE_PARAMETERS)
            optional($.macro_modifier),
            repeat(choice(
              alias($.preproc_if_in_parameter_list, $.preproc_if),
              alias($.preproc_ifdef_in_parameter_list, $.preproc_ifdef),
            )),
          )),
        ),
        $.compound_statement,
      ),
      ')',
    ),

    ...preprocIf('_in_parameter_list', $ => choice(
      ',',
      $.parameter_declaration,
      $.preproc_def,
      $.preproc_function_def,
      $.preproc_call,
    ), -1),

    field_declaration: $ => seq(
      $._declaration_specifiers,
      optional($._field_declaration_declarator),
      ';',
    ),

    _field_declaration_declarator: $ => commaSep1(choice(
      seq(field('declarator', $._field_declarator), optional($._bitfield)),
      $._bitfield,
    )),

    _bitfield: $ => seq($.bitfield_clause, repeat($.attribute_specifier)),

    static_assert_declaration: $ => seq(
      '_Static_assert',
      '(',
      field('condition', $.expression),
      optional(seq(',', field('message', $._string))),
      ')',
      ';',
    ),

    label_declaration: $ => seq('__label__', commaSep1(field('label', $._statement_identifier)), ';'),

    _top_level_item: ($, original) => choice(original, $.static_assert_declaration, $.macro_statement),
    _block_item: ($, original) => choice(
      original,
      $.static_assert_declaration,
      $.label_declaration,
      seq(
        alias($._bare_macro_statement, $.macro_statement),
        choice(
          $.if_statement, $.switch_statement, $.while_statement, $.do_statement, $.for_statement, $.return_statement,
        ),
      ),
    ),
    _field_declaration_list_item: ($, original) => choice(original, $.static_assert_declaration, ';'),

    function_definition: $ => seq(
      optional($.ms_call_modifier),
      $._declaration_specifiers,
      optional($.ms_call_modifier),
      field('declarator', $._declarator),
      field('body', $.compound_statement),
    ),

    // Statements

    _non_case_statement: ($, original) => choice(original, $.macro_statement),

    compound_statement: $ => seq(
      '{',
      repeat($._block_item),
      optional(alias($._bare_macro_statement, $.macro_statement)),
      '}',
    ),

    if_statement: $ => choice(
      prec.right(seq(
        'if',
        field('condition', $.parenthesized_expression),
        field('consequence', $._substatement),
        optional(field('alternative', $.else_clause)),
      )),
      seq(
        'if',
        field('condition', $.parenthesized_expression),
        field('consequence', alias($._bare_macro_statement, $.macro_statement)),
        field('alternative', $.else_clause),
      ),
    ),

    else_clause: $ => seq('else', $._substatement),

    switch_statement: $ => seq(
      'switch',
      field('condition', $.parenthesized_expression),
      field('body', $._substatement),
    ),

    while_statement: $ => seq(
      'while',
      field('condition', $.parenthesized_expression),
      field('body', $._substatement),
    ),

    do_statement: $ => seq(
      'do',
      field('body', $._substatement),
      'while',
      field('condition', $.parenthesized_expression),
      ';',
    ),

    for_statement: $ => seq(
      'for',
      '(',
      $._for_statement_body,
      ')',
      field('body', $._substatement),
    ),

    attributed_statement: $ => seq(repeat1(anAttribute($)), $._substatement),

    labeled_statement: $ => prec.right(seq(
      field('label', $._statement_identifier),
      ':',
      optional(choice($.declaration, $._empty_declaration, $._substatement)),
    )),

    case_statement: $ => prec.right(seq(
      caseLabel($),
      repeat(choice($._non_case_statement, $.declaration, $._empty_declaration, $.type_definition)),
    )),

    // A part of another statement. In a block, a `case` contains all statements up to the next label; here, only one.
    _substatement: $ => choice(
      alias($._single_case_statement, $.case_statement),
      $._non_case_statement,
    ),

    _single_case_statement: $ => seq(caseLabel($), $._substatement),

    // Initialisers

    // GNU C allows an array designator without `=`.
    initializer_pair: ($, original) => choice(
      original,
      seq(
        field('designator', choice($.subscript_designator, $.subscript_range_designator)),
        field('value', choice($.expression, $.initializer_list)),
      ),
    ),

    // Expressions

    _expression_not_binary: ($, original) => choice(
      original,
      $.vector_literal,
      $.block_literal,
      $.label_address_expression,
      alias($._soft_keyword, $.identifier),
    ),

    _assignment_left_expression: ($, original) => choice(
      original,
      $.compound_literal_expression,
      $.generic_expression,
      alias($._soft_keyword, $.identifier),
    ),

    comma_expression: (_, original) => prec.dynamic(DYNAMIC.COMMA, original),

    // Words that are keywords in some versions only, and ordinary names elsewhere.
    _soft_keyword: _ => choice('generic', 'pipe'),

    // Below concatenated_string, which takes a macro's name too: "%" PRIu64.
    _string: $ => prec(-1, choice($.string_literal, $.concatenated_string)),

    vector_literal: $ => prec.dynamic(DYNAMIC.VECTOR_LITERAL, prec(PREC.CAST, seq(
      '(',
      field('type', $.type_descriptor),
      ')',
      '(',
      $.expression,
      repeat1(seq(',', $.expression)),
      ')',
    ))),

    block_literal: $ => seq(
      '^',
      optional(choice(
        field('type', $.type_descriptor),
        field('parameters', $.parameter_list),
      )),
      repeat($.attribute_specifier),
      field('body', $.compound_statement),
    ),

    label_address_expression: $ => prec(PREC.UNARY, seq('&&', field('label', $._statement_identifier))),

    subscript_expression: $ => prec(PREC.SUBSCRIPT, seq(
      field('argument', $.expression),
      '[',
      field('index', choice($.expression, $.comma_expression)),
      ']',
    )),

    argument_list: $ => seq(
      '(',
      optional(seq(
        commaSep1(choice(
          $.expression,
          $.compound_statement,
          alias($._plain_type_descriptor, $.type_descriptor),
        )),
        optional($.macro_argument),
      )),
      ')',
    ),

    offsetof_expression: $ => prec(PREC.OFFSETOF, seq(
      choice('offsetof', '__builtin_offsetof'),
      '(',
      field('type', $.type_descriptor),
      ',',
      field('member', $._field_identifier),
      repeat(choice($.field_designator, $.subscript_designator)),
      ')',
    )),

    // `sizeof (a)[0]` is the size of an element, not a subscript of the size of a type.
    sizeof_expression: $ => prec(PREC.SIZEOF, seq(
      'sizeof',
      choice(
        field('value', $.expression),
        prec.dynamic(DYNAMIC.SIZEOF_TYPE, seq('(', field('type', $.type_descriptor), ')')),
      ),
    )),

    alignof_expression: $ => prec(PREC.SIZEOF, seq(
      choice('__alignof__', '__alignof', '_alignof', 'alignof', '_Alignof'),
      choice(
        field('value', $.expression),
        prec.dynamic(DYNAMIC.SIZEOF_TYPE, seq('(', field('type', $.type_descriptor), ')')),
      ),
    )),

    generic_expression: $ => prec(PREC.CALL, seq(
      '_Generic',
      '(',
      $.expression,
      ',',
      commaSep1(seq(choice($.type_descriptor, 'default'), ':', $.expression)),
      ')',
    )),

    // A suffix more: `1.0h` is a half.
    number_literal: (_, original) => token(seq(
      ...original.content.members.slice(0, -1),
      /[uUlLwWfFbBdDhH]*/,
    )),

    // Unexpanded macros

    // STATIC_INLINE float f(void), (GLOBAL_AS int *)p. Not between type and declarator, nor after `*`: there a name is the
    // declarator's, and the next line of a declaration whose semicolon is missing would take it away.
    macro_modifier: $ => prec.dynamic(TOLERANCE.MODIFIER, $.identifier),

    // f(x, y MORE_ARGUMENTS); in expanded text a comma is missing.
    macro_argument: $ => prec.dynamic(TOLERANCE.ARGUMENT, $.identifier),

    // DECLARE_KERNEL(float4), without the semicolon
    macro_statement: $ => prec.dynamic(TOLERANCE.STATEMENT, seq(
      field('name', $.identifier),
      field('arguments', $.argument_list),
    )),

    // BARRIER before a brace, an `else`, or a statement that begins with a keyword. Elsewhere a name alone is taken for
    // the type of what follows.
    _bare_macro_statement: $ => prec.dynamic(TOLERANCE.STATEMENT, field('name', $.identifier)),
  },
});
