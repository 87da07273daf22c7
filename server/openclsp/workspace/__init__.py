"""Files and build options of a project; plans the translation units to be analysed."""
