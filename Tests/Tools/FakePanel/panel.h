// SPDX-License-Identifier: MIT
// One fake panel: a node in an umockdev testbed. Its ioctls are answered from the current state, and its events
// are struct input_event. All functions except the ioctl handlers run on the main thread.
#pragma once
#include "description.h"
#include <umockdev.h>

enum { MAX_PANELS = 8, MAX_QUEUED = 8192 };

struct panel {
    struct description description;
    int number;  // of eventN
    int fd;      // our end of the FIFO that serves as the node
    char node[64], input_path[128], event_path[160], mouse_path[160];
    // The state that ioctls read, guarded by `lock`.
    GMutex lock;
    int32_t axis[ABS_CNT];
    int32_t slots[ABS_CNT][MAX_SLOTS];
    uint8_t keys[BIT_BYTES];
    int clock;
    bool is_plugged, is_grabbed, is_elsewhere;
    struct input_event queue[MAX_QUEUED];
    int queued;
    // The greatest number of events that waited to be read: the kernel's buffer for ten slots holds 512. Events in
    // a burst, which are written because this program itself was late, do not count until its next write in time.
    size_t fullest;
    int64_t written;
};

/// Makes a panel that is not plugged in. It is never freed.
struct panel *panel_make(void);
/// Plugs the panel in: node, sysfs, "add" events. Returns NULL or an error message.
const char *panel_add(struct panel *p, UMockdevTestbed *testbed, const struct description *d, int number);
/// Unplugs the panel: sends "remove" events if `is_told`, then removes everything.
const char *panel_remove(struct panel *p, UMockdevTestbed *testbed, bool is_told);
/// Reports that udev's rules have run again and have set the properties of `d`.
void panel_change(struct panel *p, UMockdevTestbed *testbed, const struct description *d);
/// Makes reads return the end of file until `panel_mend`.
void panel_break(struct panel *p);
const char *panel_mend(struct panel *p, UMockdevTestbed *testbed);
/// Gives an axis another range.
void panel_range(struct panel *p, unsigned code, const struct input_absinfo *axis);
/// Another process grabs or releases the panel. While it is grabbed, events are not delivered, but the state
/// changes.
void panel_elsewhere(struct panel *p, bool is_elsewhere);
/// Changes only the state that ioctls read, as if the kernel's buffer had overflowed.
void panel_set(struct panel *p, int type, int code, int value);
/// Changes the state and queues the event.
const char *panel_event(struct panel *p, int type, int code, int value);
/// Writes the queued events with one timestamp: `at` in microseconds, or the current time if it is 0.
const char *panel_flush(struct panel *p, int64_t at);
/// The time of the clock that the reader selected (EVIOCSCLOCKID; CLOCK_MONOTONIC before), in microseconds.
int64_t panel_now(const struct panel *p);
