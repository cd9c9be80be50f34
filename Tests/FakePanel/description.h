// SPDX-License-Identifier: MIT
// What a device says about itself: the answers to evdev's questions, and udev's properties.
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
    struct input_absinfo axes[ABS_CNT];  // value: what the axis shows at first
    char properties[MAX_PROPERTIES][256];  // "KEY=VALUE" of udev
    int parent;                          // one more than the number of its inputN; 0: that of its eventN
    bool has_mouse;                      // with a mouseN node beside eventN, as real touchscreens have
};

static inline bool has_bit(const uint8_t *bits, unsigned n) { return bits[n / 8] >> (n % 8) & 1; }
void set_bit(uint8_t *bits, unsigned n, bool on);

/// A panel of 4096 x 4096 units, 26 a millimetre, ten slots.
void description_default(struct description *d);
/// Takes what an evemu recording says of its device; the udev properties are what udev's input_id
/// would say. Returns NULL or what is wrong.
const char *description_read(struct description *d, FILE *evemu);
void description_axis(struct description *d, unsigned code, const struct input_absinfo *axis);
/// Sets, replaces or (nothing after "=") removes a udev property.
const char *description_property(struct description *d, const char *assignment);
int description_slots(const struct description *d);
