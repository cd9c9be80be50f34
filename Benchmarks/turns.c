// SPDX-License-Identifier: MIT
// How long the daemon's loop takes for a turn, on the clock and on a core: on a busy machine a short turn may take long.
// Preloaded into the daemon. Writes to the file that GESTURED_TURNS names, which has two numbers of 64 bits: the longest
// turn in nanoseconds, and the longest time that a turn was on a core. Whoever sets them to 0 begins anew.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *longest;
static int64_t began[2];

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

__attribute__((constructor)) static void prepare(void) {
    int fd = open(getenv("GESTURED_TURNS"), O_RDWR | O_CLOEXEC);
    void *memory = fd < 0 ? MAP_FAILED : mmap(NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) abort();
    close(fd);
    longest = memory;
}

int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout) {
    static const clockid_t clocks[2] = {CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID};
    for (int i = 0; i < 2 && began[i]; i++) {
        int64_t taken = now(clocks[i]) - began[i];
        if (taken > longest[i]) longest[i] = taken;
    }
    int found = syscall(SYS_epoll_pwait, epoll, events, count, timeout, NULL, 8);
    for (int i = 0; i < 2; i++) began[i] = now(clocks[i]);
    return found;
}
