// SPDX-License-Identifier: MIT
// Preloaded into the daemon. Measures the duration of each turn of its loop, by the clock and on a core: on a busy machine, a turn with
// little work can take a long time. The results are in the file named by the setting `turns` (Tests/Tools/FakeMachine/setting.h). It contains
// 64-bit numbers, times in nanoseconds: the longest turn, the longest time that a turn spent on a core, the number of long turns, and
// the first long turns. A program starts a new measurement by setting them to 0.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "../Tools/FakeMachine/setting.h"

// Turns of 15 ms are rare. Turns of 5 ms are not, because that is the time budget for requests.
enum { LONG = 15000000, KEPT = 1000 };

static volatile struct turns {
    int64_t longest[2], count;
    /// `cores`: the core on which the turn began, and the one on which it ended
    struct turn { int64_t began, taken, busy, cores[2]; } kept[KEPT];
} *turns;
static int64_t began[2], core;

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

__attribute__((constructor)) static void prepare(void) {
    const char *path = machine_setting("turns");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *memory = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *turns, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) abort();
    close(fd);
    turns = memory;
}

int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout) {
    static const clockid_t clocks[2] = {CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID};
    if (began[0]) {
        int64_t taken[2];
        for (int i = 0; i < 2; i++) {
            taken[i] = now(clocks[i]) - began[i];
            if (taken[i] > turns->longest[i]) turns->longest[i] = taken[i];
        }
        if (taken[0] >= LONG && turns->count++ < KEPT)
            turns->kept[turns->count - 1] = (struct turn){began[0], taken[0], taken[1], {core, sched_getcpu()}};
    }
    int found = syscall(SYS_epoll_pwait, epoll, events, count, timeout, NULL, 8);
    for (int i = 0; i < 2; i++) began[i] = now(clocks[i]);
    core = sched_getcpu();
    return found;
}
