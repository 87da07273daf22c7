; The package of tree-sitter-c has no query for folds: these are all.

[
  (compound_statement)
  (field_declaration_list)
  (enumerator_list)
  (initializer_list)
  (parameter_list)
  (argument_list)
  (vector_literal)
  (preproc_if)
  (preproc_ifdef)
  (preproc_elif)
  (preproc_else)
  (preproc_function_def)
  (comment)
] @fold

(preproc_include)+ @fold
