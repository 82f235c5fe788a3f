// A FHIR base that takes every transaction and sleeps before it answers, to measure what a delivery by itself can do.
//
//     sleeping_server MICROSECONDS      prints its port, and at SIGTERM the requests and bytes that it received
//
// It stores nothing. It is written in C, since it must cost far less than the client that it measures, and sleep
// to the microsecond.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

struct connection {
    int socket, timer, is_post;
    char head[8192];
    size_t head_length, missing, entries;
    // The last bytes of the previous part: an entry's request may span two parts.
    char tail[16];
    size_t tail_length;
};

static const char mark[] = "\"request\":{";
static long requests, body_bytes, delay_us;

static size_t count(const char *bytes, size_t length) {
    size_t found = 0;
    for (const char *at = bytes; (at = memmem(at, length - (at - bytes), mark, sizeof mark - 1)); at++) found++;
    return found;
}

static void take(struct connection *c, const char *part, size_t length) {
    char border[64];
    size_t head = length < sizeof mark - 2 ? length : sizeof mark - 2;
    memcpy(border, c->tail, c->tail_length);
    memcpy(border + c->tail_length, part, head);
    if (c->tail_length) c->entries += count(border, c->tail_length + head);
    c->entries += count(part, length);
    c->tail_length = length < sizeof mark - 2 ? length : sizeof mark - 2;
    memcpy(c->tail, part + length - c->tail_length, c->tail_length);
    body_bytes += length;
    c->missing -= length;
}

static void answer(struct connection *c) {
    static const char entry[] = "{\"response\":{\"status\":\"201 Created\"}},";
    static char body[1 << 21];
    size_t length = 0;
    if (c->is_post) {
        length = sprintf(body, "{\"resourceType\":\"Bundle\",\"type\":\"transaction-response\",\"entry\":[");
        for (size_t number = 0; number < c->entries; number++) {
            memcpy(body + length, entry, sizeof entry - 1);
            length += sizeof entry - 1;
        }
        if (c->entries) length--;
        length += sprintf(body + length, "]}");
    }
    char head[256];
    int head_length = sprintf(head, "HTTP/1.1 %s\r\nContent-Type: application/fhir+json\r\nContent-Length: %zu\r\n\r\n",
                              c->is_post ? "200 OK" : "405 Method Not Allowed", length);
    // Both at once, so that the client is woken only once.
    struct iovec parts[] = {{head, head_length}, {body, length}};
    if (writev(c->socket, parts, 2) < 0) return;
}

static void end_of_request(struct connection *c) {
    requests += c->is_post;
    long microseconds = c->is_post && delay_us ? delay_us : 1;
    struct itimerspec when = {.it_value = {microseconds / 1000000, microseconds % 1000000 * 1000}};
    timerfd_settime(c->timer, 0, &when, NULL);
}

static int read_some(struct connection *c) {
    static char buffer[1 << 20];
    ssize_t length = read(c->socket, buffer, sizeof buffer);
    if (length <= 0) return 0;
    char *part = buffer;
    if (c->missing == 0) {
        // The head comes first and fits; the part of the body that came with it is read from the buffer.
        size_t known = c->head_length, room = sizeof c->head - 1 - known;
        size_t copied = (size_t)length < room ? (size_t)length : room;
        memcpy(c->head + known, buffer, copied);
        c->head[c->head_length += copied] = 0;
        char *end = strstr(c->head, "\r\n\r\n");
        if (!end) return 1;
        *end = 0;
        char *field = strcasestr(c->head, "content-length:");
        c->missing = field ? strtoul(field + 15, NULL, 10) : 0;
        c->is_post = strncmp(c->head, "POST", 4) == 0;
        if (strcasestr(c->head, "100-continue") && write(c->socket, "HTTP/1.1 100 Continue\r\n\r\n", 25) < 0) return 0;
        c->entries = c->tail_length = c->head_length = 0;
        part = buffer + (end + 4 - c->head - known);
        length -= part - buffer;
        if (c->missing == 0) end_of_request(c);
        if (c->missing == 0 || length == 0) return 1;
    }
    take(c, part, length);
    if (c->missing == 0) end_of_request(c);
    return 1;
}

int main(int argc, char **argv) {
    delay_us = argc > 1 ? atol(argv[1]) : 5000;
    int listener = socket(AF_INET, SOCK_STREAM, 0), events = epoll_create1(0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listener, (void *)&address, size) || listen(listener, 256)) return 1;
    getsockname(listener, (void *)&address, &size);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    int signals = signalfd(-1, &ends, 0);
    struct epoll_event event = {EPOLLIN, {.u64 = 0}};
    epoll_ctl(events, EPOLL_CTL_ADD, listener, &event);
    event.data.u64 = 1;
    epoll_ctl(events, EPOLL_CTL_ADD, signals, &event);
    while (1) {
        struct epoll_event ready[64];
        int number = epoll_wait(events, ready, 64, -1);
        for (int i = 0; i < number; i++) {
            unsigned long which = ready[i].data.u64;
            if (which == 1) {
                printf("%ld %ld\n", requests, body_bytes);
                return 0;
            }
            if (which == 0) {
                struct connection *c = calloc(1, sizeof *c);
                c->socket = accept(listener, NULL, NULL);
                int yes = 1;
                setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
                c->timer = timerfd_create(CLOCK_MONOTONIC, 0);
                event.data.u64 = (unsigned long)c;
                epoll_ctl(events, EPOLL_CTL_ADD, c->socket, &event);
                event.data.u64 = (unsigned long)c | 1;
                epoll_ctl(events, EPOLL_CTL_ADD, c->timer, &event);
                continue;
            }
            struct connection *c = (void *)(which & ~1ul);
            if (which & 1) {
                unsigned long times;
                if (read(c->timer, &times, sizeof times) == sizeof times) answer(c);
            } else if (!read_some(c)) {
                // Not freed: its timer may be among the events that are ready.
                close(c->socket);
                close(c->timer);
            }
        }
    }
}
