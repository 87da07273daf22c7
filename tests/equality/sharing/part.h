#ifndef PART
#define PART
int part(SPACE int *p) { local int *q = p; return *q; }
#endif
