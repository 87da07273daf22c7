"""The compiled tree-sitter grammar of OpenCL C (grammar/ in the source tree)."""

def language() -> object:
    """The OpenCL C language, as the capsule that `tree_sitter.Language` takes."""
