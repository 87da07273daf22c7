#define SPACE global
#include "host.h"
#include "part.h"
kernel void kd(global number_t *p) { part(p); local number_t *q = p; }
