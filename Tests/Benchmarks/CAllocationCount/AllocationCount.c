// SPDX-License-Identifier: MIT
#include "CAllocationCount.h"
#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>

// glibc's own functions, under names that do not lead to the replacements below.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void free(void *pointer);
int posix_memalign(void **out, size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size);

static __thread uint64_t count;
static __thread uint64_t sends;

uint64_t allocation_count(void) { return count; }
uint64_t send_count(void) { return sends; }

ssize_t send(int fd, const void *bytes, size_t length, int flags) {
    sends++;
    return sendto(fd, bytes, length, flags, NULL, 0);
}

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count++;
    return __libc_realloc(old, size);
}

void free(void *pointer) { __libc_free(pointer); }

int posix_memalign(void **out, size_t alignment, size_t size) {
    count++;
    void *result = __libc_memalign(alignment, size);
    if (!result) return ENOMEM;
    *out = result;
    return 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}
