// SPDX-License-Identifier: MIT
#include "description.h"
#include <string.h>

void set_bit(uint8_t *bits, unsigned n, bool on) {
    if (n / 8 >= BIT_BYTES) return;
    if (on) bits[n / 8] |= 1u << (n % 8);
    else bits[n / 8] &= ~(1u << (n % 8));
}

void description_axis(struct description *d, unsigned code, const struct input_absinfo *axis) {
    if (code >= ABS_CNT) return;
    d->axes[code] = *axis;
    set_bit(d->bits[EV_ABS], code, true);
    set_bit(d->bits[0], EV_ABS, true);
}

int description_slots(const struct description *d) {
    if (!has_bit(d->bits[EV_ABS], ABS_MT_SLOT)) return 0;
    int slots = d->axes[ABS_MT_SLOT].maximum + 1;
    return slots < 0 ? 0 : slots > MAX_SLOTS ? MAX_SLOTS : slots;
}

const char *description_property(struct description *d, const char *assignment) {
    const char *equals = strchr(assignment, '=');
    if (!equals) return "give KEY=VALUE";
    size_t key = equals - assignment + 1;
    int free = -1;
    for (int i = MAX_PROPERTIES - 1; i >= 0; i--) {
        if (!strncmp(d->properties[i], assignment, key)) d->properties[i][0] = 0;
        if (!d->properties[i][0]) free = i;
    }
    if (!equals[1]) return NULL;
    if (free < 0 || strlen(assignment) >= sizeof d->properties[0]) return "too many or too long properties";
    strcpy(d->properties[free], assignment);
    return NULL;
}

void description_default(struct description *d) {
    memset(d, 0, sizeof *d);
    strcpy(d->name, "Fake Panel");
    strcpy(d->phys, "fake-i2c/input0");
    d->id = (struct input_id){BUS_I2C, 0x1234, 0x5678, 1};
    set_bit(d->props, INPUT_PROP_DIRECT, true);
    set_bit(d->bits[0], EV_SYN, true);
    set_bit(d->bits[0], EV_KEY, true);
    set_bit(d->bits[EV_KEY], BTN_TOUCH, true);
    const struct input_absinfo position = {.maximum = 4095, .resolution = 26};
    description_axis(d, ABS_X, &position);
    description_axis(d, ABS_Y, &position);
    description_axis(d, ABS_MT_SLOT, &(struct input_absinfo){.maximum = 9});
    description_axis(d, ABS_MT_TRACKING_ID, &(struct input_absinfo){.maximum = 65535});
    description_axis(d, ABS_MT_POSITION_X, &position);
    description_axis(d, ABS_MT_POSITION_Y, &position);
    description_property(d, "ID_INPUT=1");
    description_property(d, "ID_INPUT_TOUCHSCREEN=1");
    description_property(d, "ID_PATH=platform-fake-i2c");
}

/// The property that udev's input_id sets for a pointing device with these axes, keys and properties.
static const char *kind_property(const struct description *d) {
    const uint8_t *keys = d->bits[EV_KEY], *axes = d->bits[EV_ABS];
    bool is_direct = has_bit(d->props, INPUT_PROP_DIRECT);
    bool has_positions = has_bit(axes, ABS_MT_POSITION_X) || has_bit(axes, ABS_X);
    if (!has_positions) return NULL;
    if (has_bit(keys, BTN_STYLUS) || has_bit(keys, BTN_TOOL_PEN)) return "ID_INPUT_TABLET=1";
    if (has_bit(keys, BTN_TOOL_FINGER) && !is_direct) return "ID_INPUT_TOUCHPAD=1";
    if (has_bit(keys, BTN_TOUCH) || is_direct || has_bit(axes, ABS_MT_POSITION_X)) return "ID_INPUT_TOUCHSCREEN=1";
    return NULL;
}

/// Appends the bytes in "xx xx xx …" to a bit field.
static void read_bytes(uint8_t *bits, unsigned *count, const char *text) {
    unsigned byte;
    int used;
    while (*count < BIT_BYTES && sscanf(text, " %2x%n", &byte, &used) == 1) {
        bits[(*count)++] = byte;
        text += used;
    }
}

const char *description_read(struct description *d, FILE *evemu) {
    static char line[4096];
    unsigned prop_bytes = 0, bit_bytes[EV_CNT] = {0};
    bool has_name = false;
    memset(d, 0, sizeof *d);
    while (fgets(line, sizeof line, evemu) && strncmp(line, "E:", 2)) {
        unsigned a, b, c, v;
        int used;
        struct input_absinfo axis = {0};
        if (!strncmp(line, "N: ", 3)) {
            line[strcspn(line, "\r\n")] = 0;
            snprintf(d->name, sizeof d->name, "%.*s", (int)sizeof d->name - 1, line + 3);
            has_name = true;
        } else if (sscanf(line, "I: %x %x %x %x", &a, &b, &c, &v) == 4) {
            d->id = (struct input_id){a, b, c, v};
        } else if (!strncmp(line, "P: ", 3)) {
            read_bytes(d->props, &prop_bytes, line + 3);
        } else if (sscanf(line, "B: %x%n", &a, &used) == 1 && a < EV_CNT) {
            read_bytes(d->bits[a], &bit_bytes[a], line + used);
        } else if (sscanf(line, "A: %x %d %d %d %d %d", &a, &axis.minimum, &axis.maximum, &axis.fuzz, &axis.flat,
                          &axis.resolution) >= 5) {
            description_axis(d, a, &axis);
        }
    }
    if (!has_name) return "no device in it: a line \"N: name\" is missing";
    set_bit(d->bits[0], EV_SYN, true);
    description_property(d, "ID_INPUT=1");
    description_property(d, "ID_PATH=platform-fake-i2c");
    const char *kind = kind_property(d);
    if (kind) description_property(d, kind);
    return NULL;
}
