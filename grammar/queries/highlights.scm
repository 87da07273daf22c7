; inherits: c
; (the line above is for Neovim, which then reads its own query for C first)
; What OpenCL C adds to tree-sitter-c's highlights. Join the two, C's first: the last pattern that fits decides.

(function_qualifier) @keyword

(type_qualifier
  [
    "global" "__global"
    "local" "__local"
    "constant" "__constant"
    "private" "__private"
    "generic" "__generic"
    "read_only" "__read_only"
    "write_only" "__write_only"
    "read_write" "__read_write"
    "restrict" "__restrict__"
    "__const" "__volatile" "__volatile__"
  ] @keyword)

(ms_restrict_modifier) @keyword

[
  "goto"
  "__block"
  "__label__"
  "_Static_assert"
  "typeof" "__typeof__" "__typeof"
  "__attribute__" "__attribute"
] @keyword

(pipe_type "pipe" @keyword)

(block_literal "^" @operator)
(block_pointer_declarator "^" @operator)
(abstract_block_pointer_declarator "^" @operator)
(case_statement "..." @operator)

(attribute name: (identifier) @attribute)
(attribute_specifier
  (argument_list
    [
      (identifier) @attribute
      (call_expression function: (identifier) @attribute)
    ]))

(label_address_expression label: (statement_identifier) @label)

; A block is called by its name, as a function is.
(function_declarator
  declarator: (parenthesized_declarator
    (block_pointer_declarator
      declarator: (identifier) @function)))

(macro_modifier (identifier) @constant)
(macro_argument (identifier) @constant)
(macro_statement name: (identifier) @function.special)
(macro_type_specifier name: (identifier) @function.special)
