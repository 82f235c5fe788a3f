// Puts each entry of a folder at the end of a page after which there is no memory. A program that reads more of an
// entry than the system has written, which almost always goes unnoticed, crashes there.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

static struct dirent *at_the_edge(struct dirent *entry) {
    static _Thread_local char *pages;
    if (!entry) return entry;
    if (!pages) {
        pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(pages + 4096, 4096, PROT_NONE);
    }
    return memcpy(pages + 4096 - entry->d_reclen, entry, entry->d_reclen);
}

struct dirent *readdir(DIR *folder) {
    struct dirent *(*next)(DIR *) = dlsym(RTLD_NEXT, "readdir");
    return at_the_edge(next(folder));
}

struct dirent64 *readdir64(DIR *folder) {
    struct dirent *(*next)(DIR *) = dlsym(RTLD_NEXT, "readdir64");
    return (struct dirent64 *)at_the_edge(next(folder));
}
