// The least that records can cost: the blocks of SHA-256 for their ids, digests and Bundle keys, and one copy of the
// bytes that come out. It has no scanner and no mapping: no program that keeps the format can be faster, as long as it
// hashes one message at a time.
//
//     least RECORDS BYTES-OUT BLOCKS-PER-1000
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    long records = atol(argv[1]), out = atol(argv[2]) / records, blocks = atol(argv[3]), due = 0;
    enum { room = 512 << 10 };
    char *from = malloc(room), *to = malloc(room);
    memset(from, 'x', room);
    SHA256_CTX context;
    SHA256_Init(&context);
    long place = 0;
    for (long number = 0; number < records; number++) {
        for (due += blocks; due >= 1000; due -= 1000) SHA256_Transform(&context, (unsigned char *)from + (number & 1023));
        if (place + out > room) place = 0;
        memcpy(to + place, from + (number & 1023), out < room - 1024 ? out : room - 1024);
        place += out;
        from[number & 1023] = to[place / 2];
    }
    return printf("%u\n", context.h[0]) < 0;
}
