// SPDX-License-Identifier: MIT
// A fake panel: a node in an umockdev testbed. Ioctls are answered from the current state, and events are struct
// input_event. All functions except the ioctl handlers run on the main thread.
#pragma once
#include "description.h"
#include <umockdev.h>

enum { MAX_PANELS = 8, MAX_QUEUED = 8192 };

struct panel {
    struct description description;
    int number;  // of eventN
    int fd;      // our end of the FIFO that serves as the node
    char node[64], input_path[128], event_path[160], mouse_path[160];
    // The state that ioctls return, protected by `lock`.
    GMutex lock;
    int32_t axis[ABS_CNT];
    int32_t slots[ABS_CNT][MAX_SLOTS];
    uint8_t keys[BIT_BYTES];
    int clock;
    bool is_plugged, is_grabbed, is_elsewhere;
    struct input_event queue[MAX_QUEUED];
    int queued;
    int split;  // the number of events in `queue` whose values are already in the state
    // The maximum number of events that were waiting to be read. The kernel's buffer for ten slots holds 512.
    // Events of a burst, which are written because this program was late, are not included until the next write
    // that is in time.
    size_t fullest;
    int64_t written;
};

/// Creates a panel that is not plugged in. It is never freed.
struct panel *panel_make(void);
/// Plugs the panel in: creates the node and sysfs entries, and sends "add" events. Returns NULL or an error
/// message.
const char *panel_add(struct panel *p, UMockdevTestbed *testbed, const struct description *d, int number);
/// Unplugs the panel: sends "remove" events if `is_told`, then removes its files.
const char *panel_remove(struct panel *p, UMockdevTestbed *testbed, bool is_told);
/// Reports that udev's rules have run again, and have set the properties in `d`.
void panel_change(struct panel *p, UMockdevTestbed *testbed, const struct description *d);
/// Makes reads return the end of file until `panel_mend`.
void panel_break(struct panel *p);
const char *panel_mend(struct panel *p, UMockdevTestbed *testbed);
/// Changes the range of an axis.
void panel_range(struct panel *p, unsigned code, const struct input_absinfo *axis);
/// Simulates that another process grabs or releases the panel. While it is grabbed, no events are delivered, but
/// the state still changes.
void panel_elsewhere(struct panel *p, bool is_elsewhere);
/// Changes only the state that ioctls return, as if the kernel's buffer had overflowed.
void panel_set(struct panel *p, int type, int code, int value);
/// Queues an event. `panel_flush` changes the state.
const char *panel_queue(struct panel *p, int type, int code, int value);
/// Queues an event and changes the state now, like a driver that is interrupted in the middle of a frame.
const char *panel_event(struct panel *p, int type, int code, int value);
/// Changes the state and writes the queued events, with one timestamp in microseconds: `at`, or the current time if it is 0.
const char *panel_flush(struct panel *p, int64_t at);
/// The time in microseconds on the clock that the reader has selected (EVIOCSCLOCKID); CLOCK_MONOTONIC by default.
int64_t panel_now(const struct panel *p);
