// SPDX-License-Identifier: MIT
// A machine that sleeps, whose time runs fast, and whose udev tells nothing. Preloaded into the daemon, before
// umockdev; a test changes it through the file that GESTURED_MACHINE names: three numbers of 64 bits.
//   0: microseconds that the machine has slept so far (CLOCK_BOOTTIME is so much later)
//   1: 1: udev's news are lost; 2: the next ones, too, but the kernel says so (ENOBUFS), once
//   2: so many more times a device's node is not to be had
// GESTURED_SPEED=100: CLOCK_MONOTONIC and the timers on it run so many times as fast, from the start on.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libudev.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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
    void *memory = fd < 0 ? MAP_FAILED : mmap(NULL, 24, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) abort();
    close(fd);
    machine = memory;
    if (factor) speed = atoll(factor);
    start = real(CLOCK_MONOTONIC);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    // Called by libraries before this one is ready.
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
    // Those on the wall clock wait for another one to be set.
    if (flags == TFD_TIMER_ABSTIME && time > start) {
        time = start + (time - start) / speed;
        when.it_value = (struct timespec){time / 1000000000, time % 1000000000};
    }
    return (int)syscall(SYS_timerfd_settime, fd, flags, &when, old);
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
    // An overrun is over once what it is about is lost.
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
