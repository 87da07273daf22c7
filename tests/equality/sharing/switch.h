#define ON 1
#define OFF 0
