#pragma once
#include <malloc.h>
#include <stddef.h>

/// Releases the memory with the code of the program and its libraries; what is needed again is read from their files.
void pghd_give_back_code(void);

/// Makes memory outside all file systems that can be passed to other processes as a descriptor; -1 if that fails.
int pghd_make_memory(const char *name, size_t size);

/// Whether a descriptor is memory of this size that `pghd_make_memory` made.
int pghd_is_memory(int descriptor, size_t size);

/// Returns a descriptor of a child process to poll: it becomes readable when the process ends; -1 if that fails.
int pghd_open_process(int process);
