// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "panel.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// The maximum time for which a FIFO may be full. After that, its reader is assumed to be gone.
enum { WRITE_TIMEOUT_MS = 5000 };

/// Writes at shorter intervals are a burst, because no touchscreen sends more than 250 frames per second.
enum { IN_TIME_US = 4000 };

// -- ioctls -------------------------------------------------------------------------------------

static long answer_text(char *out, unsigned size, const char *text) {
    if (!text[0]) return -ENOENT;
    size_t length = strlen(text) + 1;
    memset(out, 0, size);
    memcpy(out, text, length < size ? length : size);
    return length < size ? length : size;
}

static long answer_bits(void *out, unsigned size, const uint8_t *bits) {
    memset(out, 0, size);
    memcpy(out, bits, size < BIT_BYTES ? size : BIT_BYTES);
    return size < BIT_BYTES ? size : BIT_BYTES;
}

static long answer_slots(const struct panel *p, int32_t *out, unsigned size) {
    unsigned code = out[0], count = size / 4 - 1, slots = description_slots(&p->description);
    if (code >= ABS_CNT || !has_bit(p->description.bits[EV_ABS], code)) return -EINVAL;
    memcpy(out + 1, p->slots[code], (count < slots ? count : slots) * 4);
    return 0;
}

static long answer_axis(const struct panel *p, unsigned code, struct input_absinfo *out, unsigned size) {
    if (!has_bit(p->description.bits[EV_ABS], code)) return -EINVAL;
    struct input_absinfo axis = p->description.axes[code];
    axis.value = p->axis[code];
    memcpy(out, &axis, size < sizeof axis ? size : sizeof axis);
    return 0;
}

static long answer(struct panel *p, unsigned long request, void *data) {
    const struct description *d = &p->description;
    static const uint8_t none[BIT_BYTES];
    unsigned size = _IOC_SIZE(request), nr = _IOC_NR(request);
    if (request == EVIOCSCLOCKID) { p->clock = *(int *)data; return 0; }
    if (request == EVIOCSMASK) return 0;
    if (request == EVIOCGVERSION) { *(int *)data = EV_VERSION; return 0; }
    if (request == EVIOCGID) { memcpy(data, &d->id, sizeof d->id); return 0; }
    if (nr == _IOC_NR(EVIOCGNAME(0))) return answer_text(data, size, d->name);
    if (nr == _IOC_NR(EVIOCGPHYS(0))) return answer_text(data, size, d->phys);
    if (nr == _IOC_NR(EVIOCGUNIQ(0))) return answer_text(data, size, d->uniq);
    if (nr == _IOC_NR(EVIOCGPROP(0))) return answer_bits(data, size, d->props);
    if (nr == _IOC_NR(EVIOCGKEY(0))) return answer_bits(data, size, p->keys);
    if (nr == _IOC_NR(EVIOCGLED(0)) || nr == _IOC_NR(EVIOCGSW(0)) || nr == _IOC_NR(EVIOCGSND(0)))
        return answer_bits(data, size, none);
    if (nr == _IOC_NR(EVIOCGMTSLOTS(0))) return answer_slots(p, data, size);
    if (nr >= 0x20 && nr < 0x40) return answer_bits(data, size, d->bits[nr - 0x20]);
    if (nr >= 0x40 && nr < 0x80) return answer_axis(p, nr - 0x40, data, size);
    return -EINVAL;
}

/// umockdev calls this function on its own thread.
static gboolean on_ioctl(UMockdevIoctlBase *base, UMockdevIoctlClient *client, gpointer context) {
    (void)base;
    struct panel *p = context;
    unsigned long request = umockdev_ioctl_client_get_request(client);
    long result = -ENOTTY;
    if (_IOC_TYPE(request) == 'E') {
        g_mutex_lock(&p->lock);
        UMockdevIoctlData *argument = umockdev_ioctl_client_get_arg(client);
        if (request == EVIOCGRAB) {
            bool is_wanted = *(void **)argument->data != NULL;
            result = is_wanted && p->is_elsewhere ? -EBUSY : 0;
            if (!result) p->is_grabbed = is_wanted;
        } else if (request == EVIOCREVOKE) {
            result = 0;
        } else {
            UMockdevIoctlData *data = umockdev_ioctl_data_resolve(argument, 0, _IOC_SIZE(request), NULL);
            result = data ? answer(p, request, data->data) : -EFAULT;
            if (data) g_object_unref(data);
        }
        g_mutex_unlock(&p->lock);
    }
    umockdev_ioctl_client_complete(client, result < 0 ? -1 : result, result < 0 ? -result : 0);
    return TRUE;
}

// -- plugging and unplugging ------------------------------------------------------------------------

