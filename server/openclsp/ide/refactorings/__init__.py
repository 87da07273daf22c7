"""Changes of healthy code that the user asks for, checked like fixes."""
