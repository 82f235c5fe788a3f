#pragma once
#include <malloc.h>

/// Lets go of the program's and its libraries' code that is in memory; what is needed comes back from the file.
void pghd_give_back_code(void);
