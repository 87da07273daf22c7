(comment) @comment.inclusive
(string_literal) @string
