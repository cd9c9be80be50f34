// SPDX-License-Identifier: MIT
// Fakes /dev/uinput, which umockdev does not support. Data that the daemon writes to a device that it has created
// goes to the file named by the setting `uinput` (setting.h). For each device, a line "made PHYS NAME" or "removed PHYS"
// is added to the file with ".log" appended to that name. Without the setting there is no uinput; with "denied" the
// daemon must not open it, and with "refusing" the kernel makes no device. The setting `node` names the node of all devices.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libevdev/libevdev-uinput.h>
#include <linux/uinput.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "setting.h"

struct libevdev_uinput { char phys[64]; };
// The device whose properties are being set.
static struct libevdev_uinput next_device;

// The setting is read once, because `open` is called often. This may happen before the constructors of other
// libraries have run.
static const char *uinput_file(void) {
    static const char *file;
    static int is_read;
    if (!is_read) file = machine_setting("uinput");
    is_read = 1;
    return file;
}

static void note(const char *what, const struct libevdev_uinput *device, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s.log", uinput_file());
    FILE *file = fopen(path, "ae");
    if (!file) return;
    fprintf(file, "%s %s%s%s\n", what, device->phys, name ? " " : "", name ? name : "");
    fclose(file);
}

int open(const char *path, int flags, ...) {
    int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    const char *file = uinput_file();
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (strcmp(path, "/dev/uinput")) return next(path, flags, mode);
    errno = file ? EACCES : ENOENT;
    if (file && !strcmp(file, "refusing")) file = "/dev/null";
    return file && strcmp(file, "denied") ? next(file, flags | O_CREAT | O_APPEND, 0600) : -1;
}

int ioctl(int fd, unsigned long request, ...) {
    int (*next)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (_IOC_TYPE(request) != UINPUT_IOCTL_BASE) return next(fd, request, argument);
    if (request == UI_SET_PHYS) snprintf(next_device.phys, sizeof next_device.phys, "%s", (const char *)argument);
    return 0;
}

int libevdev_uinput_create_from_device(const struct libevdev *model, int fd, struct libevdev_uinput **made) {
    (void)fd;
    if (!strcmp(uinput_file(), "refusing")) return -EINVAL;
    note("made", &next_device, libevdev_get_name(model));
    *made = malloc(sizeof next_device);
    if (!*made) return -ENOMEM;
    **made = next_device;
    return 0;
}

const char *libevdev_uinput_get_devnode(struct libevdev_uinput *made) {
    (void)made;
    static const char *node;
    if (!node) node = machine_setting("node");
    return node ? node : "/dev/input/event90";
}

void libevdev_uinput_destroy(struct libevdev_uinput *made) {
    note("removed", made, NULL);
    free(made);
}
