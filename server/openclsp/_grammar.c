/* Python binding of the grammar: openclsp._grammar.language() gives the capsule that tree_sitter.Language takes. */
#include <Python.h>

#include "tree_sitter/parser.h"

const TSLanguage *tree_sitter_opencl(void);

static PyObject *grammar_language(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args)) {
    return PyCapsule_New((void *)tree_sitter_opencl(), "tree_sitter.Language", NULL);
}

static PyMethodDef grammar_methods[] = {
    {"language", grammar_language, METH_NOARGS, "The OpenCL C language, as the capsule that tree_sitter.Language takes."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot grammar_slots[] = {
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef grammar_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "openclsp._grammar",
    .m_doc = "The compiled tree-sitter grammar of OpenCL C.",
    .m_size = 0,
    .m_methods = grammar_methods,
    .m_slots = grammar_slots,
};

PyMODINIT_FUNC PyInit__grammar(void) {
    return PyModuleDef_Init(&grammar_module);
}