static void describe_node(GString *text, const struct panel *p, const char *path, const char *node, int minor) {
    g_string_append_printf(text, "P: %s\nE: SUBSYSTEM=input\n", path + strlen("/sys"));
    if (node) g_string_append_printf(text, "E: DEVNAME=%s\nE: MAJOR=13\nE: MINOR=%d\nA: dev=13:%d\n", node, minor, minor);
    else
        g_string_append_printf(text, "E: NAME=\"%s\"\nE: PRODUCT=%x/%x/%x/%x\nA: name=%s\n", p->description.name,
                               p->description.id.bustype, p->description.id.vendor, p->description.id.product,
                               p->description.id.version, p->description.name);
    for (int i = 0; i < MAX_PROPERTIES; i++)
        if (p->description.properties[i][0]) g_string_append_printf(text, "E: %s\n", p->description.properties[i]);
    g_string_append_c(text, '\n');
}

static const char *open_node(struct panel *p, const char *root) {
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, p->node);
    p->fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_NONBLOCK | O_CLOEXEC, 0);
    if (p->fd < 0) return "cannot open the node";
    fcntl(p->fd, F_SETPIPE_SZ, 1 << 20);
    return NULL;
}

/// The node is a FIFO, created with raw system calls that bypass umockdev's redirection. A PTY, which
/// umockdev would create, splits events and blocks.
static const char *make_node(struct panel *p, const char *root) {
    char path[512];
    snprintf(path, sizeof path, "%s/dev/input", root);
    if (g_mkdir_with_parents(path, 0755)) return "cannot make the folder of the node";
    snprintf(path, sizeof path, "%s%s", root, p->node);
    if (syscall(SYS_mknodat, AT_FDCWD, path, S_IFIFO | 0600, 0)) return "cannot make the node: is it plugged in already?";
    return open_node(p, root);
}

struct panel *panel_make(void) {
    struct panel *p = calloc(1, sizeof *p);
    if (!p) abort();
    g_mutex_init(&p->lock);
    p->fd = -1;
    return p;
}

const char *panel_add(struct panel *p, UMockdevTestbed *testbed, const struct description *d, int number) {
    GError *error = NULL;
    g_mutex_lock(&p->lock);
    p->description = *d;
    p->number = number;
    p->fd = -1;
    p->clock = CLOCK_MONOTONIC;
    p->is_grabbed = p->is_elsewhere = false;
    p->queued = p->split = 0;
    memset(p->keys, 0, sizeof p->keys);
    memset(p->slots, 0, sizeof p->slots);
    for (int slot = 0; slot < MAX_SLOTS; slot++) p->slots[ABS_MT_TRACKING_ID][slot] = -1;
    for (int code = 0; code < ABS_CNT; code++) p->axis[code] = d->axes[code].value;
    snprintf(p->node, sizeof p->node, "/dev/input/event%d", number);
    snprintf(p->input_path, sizeof p->input_path, "/sys/devices/platform/fake-i2c/input/input%d",
             d->parent ? d->parent - 1 : number);
    snprintf(p->event_path, sizeof p->event_path, "%s/event%d", p->input_path, number);
    snprintf(p->mouse_path, sizeof p->mouse_path, "%s/mouse%d", p->input_path, number);
    g_mutex_unlock(&p->lock);

    // This must be done before the device is added, because a reader may call its first ioctl immediately afterwards.
    UMockdevIoctlBase *ioctls = umockdev_ioctl_base_new();
    g_signal_connect(ioctls, "handle-ioctl", G_CALLBACK(on_ioctl), p);
    gboolean attached = umockdev_testbed_attach_ioctl(testbed, p->node, ioctls, &error);
    g_object_unref(ioctls);
    if (!attached) return error->message;
    gchar *root = umockdev_testbed_get_root_dir(testbed);
    const char *problem = make_node(p, root);
    g_free(root);
    if (problem) return problem;

    GString *text = g_string_new(NULL);
    char mouse_node[64];
    snprintf(mouse_node, sizeof mouse_node, "/dev/input/mouse%d", number);
    describe_node(text, p, p->input_path, NULL, 0);
    describe_node(text, p, p->event_path, p->node, 64 + number);
    if (d->has_mouse) describe_node(text, p, p->mouse_path, mouse_node, 32 + number);
    gboolean added = umockdev_testbed_add_from_string(testbed, text->str, &error);
    g_string_free(text, TRUE);
    p->is_plugged = added;
    return added ? NULL : error->message;
}

const char *panel_remove(struct panel *p, UMockdevTestbed *testbed, bool is_told) {
    GError *error = NULL;
    if (is_told && p->description.has_mouse) umockdev_testbed_uevent(testbed, p->mouse_path, "remove");
    if (is_told) umockdev_testbed_uevent(testbed, p->event_path, "remove");
    umockdev_testbed_detach_ioctl(testbed, p->node, &error);
    if (p->description.has_mouse) umockdev_testbed_remove_device(testbed, p->mouse_path);
    umockdev_testbed_remove_device(testbed, p->event_path);
    if (is_told) umockdev_testbed_uevent(testbed, p->input_path, "remove");
    umockdev_testbed_remove_device(testbed, p->input_path);
    gchar *root = umockdev_testbed_get_root_dir(testbed);
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, p->node);
    g_free(root);
    syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    panel_break(p);
    p->is_plugged = false;
    return error ? error->message : NULL;
}

