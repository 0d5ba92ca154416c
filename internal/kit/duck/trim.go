package duck

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif
*/
import "C"

// Trim gives memory that the engine freed back to the system, where the C library
// would keep it for later.
func Trim() { C.trim() }
