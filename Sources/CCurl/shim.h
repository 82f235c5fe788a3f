#pragma once
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// libcurl is loaded when the first request is made, not when the process starts: it brings thirty
// libraries and 4 MB along, and converting uses no network.

static inline void *pghd_curl_symbol(const char *name) {
    // Each function is looked up about once, and dlopen gives again what is loaded already.
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, name) : NULL;
    if (!symbol) {
        const char *reason = dlerror();
        fprintf(stderr, "pghd: libcurl.so.4: can't be loaded (%s): install the package libcurl4, version 7.78 or later, or "
                "give this process what it lacks\n", reason ? reason : "it lacks a function");
        _Exit(2);
    }
    return symbol;
}

// The library's own function of this type; two threads that find it at once find the same.
#define PGHD_CURL(name)                                                              \
    ({                                                                               \
        static __typeof__(&name) found;                                              \
        __typeof__(&name) function = __atomic_load_n(&found, __ATOMIC_ACQUIRE);      \
        if (!function) {                                                             \
            function = (__typeof__(&name))pghd_curl_symbol(#name);                   \
            __atomic_store_n(&found, function, __ATOMIC_RELEASE);                    \
        }                                                                            \
        function;                                                                    \
    })

static inline CURLcode pghd_global_init(long flags) { return PGHD_CURL(curl_global_init)(flags); }
static inline CURL *pghd_easy_init(void) { return PGHD_CURL(curl_easy_init)(); }
static inline void pghd_easy_cleanup(CURL *easy) { PGHD_CURL(curl_easy_cleanup)(easy); }
static inline struct curl_slist *pghd_slist_append(struct curl_slist *list, const char *text) {
    return PGHD_CURL(curl_slist_append)(list, text);
}
static inline void pghd_slist_free_all(struct curl_slist *list) { PGHD_CURL(curl_slist_free_all)(list); }
static inline void pghd_free(void *memory) { PGHD_CURL(curl_free)(memory); }

static inline CURLM *pghd_multi_init(void) { return PGHD_CURL(curl_multi_init)(); }
static inline CURLMcode pghd_multi_cleanup(CURLM *multi) { return PGHD_CURL(curl_multi_cleanup)(multi); }
static inline CURLMcode pghd_multi_add_handle(CURLM *multi, CURL *easy) {
    return PGHD_CURL(curl_multi_add_handle)(multi, easy);
}
static inline CURLMcode pghd_multi_remove_handle(CURLM *multi, CURL *easy) {
    return PGHD_CURL(curl_multi_remove_handle)(multi, easy);
}
static inline CURLMcode pghd_multi_perform(CURLM *multi, int *running) {
    return PGHD_CURL(curl_multi_perform)(multi, running);
}
static inline CURLMcode pghd_multi_poll(CURLM *multi, int milliseconds) {
    return PGHD_CURL(curl_multi_poll)(multi, NULL, 0, milliseconds, NULL);
}
static inline CURLMcode pghd_multi_wakeup(CURLM *multi) { return PGHD_CURL(curl_multi_wakeup)(multi); }
static inline CURLMsg *pghd_multi_info_read(CURLM *multi, int *left) {
    return PGHD_CURL(curl_multi_info_read)(multi, left);
}

static inline CURLU *pghd_url(void) { return PGHD_CURL(curl_url)(); }
static inline void pghd_url_cleanup(CURLU *url) { PGHD_CURL(curl_url_cleanup)(url); }
static inline CURLUcode pghd_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    return PGHD_CURL(curl_url_get)(url, part, text, flags);
}
static inline CURLUcode pghd_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    return PGHD_CURL(curl_url_set)(url, part, text, flags);
}

// curl_easy_setopt and curl_easy_getinfo take variable arguments, which Swift can't pass: one function
// here for each type of argument.

static inline CURLcode pghd_setopt_long(CURL *easy, CURLoption option, long value) {
    return PGHD_CURL(curl_easy_setopt)(easy, option, value);
}

static inline CURLcode pghd_setopt_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return PGHD_CURL(curl_easy_setopt)(easy, option, value);
}

static inline CURLcode pghd_setopt_string(CURL *easy, CURLoption option, const char *value) {
    return PGHD_CURL(curl_easy_setopt)(easy, option, value);
}

static inline CURLcode pghd_setopt_pointer(CURL *easy, CURLoption option, void *value) {
    return PGHD_CURL(curl_easy_setopt)(easy, option, value);
}

typedef size_t (*pghd_data_function)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode pghd_setopt_data_function(CURL *easy, CURLoption option, pghd_data_function function) {
    return PGHD_CURL(curl_easy_setopt)(easy, option, function);
}

typedef int (*pghd_seek_function)(void *context, curl_off_t offset, int origin);

static inline CURLcode pghd_setopt_seek_function(CURL *easy, CURLoption option, pghd_seek_function function) {
    return PGHD_CURL(curl_easy_setopt)(easy, option, function);
}

typedef int (*pghd_debug_function)(CURL *easy, curl_infotype kind, char *bytes, size_t size, void *context);

static inline CURLcode pghd_setopt_debug_function(CURL *easy, CURLoption option, pghd_debug_function function) {
    return PGHD_CURL(curl_easy_setopt)(easy, option, function);
}

static inline CURLcode pghd_getinfo_long(CURL *easy, CURLINFO info, long *value) {
    return PGHD_CURL(curl_easy_getinfo)(easy, info, value);
}

static inline CURLcode pghd_getinfo_pointer(CURL *easy, CURLINFO info, void **value) {
    return PGHD_CURL(curl_easy_getinfo)(easy, info, value);
}
