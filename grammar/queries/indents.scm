; inherits: c
; For nvim-treesitter, which has the query for C first.

(vector_literal) @indent.begin
