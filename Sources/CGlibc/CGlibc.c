// For `dl_iterate_phdr` and `memfd_create`. It is not in the header: Swift reads that, and glibc's types would then be
// defined differently than in Swift's own module.
#define _GNU_SOURCE
#include "CGlibc.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int give_back(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size, (void)context;
    unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE) - 1;
    // A library whose code was changed by relocations would break, so it is left alone. Hardly any is built so today.
    for (int number = 0; number < object->dlpi_phnum; number++) {
        if (object->dlpi_phdr[number].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[number].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL))) return 0;
        }
    }
    for (int number = 0; number < object->dlpi_phnum; number++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[number];
        // Writable parts may have changed, and would come back from the file without the changes.
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
        unsigned long start = (object->dlpi_addr + part->p_vaddr) & ~page;
        unsigned long end = (object->dlpi_addr + part->p_vaddr + part->p_memsz + page) & ~page;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void pghd_give_back_code(void) { dl_iterate_phdr(give_back, NULL); }

static const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

int pghd_make_memory(const char *name, size_t size) {
    int memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -1;
    if (ftruncate(memory, (off_t)size) == 0 && fcntl(memory, F_ADD_SEALS, seals) == 0) return memory;
    close(memory);
    return -1;
}

int pghd_is_memory(int descriptor, size_t size) {
    struct stat status;
    // No file with a name in a file system has these seals.
    return fcntl(descriptor, F_GET_SEALS) == seals && fstat(descriptor, &status) == 0 && status.st_size == (off_t)size;
}

// By its number: glibc has a function for it only since 2.36.
int pghd_open_process(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }
