// What a system at its limits refuses:
// PGHD_TEST_THREADS=N: every thread after the first N. PGHD_TEST_RANDOM: everything from OpenSSL's generator.
// PGHD_TEST_READ=N: the Nth read of a ledger. PGHD_TEST_BYTE=N: each read that touches a ledger's Nth byte.
// PGHD_TEST_NAMES: no look-up of a name ever returns.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : -1;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *with, void *(*run)(void *), void *argument) {
    static atomic_long count;
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!next) next = dlsym(RTLD_NEXT, "pthread_create");
    long most = number("PGHD_TEST_THREADS");
    return most >= 0 && atomic_fetch_add(&count, 1) >= most ? EAGAIN : next(thread, with, run, argument);
}

int RAND_bytes(unsigned char *bytes, int count) {
    static int (*next)(unsigned char *, int);
    if (!next) next = dlsym(RTLD_NEXT, "RAND_bytes");
    return number("PGHD_TEST_RANDOM") < 0 ? next(bytes, count) : 0;
}

static int is_ledger(int file) {
    char link[64], path[4096] = {0};
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, sizeof path - 1);
    return count > 7 && strcmp(path + count - 7, ".ledger") == 0;
}

static ssize_t faulty_read(int file, void *bytes, size_t count, off_t offset) {
    static atomic_long reads;
    static ssize_t (*next)(int, void *, size_t, off_t);
    if (!next) next = dlsym(RTLD_NEXT, "pread");
    long nth = number("PGHD_TEST_READ"), byte = number("PGHD_TEST_BYTE");
    if ((nth >= 0 || byte >= 0) && is_ledger(file)) {
        int touches = byte >= offset && byte - offset < (long)count;
        if (touches || atomic_fetch_add(&reads, 1) + 1 == nth) {
            errno = EIO;
            return -1;
        }
    }
    return next(file, bytes, count, offset);
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) { return faulty_read(file, bytes, count, offset); }
ssize_t pread64(int file, void *bytes, size_t count, off_t offset) { return faulty_read(file, bytes, count, offset); }

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    static int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    if (!next) next = dlsym(RTLD_NEXT, "getaddrinfo");
    while (number("PGHD_TEST_NAMES") >= 0) pause();
    return next(name, service, hints, found);
}