void panel_change(struct panel *p, UMockdevTestbed *testbed, const struct description *d) {
    for (int i = 0; i < MAX_PROPERTIES; i++) {
        const char *property = d->properties[i], *value = strchr(property, '=');
        if (!value) continue;
        gchar *key = g_strndup(property, value - property);
        umockdev_testbed_set_property(testbed, p->event_path, key, value + 1);
        g_free(key);
    }
    umockdev_testbed_uevent(testbed, p->event_path, "change");
}

void panel_break(struct panel *p) {
    if (p->fd >= 0) close(p->fd);
    p->fd = -1;
}

const char *panel_mend(struct panel *p, UMockdevTestbed *testbed) {
    if (p->fd >= 0) return "it is not broken";
    gchar *root = umockdev_testbed_get_root_dir(testbed);
    const char *problem = open_node(p, root);
    g_free(root);
    return problem;
}

void panel_range(struct panel *p, unsigned code, const struct input_absinfo *axis) {
    g_mutex_lock(&p->lock);
    description_axis(&p->description, code, axis);
    g_mutex_unlock(&p->lock);
}

void panel_elsewhere(struct panel *p, bool is_elsewhere) {
    g_mutex_lock(&p->lock);
    p->is_elsewhere = is_elsewhere;
    g_mutex_unlock(&p->lock);
}

// -- events -------------------------------------------------------------------------------------

/// Sets the value of a key or of an axis. The caller has locked the state.
static void set(struct panel *p, int type, int code, int value) {
    if (type == EV_KEY && code >= 0 && code < KEY_CNT) set_bit(p->keys, code, value != 0);
    if (type != EV_ABS || code < 0 || code >= ABS_CNT) return;
    int slot = p->axis[ABS_MT_SLOT];
    if (code <= ABS_MT_SLOT) p->axis[code] = value;
    else if (slot >= 0 && slot < MAX_SLOTS) p->slots[code][slot] = value;
}

void panel_set(struct panel *p, int type, int code, int value) {
    g_mutex_lock(&p->lock);
    set(p, type, code, value);
    g_mutex_unlock(&p->lock);
}

const char *panel_queue(struct panel *p, int type, int code, int value) {
    if (p->queued == MAX_QUEUED) return "too many events without a syn";
    p->queue[p->queued++] = (struct input_event){.type = type, .code = code, .value = value};
    return NULL;
}

const char *panel_event(struct panel *p, int type, int code, int value) {
    const char *problem = panel_queue(p, type, code, value);
    if (problem) return problem;
    panel_set(p, type, code, value);
    p->split = p->queued;
    return NULL;
}

int64_t panel_now(const struct panel *p) {
    struct timespec now;
    clock_gettime(p->clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void note_unread(struct panel *p, size_t more) {
    int unread = 0;
    int64_t now = panel_now(p);
    bool is_in_time = now - p->written >= IN_TIME_US;
    p->written = now;
    if (!is_in_time || ioctl(p->fd, FIONREAD, &unread)) return;
    size_t events = (unread + more) / sizeof p->queue[0];
    if (events > p->fullest) p->fullest = events;
}

const char *panel_flush(struct panel *p, int64_t at) {
    int64_t time = at ? at : panel_now(p);
    for (int i = 0; i < p->queued; i++) {
        p->queue[i].input_event_sec = time / 1000000;
        p->queue[i].input_event_usec = time % 1000000;
    }
    const char *bytes = (const char *)p->queue;
    size_t left = p->is_elsewhere ? 0 : p->queued * sizeof p->queue[0];
    note_unread(p, left);
    // A reader that queries the state sees either all of a frame, or nothing of it, as of a driver that is not
    // interrupted. It must be able to query it while this program waits for room.
    g_mutex_lock(&p->lock);
    for (int i = p->split; i < p->queued; i++) set(p, p->queue[i].type, p->queue[i].code, p->queue[i].value);
    p->queued = p->split = 0;
    const char *problem = NULL;
    while (left > 0 && !problem) {
        ssize_t written = write(p->fd, bytes, left);
        if (written > 0) {
            bytes += written;
            left -= written;
        } else if (errno == EAGAIN) {
            g_mutex_unlock(&p->lock);
            if (poll(&(struct pollfd){.fd = p->fd, .events = POLLOUT}, 1, WRITE_TIMEOUT_MS) == 0)
                problem = "no program reads the panel";
            g_mutex_lock(&p->lock);
        } else if (errno != EINTR) {
            problem = strerror(errno);
        }
    }
    g_mutex_unlock(&p->lock);
    return problem;
}
