#define SPACE global
#include "part.h"
#include "piece.cl"
kernel void kb(global int *p) {
#include "body.inc"
}
