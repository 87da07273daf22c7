"""Signature help: the parameters of the function that is called at the cursor."""
