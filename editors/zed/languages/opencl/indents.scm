[
  (init_declarator)
  (assignment_expression)
  (field_expression)
  (for_statement)
  (while_statement)
  (do_statement)
  (if_statement)
  (else_clause)
  (case_statement)
] @indent

(_ "{" "}" @end) @indent
(_ "(" ")" @end) @indent
(_ "[" "]" @end) @indent
