#pragma once
#include <malloc.h>
#include <stddef.h>

/// Lets go of the program's and its libraries' code that is in memory; what is needed comes back from the file.
void pghd_give_back_code(void);

/// Makes memory that other processes can be given as a descriptor, and that lies in no file system; -1 where there is none.
int pghd_make_memory(const char *name, size_t size);

/// Whether a descriptor is such memory of this size.
int pghd_is_memory(int descriptor, size_t size);

/// Opens a process that was started here, to be polled: it can be read once it has ended; -1 where there is no such thing.
int pghd_open_process(int process);
