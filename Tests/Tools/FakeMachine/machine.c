// SPDX-License-Identifier: MIT
// Fakes the clocks and udev of a machine. Preloaded into the daemon, before umockdev. A test controls it through the
// file named by the setting `file` (setting.h), which contains six 64-bit numbers:
//   0: microseconds for which the machine has been suspended (CLOCK_BOOTTIME is ahead by this time)
//   1: treatment of udev's events. 1: they are lost; 2: the next ones are lost and the kernel reports it once (ENOBUFS);
//      3: there are none, because udev does not run
//   2: the number of coming requests for which udev does not find a device's node
//   3: 1: worker threads do not report that they have finished
//   4: microseconds by which CLOCK_MONOTONIC has been advanced, as if they had passed
//   5: microseconds by which the wall clock has been set
// Setting `speed`: from the start, CLOCK_MONOTONIC and its timers run this many times as fast; 0: only number 4 advances them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libudev.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include "setting.h"

enum { SLEPT, UDEV_EVENTS, MISSING_NODES, HOLDS_THREADS, SKIPPED, WALL_STEP, NUMBERS, MOST_TIMERS = 1024 };

static volatile int64_t *machine;
static int64_t speed = 1, start;
// For each descriptor of a timer, the time at which it expires on this machine's clock, in nanoseconds; 0 if the timer is
// off or must not be armed again.
static int64_t due[MOST_TIMERS];

static int64_t real(clockid_t clock) {
    struct timespec now;
    syscall(SYS_clock_gettime, clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

__attribute__((constructor)) static void prepare(void) {
    const char *path = machine_setting("file"), *factor = machine_setting("speed");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *memory = fd < 0 ? MAP_FAILED : mmap(NULL, NUMBERS * sizeof *machine, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) abort();
    close(fd);
    machine = memory;
    if (factor) speed = atoll(factor);
    start = real(CLOCK_MONOTONIC);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    // Libraries call this function before the constructor has run.
    bool is_monotonic = clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
    if (!machine || (!is_monotonic && clock != CLOCK_REALTIME)) return (int)syscall(SYS_clock_gettime, clock, now);
    int64_t time = real(clock) + (real(CLOCK_MONOTONIC) - start) * (speed - 1) + machine[SKIPPED] * 1000;
    if (clock == CLOCK_BOOTTIME) time += machine[SLEPT] * 1000;
    if (clock == CLOCK_REALTIME) time = real(clock) + (machine[SKIPPED] + machine[WALL_STEP]) * 1000;
    now->tv_sec = time / 1000000000;
    now->tv_nsec = time % 1000000000;
    return 0;
}

static int arm(int fd, int64_t time) {
    int64_t left = time - machine[SKIPPED] * 1000 - start;
    time = speed ? start + left / speed : left > 0 ? INT64_MAX : 1;
    // A time in the past makes the timer expire at once; 0 would stop it.
    if (time < 1) time = 1;
    struct itimerspec when = {.it_value = {time / 1000000000, time % 1000000000}};
    return (int)syscall(SYS_timerfd_settime, fd, TFD_TIMER_ABSTIME, &when, NULL);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *old) {
    int64_t time = new->it_value.tv_sec * 1000000000LL + new->it_value.tv_nsec;
    // Timers on the wall clock are used to detect that the clock is set.
    bool is_ours = flags == TFD_TIMER_ABSTIME && time > start;
    if (fd >= 0 && fd < MOST_TIMERS) due[fd] = is_ours ? time : 0;
    return is_ours ? arm(fd, time) : (int)syscall(SYS_timerfd_settime, fd, flags, new, old);
}

// The descriptor of the wall-clock timer. The kernel cancels this timer after a suspend, and when the clock is set.
static int wake_timer = -1;
// slept and wall_step: their values when the wall-clock timer was last cancelled. skipped: its value when the timers were
// last rearmed.
static int64_t slept, wall_step, skipped;

int timerfd_create(int clock, int flags) {
    int fd = (int)syscall(SYS_timerfd_create, clock, flags);
    if (clock == CLOCK_REALTIME) wake_timer = fd;
    return fd;
}

static bool wake(void) {
    if (wake_timer < 0 || (machine[SLEPT] == slept && machine[WALL_STEP] == wall_step)) return false;
    slept = machine[SLEPT];
    wall_step = machine[WALL_STEP];
    struct itimerspec soon = {.it_value = {.tv_nsec = 1}};
    struct pollfd fired = {.fd = wake_timer, .events = POLLIN};
    syscall(SYS_timerfd_settime, wake_timer, 0, &soon, NULL);
    poll(&fired, 1, -1);
    return true;
}

static bool skip(void) {
    if (machine[SKIPPED] == skipped) return false;
    skipped = machine[SKIPPED];
    for (int fd = 0; fd < MOST_TIMERS; fd++)
        // This fails if the timer's descriptor has been closed; the error is ignored.
        if (due[fd]) arm(fd, due[fd]);
    return true;
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
    int count = (int)syscall(SYS_epoll_wait, epoll, events, most, timeout);
    if (!machine) return count;
    bool has_woken = wake(), has_skipped = skip();
    // Waits again, so that expired timers are ready before later events, as on a real machine.
    return has_woken || has_skipped ? (int)syscall(SYS_epoll_wait, epoll, events, most, 0) : count;
}

// The socket shows whether udev runs.
int access(const char *path, int mode) {
    int (*next)(const char *, int) = dlsym(RTLD_NEXT, "access");
    if (!machine || strcmp(path, "/run/udev/control")) return next(path, mode);
    errno = ENOENT;
    return machine[UDEV_EVENTS] == 3 ? -1 : 0;
}

static bool is_node(struct udev_device *device) {
    const char *name = udev_device_get_sysname(device);
    return name && !strncmp(name, "event", 5);
}

struct udev_device *udev_monitor_receive_device(struct udev_monitor *monitor) {
    struct udev_device *(*receive)(struct udev_monitor *) = dlsym(RTLD_NEXT, "udev_monitor_receive_device");
    struct udev_device *device = receive(monitor);
    if (!machine[UDEV_EVENTS] || !device) return device;
    bool has_node = false;
    for (; device; device = receive(monitor)) {
        has_node |= is_node(device);
        udev_device_unref(device);
    }
    // The overrun ends after the events have been lost.
    bool is_over = machine[UDEV_EVENTS] == 2 && has_node;
    if (is_over) machine[UDEV_EVENTS] = 0;
    errno = is_over ? ENOBUFS : EAGAIN;
    return NULL;
}

const char *udev_device_get_devnode(struct udev_device *device) {
    const char *(*get)(struct udev_device *) = dlsym(RTLD_NEXT, "udev_device_get_devnode");
    if (machine[MISSING_NODES] <= 0 || !is_node(device)) return get(device);
    machine[MISSING_NODES]--;
    return NULL;
}

int eventfd_write(int fd, eventfd_t value) {
    while (machine[HOLDS_THREADS]) usleep(1000);
    return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}
