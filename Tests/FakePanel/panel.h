// SPDX-License-Identifier: MIT
// One fake panel: a node in the test bed whose ioctls are answered from live state and whose events
// are real struct input_event. All functions but the ioctl answers run on the main thread.
#pragma once
#include "description.h"
#include <umockdev.h>

enum { MAX_PANELS = 8, MAX_QUEUED = 8192 };

struct panel {
    struct description description;
    int number;  // of eventN
    int fd;      // our end of the FIFO that stands for the node
    char node[64], input_path[128], event_path[160], mouse_path[160];
    // What the ioctls tell: guarded by `lock`.
    GMutex lock;
    int32_t axis[ABS_CNT];
    int32_t slots[ABS_CNT][MAX_SLOTS];
    uint8_t keys[BIT_BYTES];
    int clock;
    bool is_plugged, is_grabbed, is_elsewhere;
    struct input_event queue[MAX_QUEUED];
    int queued;
    // Events that waited to be read at once, at most: the kernel's buffer for ten slots holds 512. Those that were
    // written in a burst, when this program was late itself, do not count until its next write in time.
    size_t fullest;
    int64_t written;
};

/// One that is not plugged in. Never freed.
struct panel *panel_make(void);
/// Plugs it in: node, sysfs, "add" events. NULL, or what went wrong.
const char *panel_add(struct panel *p, UMockdevTestbed *bed, const struct description *d, int number);
/// Unplugs it: "remove" events if it is told, then nothing of it is left.
const char *panel_remove(struct panel *p, UMockdevTestbed *bed, bool is_told);
/// Tells that udev's rules have run again, and what they say now: the properties of `d`.
void panel_change(struct panel *p, UMockdevTestbed *bed, const struct description *d);
/// Reads find the end of the node, until it is mended.
void panel_break(struct panel *p);
const char *panel_mend(struct panel *p, UMockdevTestbed *bed);
/// Gives an axis another range.
void panel_range(struct panel *p, unsigned code, const struct input_absinfo *axis);
/// Another process grabs it or lets go: events go there, and the state changes all the same.
void panel_elsewhere(struct panel *p, bool is_elsewhere);
/// Changes what the ioctls tell, and no more: as when the kernel's buffer overran.
void panel_set(struct panel *p, int type, int code, int value);
/// Changes the state and queues the event.
const char *panel_event(struct panel *p, int type, int code, int value);
/// Writes what is queued with one time: `at` microseconds, or now when it is 0.
const char *panel_flush(struct panel *p, int64_t at);
/// Microseconds of the clock that the reader chose (EVIOCSCLOCKID; CLOCK_MONOTONIC until then).
int64_t panel_now(const struct panel *p);
