#define SPACE local
#include "switch.h"
#ifdef ON
#include "part.h"
#endif
#include "piece.cl"
kernel void ka(local int *p) { part(p); }
