; Zed joins no query of another language, so these highlights contain those of C. A later pattern takes precedence.

(identifier) @variable
(field_identifier) @property
(statement_identifier) @label
(type_identifier) @type
(primitive_type) @type
(sized_type_specifier) @type

((identifier) @constant
  (#match? @constant "^_*[A-Z][A-Z0-9_]*$"))

(call_expression function: (identifier) @function)
(call_expression function: (field_expression field: (field_identifier) @function))
(function_declarator declarator: (identifier) @function)
(preproc_function_def name: (identifier) @function)
(preproc_def name: (identifier) @constant)

; A block is called by its name, as a function is.
(function_declarator
  declarator: (parenthesized_declarator
    (block_pointer_declarator declarator: (identifier) @function)))

(attribute name: (identifier) @attribute)
(attribute_specifier
  (argument_list
    [
      (identifier) @attribute
      (call_expression function: (identifier) @attribute)
    ]))

; Macros that are not expanded
(macro_modifier (identifier) @constant)
(macro_argument (identifier) @constant)
(macro_statement name: (identifier) @function)
(macro_type_specifier name: (identifier) @function)

[
  "break"
  "case"
  "continue"
  "default"
  "do"
  "else"
  "enum"
  "extern"
  "for"
  "goto"
  "if"
  "inline"
  "return"
  "sizeof"
  "static"
  "struct"
  "switch"
  "typedef"
  "union"
  "while"
  "_Static_assert"
  "typeof"
  "__typeof__"
  "__typeof"
  "__attribute__"
  "__attribute"
  "__block"
  "__label__"
] @keyword

(type_qualifier) @keyword
(function_qualifier) @keyword
(storage_class_specifier) @keyword
(pipe_type "pipe" @keyword)

[
  "#define"
  "#elif"
  "#else"
  "#endif"
  "#if"
  "#ifdef"
  "#ifndef"
  "#include"
] @preproc
(preproc_directive) @preproc

[
  "="
  "+="
  "-="
  "*="
  "/="
  "%="
  "&="
  "|="
  "^="
  "<<="
  ">>="
  "+"
  "-"
  "*"
  "/"
  "%"
  "++"
  "--"
  "&"
  "|"
  "^"
  "~"
  "<<"
  ">>"
  "&&"
  "||"
  "!"
  "=="
  "!="
  "<"
  ">"
  "<="
  ">="
  "->"
  "?"
  "..."
] @operator

["." ";" "," ":"] @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket

(number_literal) @number
(char_literal) @string
(string_literal) @string
(system_lib_string) @string
(escape_sequence) @string.escape
(true) @boolean
(false) @boolean
(null) @constant
(comment) @comment
