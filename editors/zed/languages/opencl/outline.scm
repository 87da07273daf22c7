(preproc_def "#define" @context name: (identifier) @name) @item
(preproc_function_def "#define" @context name: (identifier) @name) @item

(struct_specifier "struct" @context name: (type_identifier) @name body: (_)) @item
(union_specifier "union" @context name: (type_identifier) @name body: (_)) @item
(enum_specifier "enum" @context name: (type_identifier) @name body: (_)) @item
(enumerator name: (identifier) @name) @item
(field_declaration declarator: (field_identifier) @name) @item
(type_definition "typedef" @context declarator: (type_identifier) @name) @item

; A kernel is shown with the word, so that it differs from the functions that it calls.
(function_definition
  (function_qualifier)? @context
  declarator: (function_declarator declarator: (identifier) @name)) @item
(function_definition
  (function_qualifier)? @context
  declarator: (pointer_declarator
    declarator: (function_declarator declarator: (identifier) @name))) @item

; Variables of the program scope
(translation_unit
  (declaration (type_qualifier)* @context declarator: (identifier) @name) @item)
(translation_unit
  (declaration (type_qualifier)* @context declarator: (init_declarator declarator: (identifier) @name)) @item)
(translation_unit
  (declaration
    (type_qualifier)* @context
    declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @item)
