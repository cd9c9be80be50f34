// SPDX-License-Identifier: MIT Imports libevdev, and provides functions for ioctls of the kernel's
// evdev interface whose macros Swift cannot import.
#pragma once
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <libevdev/libevdev-uinput.h>
#include <libevdev/libevdev.h>

/// Returns the time of an event in microseconds. This needs C, because the names of the fields depend
/// on the size of time_t.
static inline int64_t evdev_event_time(const struct input_event *event) {
    return (int64_t)((uint64_t)event->input_event_sec * 1000000u + (uint64_t)event->input_event_usec);
}

static inline void evdev_set_event_time(struct input_event *event, int64_t microseconds) {
    event->input_event_sec = (__typeof__(event->input_event_sec))(microseconds / 1000000);
    event->input_event_usec = (__typeof__(event->input_event_usec))(microseconds % 1000000);
}

/// Calls ioctl(2) again if a signal interrupts it. This can happen because these requests wait for
/// the device's lock.
static inline int evdev_ask(int fd, unsigned long request, void *answer) {
    int result;
    do result = ioctl(fd, request, answer);
    while (result < 0 && errno == EINTR);
    return result;
}

/// Reads the kernel's values of one ABS_MT_* code for the first `count` slots, at most 64. Returns -1
/// with errno on error.
static inline int evdev_slot_values(int fd, unsigned code, int32_t *values, int count) {
    struct {
        uint32_t code;
        int32_t values[64];
    } request = {.code = code};
    if (count < 0 || count > 64) {
        errno = EINVAL;
        return -1;
    }
    if (evdev_ask(fd, EVIOCGMTSLOTS(sizeof request.code + (unsigned)count * sizeof(int32_t)), &request) < 0) return -1;
    memcpy(values, request.values, (size_t)count * sizeof(int32_t));
    return 0;
}

static inline int evdev_axis(int fd, unsigned code, struct input_absinfo *axis) {
    return evdev_ask(fd, EVIOCGABS(code), axis);
}

/// Reads the ids of a device and its name, which ends with a zero. Fields that the kernel does not report keep
/// their values.
static inline void evdev_identity(int fd, struct input_id *id, char *name, unsigned size) {
    (void)evdev_ask(fd, EVIOCGID, id);
    if (size > 0 && evdev_ask(fd, EVIOCGNAME(size - 1), name) >= 0) name[size - 1] = 0;
}

/// Returns 1 if a key is down, 0 if it is not, and -1 with errno on error. The kernel removes key events
/// from the queue of the descriptor, so use a descriptor from which no events are read.
static inline int evdev_key_is_down(int fd, unsigned key) {
    unsigned char keys[KEY_CNT / 8] = {0};
    if (key >= KEY_CNT || evdev_ask(fd, EVIOCGKEY(sizeof keys), keys) < 0) return -1;
    return keys[key / 8] >> (key % 8) & 1;
}

/// Sets the physical path of the device that a uinput descriptor is about to create. Returns -1
/// with errno on error.
static inline int evdev_uinput_set_phys(int fd, const char *phys) {
    return evdev_ask(fd, UI_SET_PHYS, (void *)(uintptr_t)phys);
}

/// Removes the device that a uinput descriptor has created. Returns -1 with errno on error.
static inline int evdev_uinput_remove(int fd) { return evdev_ask(fd, UI_DEV_DESTROY, NULL); }

/// Whether a read would return, possibly with an error, now or within this number of milliseconds.
static inline int evdev_has_more(int fd, int milliseconds) {
    struct pollfd question = {.fd = fd, .events = POLLIN};
    return poll(&question, 1, milliseconds) > 0;
}

static void evdev_say_nothing(enum libevdev_log_priority priority, void *data, const char *file, int line,
    const char *func, const char *format, va_list args) {
    (void)priority, (void)data, (void)file, (void)line, (void)func, (void)format, (void)args;
}

/// Silences libevdev. Otherwise, it writes to stderr, and it would do so without limit for a broken
/// device.
static inline void evdev_silence_library(void) { libevdev_set_log_function(evdev_say_nothing, NULL); }
