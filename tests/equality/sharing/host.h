#ifdef DEVICE
typedef int number_t;
#else
typedef host::number number_t;
#endif
