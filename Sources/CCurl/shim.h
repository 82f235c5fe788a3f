#pragma once
#include <curl/curl.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt take variable arguments,
// which Swift can't pass: one function here for each type of argument.

static inline CURLcode pghd_setopt_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode pghd_setopt_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode pghd_setopt_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode pghd_setopt_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

typedef size_t (*pghd_data_function)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode pghd_setopt_data_function(CURL *easy, CURLoption option, pghd_data_function function) {
    return curl_easy_setopt(easy, option, function);
}

typedef int (*pghd_seek_function)(void *context, curl_off_t offset, int origin);

static inline CURLcode pghd_setopt_seek_function(CURL *easy, CURLoption option, pghd_seek_function function) {
    return curl_easy_setopt(easy, option, function);
}

static inline CURLcode pghd_getinfo_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode pghd_getinfo_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode pghd_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
