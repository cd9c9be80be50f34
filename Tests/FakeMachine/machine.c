// SPDX-License-Identifier: MIT
// Fakes the clocks and udev of a machine. Preloaded into the daemon, before umockdev. A test controls it through
// the file that GESTURED_MACHINE names, which has four numbers of 64 bits:
//   0: microseconds that the machine has been suspended so far (CLOCK_BOOTTIME is ahead by this)
//   1: what happens to udev's events. 1: they are lost; 2: so are the next ones, but the kernel reports it (ENOBUFS), once
//   2: how many more times udev does not know the node of a device
//   3: 1: threads beside the loop do not say that they are done
// GESTURED_SPEED=100: CLOCK_MONOTONIC and the timers on it run this many times as fast, from the start.
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

static volatile int64_t *machine;
static int64_t speed = 1, start;

static int64_t real(clockid_t clock) {
    struct timespec now;
    syscall(SYS_clock_gettime, clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

__attribute__((constructor)) static void prepare(void) {
    const char *path = getenv("GESTURED_MACHINE"), *factor = getenv("GESTURED_SPEED");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *memory = fd < 0 ? MAP_FAILED : mmap(NULL, 32, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) abort();
    close(fd);
    machine = memory;
    if (factor) speed = atoll(factor);
    start = real(CLOCK_MONOTONIC);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    // Libraries call this before the constructor has run.
    if (!machine || (clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME))
        return (int)syscall(SYS_clock_gettime, clock, now);
    int64_t time = real(clock) + (real(CLOCK_MONOTONIC) - start) * (speed - 1);
    if (clock == CLOCK_BOOTTIME) time += machine[0] * 1000;
    now->tv_sec = time / 1000000000;
    now->tv_nsec = time % 1000000000;
    return 0;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *old) {
    struct itimerspec when = *new;
    int64_t time = when.it_value.tv_sec * 1000000000LL + when.it_value.tv_nsec;
    // Timers on the wall clock wait for the clock to be set.
    if (flags == TFD_TIMER_ABSTIME && time > start) {
        time = start + (time - start) / speed;
        when.it_value = (struct timespec){time / 1000000000, time % 1000000000};
    }
    return (int)syscall(SYS_timerfd_settime, fd, flags, &when, old);
}

// The timer on the wall clock, which the kernel cancels at the end of a sleep, and how long the machine had slept when
// that was last done.
static int wake_timer = -1;
static int64_t slept;

int timerfd_create(int clock, int flags) {
    int fd = (int)syscall(SYS_timerfd_create, clock, flags);
    if (clock == CLOCK_REALTIME) wake_timer = fd;
    return fd;
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
    int count = (int)syscall(SYS_epoll_wait, epoll, events, most, timeout);
    if (!machine || machine[0] == slept || wake_timer < 0) return count;
    slept = machine[0];
    struct itimerspec soon = {.it_value = {.tv_nsec = 1}};
    struct pollfd fired = {.fd = wake_timer, .events = POLLIN};
    syscall(SYS_timerfd_settime, wake_timer, 0, &soon, NULL);
    poll(&fired, 1, -1);
    // As on a real machine, the timer is ready before anything that comes after the sleep is seen.
    return (int)syscall(SYS_epoll_wait, epoll, events, most, 0);
}

static bool is_node(struct udev_device *device) {
    const char *name = udev_device_get_sysname(device);
    return name && !strncmp(name, "event", 5);
}

struct udev_device *udev_monitor_receive_device(struct udev_monitor *monitor) {
    struct udev_device *(*receive)(struct udev_monitor *) = dlsym(RTLD_NEXT, "udev_monitor_receive_device");
    struct udev_device *device = receive(monitor);
    if (!machine[1] || !device) return device;
    bool has_node = false;
    for (; device; device = receive(monitor)) {
        has_node |= is_node(device);
        udev_device_unref(device);
    }
    // The overrun ends once the events are lost.
    bool is_over = machine[1] == 2 && has_node;
    if (is_over) machine[1] = 0;
    errno = is_over ? ENOBUFS : EAGAIN;
    return NULL;
}

const char *udev_device_get_devnode(struct udev_device *device) {
    const char *(*get)(struct udev_device *) = dlsym(RTLD_NEXT, "udev_device_get_devnode");
    if (machine[2] <= 0 || !is_node(device)) return get(device);
    machine[2]--;
    return NULL;
}

int eventfd_write(int fd, eventfd_t value) {
    while (machine[3]) usleep(1000);
    return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}
