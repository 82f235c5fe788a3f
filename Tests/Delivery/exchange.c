// Exchanges the folder that the file PGHD_TEST_EXCHANGE names for an empty one, as a mount does, while it is read: with the first
// entry of any folder. It becomes NAME.away, and the file is removed.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void exchange(void) {
    const char *dial = getenv("PGHD_TEST_EXCHANGE");
    FILE *file = dial ? fopen(dial, "r") : NULL;
    char folder[4096] = {0}, away[4112];
    if (!file) return;
    size_t count = fread(folder, 1, sizeof folder - 1, file);
    fclose(file);
    if (count == 0) return;
    snprintf(away, sizeof away, "%s.away", folder);
    rename(folder, away);
    mkdir(folder, 0755);
    unlink(dial);
}

struct dirent *readdir(DIR *folder) {
    struct dirent *(*next)(DIR *) = dlsym(RTLD_NEXT, "readdir");
    int before = errno;  // at the end of a folder it says whether that is a fault
    exchange();
    errno = before;
    return next(folder);
}

struct dirent64 *readdir64(DIR *folder) {
    struct dirent64 *(*next)(DIR *) = dlsym(RTLD_NEXT, "readdir64");
    int before = errno;  // at the end of a folder it says whether that is a fault
    exchange();
    errno = before;
    return next(folder);
}
