#pragma once
// OpenSSL 3 marks SHA256_Init, _Update and _Final as deprecated, but only they can
// keep a hash state in plain memory and start again from it: a fetched EVP digest
// costs 156 to 405 ns for the 55 bytes that take 52 ns this way (docs/performance.md).
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <sys/prctl.h>
// Swift's module of glibc leaves getrandom out.
#include <sys/random.h>

// Variadic in C, so Swift can't call it: no core dump, no debugger, no /proc/PID/mem for others.
static inline int pghd_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
