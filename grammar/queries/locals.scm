; The package of tree-sitter-c has no query for local names: these are all.

; Scopes

[
  (translation_unit)
  (function_definition)
  (compound_statement)
  (block_literal)
  (for_statement)
] @local.scope

; Definitions

(parameter_declaration declarator: (identifier) @local.definition)
(declaration declarator: (identifier) @local.definition)
(init_declarator declarator: (identifier) @local.definition)
(pointer_declarator declarator: (identifier) @local.definition)
(block_pointer_declarator declarator: (identifier) @local.definition)
(array_declarator declarator: (identifier) @local.definition)
(attributed_declarator (identifier) @local.definition)
(function_declarator declarator: (identifier) @local.definition)
(enumerator name: (identifier) @local.definition)
(preproc_def name: (identifier) @local.definition)
(preproc_function_def name: (identifier) @local.definition)
(type_definition declarator: (type_identifier) @local.definition)

; References

(identifier) @local.reference
(type_identifier) @local.reference
