; inherits: c
; For Neovim, which has the query for C: documentation comments, format strings and the bodies of macros.
