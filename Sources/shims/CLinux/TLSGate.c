// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CLinux.h"
#include <dlfcn.h>

typedef long bio_callback(void *bio, int operation, const char *data, size_t length, int number, long more, int result,
                          size_t *processed);

// OpenSSL is the one that another library has loaded, so this program is built without it.
static struct {
    int (*peek)(void *ssl, void *buffer, int size);
    int (*pending)(const void *ssl);
    int (*is_init_finished)(const void *ssl);
    int (*get_error)(const void *ssl, int result);
    void *(*get_rbio)(const void *ssl);
    void (*set_callback)(void *bio, bio_callback *callback);
    void (*set_flags)(void *bio, int flags);
} openssl;

enum { BIO_READ = 2, BIO_FLAGS_READ_LATER = 1 | 8, ERROR_WANT_READ = 2, ERROR_WANT_WRITE = 3 };

static _Thread_local bool is_closed;

/// Is called before and after each operation of a BIO. A result of 0 or less before a read replaces it.
static long gate(void *bio, int operation, const char *data, size_t length, int number, long more, int result,
                 size_t *processed) {
    (void)data, (void)length, (void)number, (void)more, (void)processed;
    if (operation != BIO_READ || !is_closed) return result;
    openssl.set_flags(bio, BIO_FLAGS_READ_LATER);
    return -1;
}

static bool find(void *function, const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    *(void **)function = found;
    return found != NULL;
}

bool tls_gate_install(void *ssl) {
    bool is_complete = find(&openssl.peek, "SSL_peek") && find(&openssl.pending, "SSL_pending") &&
                       find(&openssl.is_init_finished, "SSL_is_init_finished") &&
                       find(&openssl.get_error, "SSL_get_error") && find(&openssl.get_rbio, "SSL_get_rbio") &&
                       find(&openssl.set_callback, "BIO_set_callback_ex") && find(&openssl.set_flags, "BIO_set_flags");
    void *bio = is_complete ? openssl.get_rbio(ssl) : NULL;
    if (!bio) return false;
    openssl.set_callback(bio, gate);
    return true;
}

int tls_peek(void *ssl, void *buffer, int size) {
    // Otherwise this would go on with the handshake in the place of the library.
    if (!openssl.is_init_finished(ssl)) return -1;
    int count = openssl.peek(ssl, buffer, size);
    if (count > 0) return count;
    int error = openssl.get_error(ssl, count);
    return error == ERROR_WANT_READ || error == ERROR_WANT_WRITE ? 0 : -1;
}

int tls_pending(const void *ssl) { return openssl.pending(ssl); }

void tls_gate_close(bool closed) { is_closed = closed; }
