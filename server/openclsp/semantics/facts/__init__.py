"""Facts: plain records about code, emitted by typing and flow analysis and checked by the rules.

No fact states whether it is an error. Facts are consumed at once by the rules that request their kind. Places
are ranges of token indices in the item (see `openclsp.semantics.facts.entities`).
"""
