// A disk that fails: as long as the file PGHD_TEST_DISK exists, the bytes from 200,000 to 230,000 can't be read from
// any file whose name ends with the text in it. What is before and after them, such as a zip's directory, is read as
// usual. Also a full disk: as long as the file PGHD_TEST_FULL exists, standard output has room only for as many bytes
// as it says.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_failing(int file, off_t start, size_t count_wanted) {
    if (start >= 230000 || start + (off_t)count_wanted <= 200000) return 0;
    char wanted[256] = {0}, link[64], name[4096];
    const char *path = getenv("PGHD_TEST_DISK");
    int dial = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (dial < 0) return 0;
    long count = syscall(SYS_read, dial, wanted, sizeof wanted - 1);
    close(dial);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name);
    return count > 0 && length >= count && memcmp(name + length - count, wanted, (size_t)count) == 0;
}

ssize_t read(int file, void *bytes, size_t count) {
    if (is_failing(file, lseek(file, 0, SEEK_CUR), count)) {
        errno = EIO;
        return -1;
    }
    return syscall(SYS_read, file, bytes, count);
}

ssize_t write(int file, const void *bytes, size_t count) {
    char room[32] = {0};
    const char *path = getenv("PGHD_TEST_FULL");
    int dial = path && file == STDOUT_FILENO ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (dial >= 0) {
        syscall(SYS_read, dial, room, sizeof room - 1);
        close(dial);
        off_t left = atol(room) - lseek(file, 0, SEEK_CUR);
        if (left <= 0) {
            errno = ENOSPC;
            return -1;
        }
        if (count > (size_t)left) count = (size_t)left;
    }
    return syscall(SYS_write, file, bytes, count);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *file) {
    static size_t (*real)(void *, size_t, size_t, FILE *);
    if (!real) real = (size_t(*)(void *, size_t, size_t, FILE *))dlsym(RTLD_NEXT, "fread");
    if (is_failing(fileno(file), ftello(file), size * count)) {
        file->_flags |= 0x20;  // glibc's mark of an error, which `ferror` reads
        errno = EIO;
        return 0;
    }
    return real(bytes, size, count, file);
}
