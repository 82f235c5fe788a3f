// Posts each line of a file over eight connections and does nothing else: the most that a delivery could reach.
//
//     bare_client URL FILE      exits with 0 if all were accepted
//
// Like the command it uses libcurl; it parses nothing and keeps no ledger.
#define _GNU_SOURCE
#include <curl/curl.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static char *next, *end;

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

// Starts to post the next line, if there is one.
static int begin(CURLM *multi, CURL *easy) {
    if (next == end) return 0;
    char *feed = memchr(next, '\n', end - next);
    size_t length = feed ? feed + 1 - next : end - next;
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, next);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    next += length;
    return curl_multi_add_handle(multi, easy) == CURLM_OK;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    struct stat status;
    int file = open(argv[2], O_RDONLY);
    if (file < 0 || fstat(file, &status)) return 2;
    next = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (next == MAP_FAILED) return 2;
    end = next + status.st_size;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM *multi = curl_multi_init();
    struct curl_slist *fields = curl_slist_append(NULL, "Content-Type: application/fhir+json");
    fields = curl_slist_append(fields, "Expect:");
    int under_way = 0;
    for (int number = 0; number < 8; number++) {
        CURL *easy = curl_easy_init();
        curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
        curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 256L << 10);
        under_way += begin(multi, easy);
    }
    while (under_way) {
        int running, left, ended = 0;
        curl_multi_perform(multi, &running);
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &left)); ended++) {
            CURL *easy = message->easy_handle;
            long code = 0;
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code);
            if (message->data.result != CURLE_OK || code != 200) return 1;
            curl_multi_remove_handle(multi, easy);
            under_way -= !begin(multi, easy);
        }
        if (!ended) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    return 0;
}
