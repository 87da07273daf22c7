"""The flow layer: which spaces reach a generic pointer, and along which way. Advisory; no error rests on it."""
