#define SPACE constant
#include "switch.h"
#if ON
#include "part.h"
#else
#include "piece.cl"
#endif
kernel void kc(constant int *p, local int *l) {
#include "body.inc"
}
