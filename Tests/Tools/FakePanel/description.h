// SPDX-License-Identifier: MIT
// The description of a device: the results of evdev's ioctls, and udev's properties.
#pragma once
#include <linux/input.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_SLOTS = 64, BIT_BYTES = (KEY_CNT + 7) / 8, MAX_PROPERTIES = 32 };

struct description {
    char name[128], phys[128], uniq[64];
    struct input_id id;
    uint8_t props[BIT_BYTES];
    uint8_t bits[EV_CNT][BIT_BYTES];     // bits[0]: event types, bits[EV_KEY], bits[EV_ABS], …
    struct input_absinfo axes[ABS_CNT];  // the initial value
    char properties[MAX_PROPERTIES][256];  // udev's "KEY=VALUE"
    int parent;                          // the number of its inputN plus one; 0: the number of its eventN
    bool has_mouse;                      // with a mouseN node beside eventN, like real touchscreens
};

static inline bool has_bit(const uint8_t *bits, unsigned n) { return bits[n / 8] >> (n % 8) & 1; }
void set_bit(uint8_t *bits, unsigned n, bool on);

/// A panel with 4096 x 4096 units, 26 per millimetre, and ten slots.
void description_default(struct description *d);
/// Reads the description in an evemu recording. The udev properties are set as by udev's input_id. Returns
/// NULL or an error message.
const char *description_read(struct description *d, FILE *evemu);
void description_axis(struct description *d, unsigned code, const struct input_absinfo *axis);
/// Sets or replaces a udev property, or removes it if nothing follows the "=".
const char *description_property(struct description *d, const char *assignment);
int description_slots(const struct description *d);
