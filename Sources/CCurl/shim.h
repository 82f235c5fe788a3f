#pragma once
#include <curl/curl.h>
#include <dlfcn.h>
#include <sys/socket.h>

// libcurl is loaded with the first address or client, not when the process starts: it brings thirty
// libraries and 4 MB along, and converting uses no network.

#define PGHD_CURL_LIBRARY "libcurl.so.4"

// All functions that are used.
#define PGHD_CURL_FUNCTIONS(each)                                                                                 \
    each(curl_global_init) each(curl_free) each(curl_slist_append) each(curl_slist_free_all) each(curl_easy_init) \
    each(curl_easy_cleanup) each(curl_easy_setopt) each(curl_easy_getinfo) each(curl_multi_init)                  \
    each(curl_multi_cleanup) each(curl_multi_add_handle) each(curl_multi_remove_handle) each(curl_multi_perform)  \
    each(curl_multi_poll) each(curl_multi_wakeup) each(curl_multi_info_read) each(curl_url)                       \
    each(curl_url_cleanup) each(curl_url_get) each(curl_url_set)

// Loads libcurl, which must be done before any other call.
//
// Returns why that fails, for this thread until its next call; NULL if all of its functions are there.
static inline const char *pghd_load_curl(void) {
#define PGHD_NAME(name) #name,
    static const char *const names[] = {PGHD_CURL_FUNCTIONS(PGHD_NAME)};
#undef PGHD_NAME
    void *library = dlopen(PGHD_CURL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        return reason ? reason : "it can't be opened";
    }
    for (size_t number = 0; number < sizeof names / sizeof *names; number++) {
        if (dlsym(library, names[number])) continue;
        const char *reason = dlerror();
        return reason ? reason : "it lacks a function";
    }
    return NULL;
}

// No function is missing in the list above: otherwise this file would not compile.
#define PGHD_LISTED(name) pghd_lists_##name,
enum { PGHD_CURL_FUNCTIONS(PGHD_LISTED) };
#undef PGHD_LISTED

// The library's own function of this type; two threads that find it at once find the same.
//
// Each is looked up about once, and dlopen gives again what is loaded already.
#define PGHD_CURL(name)                                                                              \
    ({                                                                                               \
        static __typeof__(&name) found;                                                              \
        (void)pghd_lists_##name;                                                                     \
        __typeof__(&name) function = __atomic_load_n(&found, __ATOMIC_ACQUIRE);                      \
        if (!function) {                                                                             \
            function = (__typeof__(&name))dlsym(dlopen(PGHD_CURL_LIBRARY, RTLD_NOW | RTLD_LOCAL), #name); \
            __atomic_store_n(&found, function, __ATOMIC_RELEASE);                                    \
        }                                                                                            \
        function;                                                                                    \
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

// Children of this process do not inherit the socket: most versions of libcurl leave it open for them.
static inline curl_socket_t pghd_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context;
    (void)purpose;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static inline CURLcode pghd_setopt_own_sockets(CURL *easy) {
    return PGHD_CURL(curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, pghd_open_socket);
}

// A look-up of a name that hangs, as where a directory service does not answer, is left behind when its transfer ends.
// Otherwise libcurl waits for it, and all other transfers with it. Versions before 7.87 know no other way.
static inline void pghd_setopt_leave_hung_names(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    (void)PGHD_CURL(curl_easy_setopt)(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
#endif
}

static inline CURLcode pghd_getinfo_long(CURL *easy, CURLINFO info, long *value) {
    return PGHD_CURL(curl_easy_getinfo)(easy, info, value);
}

static inline CURLcode pghd_getinfo_pointer(CURL *easy, CURLINFO info, void **value) {
    return PGHD_CURL(curl_easy_getinfo)(easy, info, value);
}
