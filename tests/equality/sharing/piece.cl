#include "part.h"
int piece(SPACE int *p) { global int *q = p; return part(q); }
