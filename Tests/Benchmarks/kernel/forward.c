// SPDX-License-Identifier: MIT
// Forwards a panel's touches with as little work as possible. The daemon's delay is compared with that of this program.
//   forward /dev/input/eventN
// Grabs the panel, creates a device like it, and writes each frame to that device with one write(2), from its own
// slots. Prints the sysfs name of the device.
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 16, FIRST = ABS_MT_TOUCH_MAJOR, VALUES = ABS_MT_TOOL_Y - FIRST + 1, ID = ABS_MT_TRACKING_ID - FIRST };
enum { X = ABS_MT_POSITION_X - FIRST, Y = ABS_MT_POSITION_Y - FIRST, OUT = 1024 };

static struct slot { int value[VALUES], changed[VALUES], is_new; } slots[SLOTS];
static int twin, slot_count, current, has[VALUES], used, touched;
static struct input_event out[OUT];
static struct timeval stamp;

static void fail(const char *what) { perror(what); exit(1); }

static void put(int type, int code, int value) {
    if (used < OUT) out[used++] = (struct input_event){ .time = stamp, .type = type, .code = code, .value = value };
}

static void frame(void) {
    const struct slot *first = NULL;
    for (int i = 0; i < slot_count; i++) {
        struct slot *s = &slots[i];
        int is_named = 0;
        for (int v = 0; v < VALUES; v++) {
            // A landing sends all values, because the kernel does not repeat unchanged ones.
            if (!s->changed[v] && !(s->is_new && has[v])) continue;
            if (!is_named++) put(EV_ABS, ABS_MT_SLOT, i);
            put(EV_ABS, FIRST + v, s->value[v]);
            s->changed[v] = 0;
        }
        s->is_new = 0;
        if (!first && s->value[ID] >= 0) first = s;
    }
    if (!!first != touched) put(EV_KEY, BTN_TOUCH, touched = !!first);
    if (first) {
        put(EV_ABS, ABS_X, first->value[X]);
        put(EV_ABS, ABS_Y, first->value[Y]);
    }
    put(EV_SYN, SYN_REPORT, 0);
    if (write(twin, out, used * sizeof *out) != (ssize_t)(used * sizeof *out)) fail("write");
    used = 0;
}

static void take(const struct input_event *e) {
    stamp = e->time;
    if (e->type == EV_SYN && e->code == SYN_REPORT) frame();
    if (e->type != EV_ABS) return;
    if (e->code == ABS_MT_SLOT && e->value >= 0 && e->value < slot_count) current = e->value;
    if (e->code < FIRST || e->code >= FIRST + VALUES) return;
    struct slot *s = &slots[current];
    if (e->code == ABS_MT_TRACKING_ID) s->is_new = e->value >= 0;
    s->value[e->code - FIRST] = e->value;
    s->changed[e->code - FIRST] = 1;
}

static void make_twin(int panel, const char *node) {
    unsigned char bits[ABS_CNT / 8 + 1] = { 0 };
    struct uinput_setup setup = { 0 };
    char phys[64], name[64];
    if ((twin = open("/dev/uinput", O_RDWR)) < 0) fail("/dev/uinput");
    ioctl(twin, UI_SET_EVBIT, EV_KEY);
    ioctl(twin, UI_SET_KEYBIT, BTN_TOUCH);
    ioctl(twin, UI_SET_EVBIT, EV_ABS);
    ioctl(twin, UI_SET_PROPBIT, INPUT_PROP_DIRECT);
    if (ioctl(panel, EVIOCGBIT(EV_ABS, sizeof bits), bits) < 0) fail("EVIOCGBIT");
    for (int code = 0; code < ABS_CNT; code++) {
        struct uinput_abs_setup axis = { .code = code };
        if (!(bits[code / 8] >> code % 8 & 1)) continue;
        ioctl(panel, EVIOCGABS(code), &axis.absinfo);
        if (code == ABS_MT_SLOT) slot_count = axis.absinfo.maximum < SLOTS ? axis.absinfo.maximum + 1 : SLOTS;
        if (code >= FIRST && code < FIRST + VALUES) has[code - FIRST] = 1;
        ioctl(twin, UI_SET_ABSBIT, code);
        ioctl(twin, UI_ABS_SETUP, &axis);
    }
    ioctl(panel, EVIOCGID, &setup.id);
    ioctl(panel, EVIOCGNAME(sizeof setup.name - 1), setup.name);
    snprintf(phys, sizeof phys, "gestured/%s", strrchr(node, '/') + 1);
    ioctl(twin, UI_SET_PHYS, phys);
    if (ioctl(twin, UI_DEV_SETUP, &setup) || ioctl(twin, UI_DEV_CREATE)) fail("uinput");
    ioctl(twin, UI_GET_SYSNAME(sizeof name), name);
    printf("%s\n", name);
    fflush(stdout);
}

int main(int count, char **arguments) {
    int clock = CLOCK_MONOTONIC, panel = count == 2 ? open(arguments[1], O_RDONLY | O_NONBLOCK) : -1;
    struct pollfd wait = { panel, POLLIN, 0 };
    static struct input_event events[512];
    if (panel < 0) fail("usage: forward /dev/input/eventN");
    for (int i = 0; i < SLOTS; i++) slots[i].value[ID] = -1;
    ioctl(panel, EVIOCSCLOCKID, &clock);
    make_twin(panel, arguments[1]);
    if (ioctl(panel, EVIOCGRAB, 1)) fail("EVIOCGRAB");
    while (poll(&wait, 1, -1) > 0) {
        ssize_t size = read(panel, events, sizeof events);
        if (size < 0 && errno != EAGAIN) fail("read");
        for (int i = 0; i < size / (ssize_t)sizeof *events; i++) take(&events[i]);
    }
    return 0;
}
