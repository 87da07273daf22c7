"""What typing an item tells the rules: plain facts, each with its place; none says whether it is an error.

Facts are made by the declared layer and by the flow layer, and consumed at once by the rules that ask for their kind.
Places are leaves of the item (see `openclsp.semantics.entities`).
"""
