/* SPDX-License-Identifier: MIT */
/*
 * gestured.h: a client of gestured, the gesture daemon, for Linux. It is C99 and C++, and needs nothing but libc.
 *
 * Either define GESTURED_IMPLEMENTATION in one source file, and include this header there before any other header; or link with
 * libgestured (pkg-config gestured), which is the same code.
 *
 *     struct gestured *client = gestured_new(NULL);
 *     struct gestured_options options = {0};
 *     options.gestures = "tap swipe";
 *     gestured_subscribe(client, &options);
 *     struct pollfd fd = {gestured_get_fd(client), POLLIN, 0};
 *     while (poll(&fd, 1, -1) >= 0) {
 *         gestured_dispatch(client);
 *         const struct gestured_event *event;
 *         while ((event = gestured_next_event(client))) {
 *             const struct gestured_gesture *gesture = gestured_event_get_gesture(event);
 *             if (gesture) printf("%s %s\n", gesture->gesture, gesture->region);
 *         }
 *     }
 *
 * No function blocks. A client may be used by one thread at a time, and not by a child process after fork(). Keys and values are
 * those of docs/protocol.md.
 *
 * The client reconnects when it loses the daemon, and repeats its subscription and its regions. Every gesture that begins also
 * ends: if the connection or lines were lost, the client adds a cancel.
 */
#ifndef GESTURED_H
#define GESTURED_H

/* The implementation uses clock_gettime() and getpid(), which -std=c99 hides. */
#if defined(GESTURED_IMPLEMENTATION) && !defined(_GNU_SOURCE) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The declaration of all functions, for example `static inline` in a program with one source file. */
#ifndef GESTURED_API
#define GESTURED_API
#endif

/* A connection to the daemon, and what is known of its state. */
struct gestured;
/* An event. It belongs to the client, and is valid until the next call of gestured_next_event(), gestured_dispatch() or
 * gestured_free(). All that it points to is valid as long. */
struct gestured_event;

enum gestured_event_type {
    /* An event that only a later daemon sends, or `frame`. gestured_event_get_line() has its values. */
    GESTURED_EVENT_OTHER,
    /* The client is connected. A GESTURED_EVENT_STATE follows. */
    GESTURED_EVENT_HELLO,
    GESTURED_EVENT_STATE,
    GESTURED_EVENT_GESTURE,
    GESTURED_EVENT_FAILED,
    GESTURED_EVENT_TOUCHES,
    GESTURED_EVENT_IDLE,
    GESTURED_EVENT_WAKE,
    GESTURED_EVENT_DEVICE,
    GESTURED_EVENT_CONFIG,
    GESTURED_EVENT_OVERFLOW,
    GESTURED_EVENT_BYE,
    /* The answer to a request. */
    GESTURED_EVENT_REPLY,
    /* The connection was lost. All gestures under way have been cancelled before. */
    GESTURED_EVENT_DISCONNECTED
};

enum gestured_phase {
    /* The gesture is discrete: it has no phases. */
    GESTURED_PHASE_NONE,
    GESTURED_PHASE_BEGIN,
    GESTURED_PHASE_UPDATE,
    GESTURED_PHASE_END,
    GESTURED_PHASE_CANCEL
};

/*
 * The structures below have the values of an event under the names of docs/protocol.md. A value that the event does not have is
 * NULL, NaN, or -1 (also for `bool`s, which are therefore of type int). Later versions add members only at the end;
 * those of the elements of arrays replace `reserved`, so that the elements keep their size.
 */

struct gestured_point {
    double x, y;
};

struct gestured_hello {
    const char *server, *instance;
    int64_t protocol, config_generation;
    const char *const *rights;
    size_t right_count;
    const char *const *capabilities;
    size_t capability_count;
};

struct gestured_panel {
    const char *device, *state;
    int64_t reserved[4];
};

/* A continuous gesture that has begun and not ended. */
struct gestured_active {
    const char *region, *gesture, *name, *device;
    int64_t sequence;
    /* As in gestured_gesture. */
    int leased, reserved_flag;
    int64_t reserved[3];
};

struct gestured_state {
    int64_t seq;
    const char *scene;
    int64_t scene_for_ms;
    const struct gestured_panel *devices;
    size_t device_count;
    const char *const *idle;
    size_t idle_count;
    const struct gestured_active *active;
    size_t active_count;
    /* NULL while it is "default". */
    const char *profile;
};

struct gestured_gesture {
    const char *gesture, *name, *region, *device;
    enum gestured_phase phase;
    /* The cause of a cancel. It is "disconnected" or "lost" if `added`. */
    const char *reason;
    int64_t seq, sequence, fingers;
    double x, y, u, v;
    int64_t time_us, wall_ms, coalesced;
    /* vocabulary: members */
    int inside;
    int64_t held_ms, count, duration_ms, n;
    const char *direction;
    double angle, distance_mm, velocity_mm_s;
    struct gestured_point start, predicted;
    double dx, dy, vx, vy, scale, rotation;
    int64_t steps;
    double score;
    /* Whether the client has added this cancel. Its position is that of the last event of the gesture, if there was one. */
    bool added;
    const char *action;
    double velocity_deg_s;
    /* Whether (1) a client has defined the region, which can have any name. Only regions of the files stand for what they are
     * named. */
    int leased;
    /* vocabulary: end */
};

struct gestured_failed {
    const char *gesture, *name, *region, *device, *code, *key, *unit, *message;
    int64_t seq, sequence;
    double value, limit;
    int64_t time_us, wall_ms;
    const char *action;
    int leased;
};

struct gestured_contact {
    int64_t id, slot;
    double x, y;
    const char *region, *to, *kept;
    int64_t sequence;
    double major_mm;
    int64_t reserved[4];
};

struct gestured_ignored {
    int64_t slot;
    double x, y;
    const char *filter, *to, *kept;
    int64_t reserved[4];
};

struct gestured_touches {
    const char *device;
    int64_t seq, time_us, wall_ms, coalesced;
    const struct gestured_contact *contacts;
    size_t contact_count;
    const struct gestured_ignored *ignored;
    size_t ignored_count;
};

struct gestured_idle {
    const char *name, *change, *reason;
    int64_t seq, idle_ms, time_us, wall_ms;
};

struct gestured_wake {
    const char *device, *reason;
    int64_t seq, time_us, wall_ms;
};

struct gestured_device {
    const char *change, *device, *node, *name;
    int64_t seq, wall_ms;
};

struct gestured_config {
    const char *change, *scene;
    int64_t seq, generation, scene_for_ms, wall_ms;
    /* NULL while it is "default", except in the line about a change to it. */
    const char *profile;
};

struct gestured_overflow {
    int64_t seq, dropped, since_ms;
};

struct gestured_bye {
    const char *reason;
};

struct gestured_reply {
    /* The number that the function of the request returned. */
    int64_t id;
    /* Whether the daemon carried the request out. gestured_event_get_line() has the values of the reply. */
    bool ok;
    /* If not `ok`: a code of docs/protocol.md, or "disconnected" if it is not known whether the request was carried out. */
    const char *code, *message, *suggestion;
};

struct gestured_disconnected {
    const char *cause;
    /* Whether the client does not try again until the next gestured_subscribe(), because that cannot help: without permission, or
     * if the daemon has another protocol. After a line that is not valid, it tries again. */
    bool gave_up;
};

/* The options of gestured_subscribe(). Lists are words separated by spaces. NULL and 0 stand for the default. */
struct gestured_options {
    /* Words of `gesture failed touches idle device config frame`. Default: `gesture idle device config`. */
    const char *events;
    /* Globs. Default: all. */
    const char *regions, *gestures, *names, *devices;
    /* Words of `begin update end cancel`. Default: all but `update`. */
    const char *phases;
    double max_rate_hz;
    int64_t max_age_ms;
    bool wall_clock;
    /* These must be 0. */
    void *reserved[8];
};

enum gestured_log_priority { GESTURED_LOG_INFO, GESTURED_LOG_ERROR };
typedef void (*gestured_log_handler)(void *data, enum gestured_log_priority priority, const char *message);

/* Creates a client of the daemon at a socket; NULL: $GESTURED_SOCKET, or else /run/gestured/gestured.sock. The client connects in
 * the first gestured_dispatch(). Returns NULL, with errno set, if there is no memory or no descriptor. */
GESTURED_API struct gestured *gestured_new(const char *path);
/* Disconnects, so that the daemon removes the client's regions, and frees everything. NULL is allowed. */
GESTURED_API void gestured_free(struct gestured *client);

/* Sets the function that receives messages for a log, such as why there is no connection. It must not call functions with
 * this client. Default: none. */
GESTURED_API void gestured_set_log_handler(struct gestured *client, gestured_log_handler handler, void *data);

/* The descriptor that becomes readable when gestured_dispatch() has something to do, also for a reconnection. It stays the same
 * for the lifetime of the client, which closes it. */
GESTURED_API int gestured_get_fd(const struct gestured *client);
/* The milliseconds until gestured_dispatch() must be called, for programs that do not wait for the descriptor; -1: not known. */
GESTURED_API int gestured_get_timeout(const struct gestured *client);
/* Connects, sends and receives what is possible without waiting. Afterwards call gestured_next_event() until it returns NULL.
 * Returns 0, or a negative errno if there is no memory; then the connection is lost and will be made again. */
GESTURED_API int gestured_dispatch(struct gestured *client);
/* Returns the next event that gestured_dispatch() has received, or NULL. */
GESTURED_API const struct gestured_event *gestured_next_event(struct gestured *client);
/* Whether the daemon has accepted the connection. */
GESTURED_API bool gestured_is_connected(const struct gestured *client);

GESTURED_API enum gestured_event_type gestured_event_get_type(const struct gestured_event *event);
/* The word of a phase in the protocol; NULL for GESTURED_PHASE_NONE. */
GESTURED_API const char *gestured_phase_name(enum gestured_phase phase);
/* The daemon's line without its line feed; NULL if the client has added the event. */
GESTURED_API const char *gestured_event_get_line(const struct gestured_event *event);
/* The values of an event of this type; NULL for events of other types. */
GESTURED_API const struct gestured_hello *gestured_event_get_hello(const struct gestured_event *event);
GESTURED_API const struct gestured_state *gestured_event_get_state(const struct gestured_event *event);
GESTURED_API const struct gestured_gesture *gestured_event_get_gesture(const struct gestured_event *event);
GESTURED_API const struct gestured_failed *gestured_event_get_failed(const struct gestured_event *event);
GESTURED_API const struct gestured_touches *gestured_event_get_touches(const struct gestured_event *event);
GESTURED_API const struct gestured_idle *gestured_event_get_idle(const struct gestured_event *event);
GESTURED_API const struct gestured_wake *gestured_event_get_wake(const struct gestured_event *event);
GESTURED_API const struct gestured_device *gestured_event_get_device(const struct gestured_event *event);
GESTURED_API const struct gestured_config *gestured_event_get_config(const struct gestured_event *event);
GESTURED_API const struct gestured_overflow *gestured_event_get_overflow(const struct gestured_event *event);
GESTURED_API const struct gestured_bye *gestured_event_get_bye(const struct gestured_event *event);
GESTURED_API const struct gestured_reply *gestured_event_get_reply(const struct gestured_event *event);
GESTURED_API const struct gestured_disconnected *gestured_event_get_disconnected(const struct gestured_event *event);

/*
 * The functions below send a request and return its number, which is positive, or a negative errno: -EINVAL (an argument that is
 * not valid), -EMSGSIZE (longer than the 64 KiB that the daemon accepts), -ENOTCONN (no connection), -EAGAIN (the daemon has not
 * answered 256 requests), -ENOSPC (too many regions) or -ENOMEM. A GESTURED_EVENT_REPLY with the number follows.
 */

/* Replaces the subscription, which the client repeats after a reconnection. NULL: the defaults. A client that has not subscribed
 * receives only replies. If the daemon accepts it, GESTURED_EVENT_HELLO and GESTURED_EVENT_STATE follow instead of a reply, and
 * gestures under way that it does not cover are cancelled ("lost"). If the daemon refuses it, no events follow. */
GESTURED_API int64_t gestured_subscribe(struct gestured *client, const struct gestured_options *options);
/* Any request. `keys` is a JSON object with the other keys of the request, or NULL. */
GESTURED_API int64_t gestured_request(struct gestured *client, const char *command, const char *keys);
/* Switches the scene. `for_ms`: the time after which the former scene comes back; 0: never. */
GESTURED_API int64_t gestured_set_scene(struct gestured *client, const char *scene, int64_t for_ms);
/* Switches the profile. `lease`: it ends with the connection, so set it again after a reconnection. */
GESTURED_API int64_t gestured_set_profile(struct gestured *client, const char *profile, bool lease);
/* Switches the regions that match a glob on or off. */
GESTURED_API int64_t gestured_set_region(struct gestured *client, const char *region, bool enabled);
/* Cancels the gestures of the regions that match a glob. */
GESTURED_API int64_t gestured_cancel(struct gestured *client, const char *region);
/* Adds a region, or replaces the one with the same id. `region` is a JSON object with the keys of [[region]]. A new region lies on
 * top of the client's regions, or directly under the region `below` (NULL: on top). With `wait`, the change waits while the region
 * is touched. The region is leased: it is gone when the client is, and the client puts it again after a reconnection. Without a
 * connection it is put as soon as there is one, and each time another reply with the same number follows. A region that the daemon
 * refuses is not put again, nor one that it was to replace. */
GESTURED_API int64_t gestured_put_region(struct gestured *client, const char *region, const char *below, bool wait);
/* Removes a region of this client. -ENOTCONN: without a connection the region is gone already. After -EAGAIN it is still there. */
GESTURED_API int64_t gestured_remove_region(struct gestured *client, const char *id, bool wait);

#ifdef __cplusplus
}
#endif

#endif /* GESTURED_H */

#ifdef GESTURED_IMPLEMENTATION
#undef GESTURED_IMPLEMENTATION

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    GSD_PROTOCOL = 1,
    GSD_DEFAULT_READ = 16 << 10,
    /* The number of bytes that are read in advance. */
    GSD_READ_AHEAD = 64 << 10,
    /* The longest line that is accepted. A reply with 4000 regions has about 1 MiB. */
    GSD_LINE = 4 << 20,
    /* The longest line of a gesture that is accepted. The daemon's have at most 4 KiB. */
    GSD_GESTURE_LINE = 16 << 10,
    /* The longest request that the daemon accepts. */
    GSD_REQUEST = 64 << 10,
    GSD_REQUESTS = 256,
    /* The number of regions that the daemon accepts. */
    GSD_REGIONS = 2000,
    /* The number of gestures under way. There are far fewer on a real panel. */
    GSD_OPEN = 4096,
    GSD_ITEMS = 64 << 10,
    GSD_DEPTH = 32,
    GSD_FIRST_DELAY_US = 100000,
    GSD_LONGEST_DELAY_US = 5000000,
    /* A daemon that does not answer for this time hangs. */
    GSD_PATIENCE_US = 5000000
};

/* -- Memory ------------------------------------------------------------------------------------------------------------ */

/* Bytes that grow. They are never given back before the client is freed. */
struct gsd_bytes {
    char *data;
    size_t count, capacity;
    /* Whether there was no memory for something that was appended. */
    bool failed;
};

static bool gsd_reserve(struct gsd_bytes *bytes, size_t more) {
    size_t needed = bytes->count + more, capacity = bytes->capacity ? bytes->capacity : 256;
    char *data;
    if (needed <= bytes->capacity) return true;
    while (capacity < needed) capacity *= 2;
    data = (char *)realloc(bytes->data, capacity);
    if (!data) {
        bytes->failed = true;
        return false;
    }
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

static void gsd_append(struct gsd_bytes *bytes, const void *data, size_t count) {
    if (!gsd_reserve(bytes, count) || !count) return;
    memcpy(bytes->data + bytes->count, data, count);
    bytes->count += count;
}

static void gsd_write(struct gsd_bytes *bytes, const char *text) { gsd_append(bytes, text, strlen(text)); }

static void gsd_clear(struct gsd_bytes *bytes) {
    bytes->count = 0;
    bytes->failed = false;
}

/* Appends the text as a JSON string. */
static void gsd_write_string(struct gsd_bytes *bytes, const char *text, size_t length) {
    size_t index;
    gsd_write(bytes, "\"");
    for (index = 0; index < length; index++) {
        char escape[8];
        unsigned char letter = (unsigned char)text[index];
        if (letter == '"' || letter == '\\') snprintf(escape, sizeof escape, "\\%c", letter);
        else if (letter < 0x20) snprintf(escape, sizeof escape, "\\u%04x", (unsigned)letter);
        else snprintf(escape, sizeof escape, "%c", letter);
        gsd_write(bytes, escape);
    }
    gsd_write(bytes, "\"");
}

/* Appends `,"key":`, without the comma at the beginning of an object. */
static void gsd_write_key(struct gsd_bytes *bytes, const char *key) {
    if (bytes->count && bytes->data[bytes->count - 1] != '{') gsd_write(bytes, ",");
    gsd_write_string(bytes, key, strlen(key));
    gsd_write(bytes, ":");
}

static void gsd_write_text(struct gsd_bytes *bytes, const char *key, const char *text) {
    if (!text) return;
    gsd_write_key(bytes, key);
    gsd_write_string(bytes, text, strlen(text));
}

static void gsd_write_whole(struct gsd_bytes *bytes, const char *key, int64_t value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)value);
    gsd_write_key(bytes, key);
    gsd_write(bytes, digits);
}

/* Finds the next of the words, which are separated by spaces. Returns its length, or 0. */
static size_t gsd_word(const char **words) {
    *words += strspn(*words, " ");
    return strcspn(*words, " ");
}

static void gsd_write_words(struct gsd_bytes *bytes, const char *key, const char *words) {
    size_t length;
    if (!words) return;
    gsd_write_key(bytes, key);
    gsd_write(bytes, "[");
    for (; (length = gsd_word(&words)) > 0; words += length) {
        if (bytes->count && bytes->data[bytes->count - 1] != '[') gsd_write(bytes, ",");
        gsd_write_string(bytes, words, length);
    }
    gsd_write(bytes, "]");
}

/* -- JSON -------------------------------------------------------------------------------------------------------------- */

/* Reads JSON in place: strings that are read are unescaped and get a NUL behind them. */
struct gsd_reader {
    char *at, *end;
    /* Where the elements of lists go. */
    struct gsd_bytes *lists;
    unsigned depth;
};

enum gsd_kind { GSD_TEXT, GSD_WHOLE, GSD_NUMBER, GSD_FLAG, GSD_PHASE, GSD_OBJECT, GSD_LIST, GSD_TEXTS };

/* A key that is read, and the member of a structure that its value goes to. */
struct gsd_field {
    const char *key;
    unsigned char kind;
    bool is_needed;
    /* A list has an index in gsd_reader.lists, and a member for the number of elements. */
    unsigned char list;
    unsigned short offset, count_offset;
    const struct gsd_table *(*table)(void);
};

struct gsd_table {
    const struct gsd_field *fields;
    size_t count, size;
};

static void gsd_skip_space(struct gsd_reader *reader) {
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r' || *reader->at == '\n'))
        reader->at++;
}

/* Consumes this character, and space before it. */
static bool gsd_accept(struct gsd_reader *reader, char letter) {
    gsd_skip_space(reader);
    if (reader->at == reader->end || *reader->at != letter) return false;
    reader->at++;
    return true;
}

static bool gsd_accept_word(struct gsd_reader *reader, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0) return false;
    reader->at += length;
    return true;
}

/* Returns the length of the valid UTF-8 character that begins here, or 0. */
static size_t gsd_character(const char *text, const char *end) {
    const unsigned char *byte = (const unsigned char *)text;
    size_t length = byte[0] < 0x80 ? 1 : byte[0] < 0xC2 ? 0 : byte[0] < 0xE0 ? 2 : byte[0] < 0xF0 ? 3 : byte[0] < 0xF5 ? 4 : 0;
    size_t index;
    if (!length || (size_t)(end - text) < length) return 0;
    for (index = 1; index < length; index++)
        if ((byte[index] & 0xC0) != 0x80) return 0;
    if ((byte[0] == 0xE0 && byte[1] < 0xA0) || (byte[0] == 0xED && byte[1] > 0x9F)) return 0;
    if ((byte[0] == 0xF0 && byte[1] < 0x90) || (byte[0] == 0xF4 && byte[1] > 0x8F)) return 0;
    return length;
}

static bool gsd_read_hex(struct gsd_reader *reader, unsigned *value) {
    static const char digits[] = "0123456789abcdef";
    int index;
    *value = 0;
    for (index = 0; index < 4; index++, reader->at++) {
        const char *digit = reader->at < reader->end && *reader->at >= '0' ? strchr(digits, *reader->at | 0x20) : NULL;
        if (!digit) return false;
        *value = *value * 16 + (unsigned)(digit - digits);
    }
    return true;
}

/* Reads what follows a backslash, and writes the character, which is never longer than its escape. */
static char *gsd_read_escape(struct gsd_reader *reader, char *to) {
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *place = reader->at < reader->end && *reader->at ? strchr(letters, *reader->at) : NULL;
    unsigned code, low, size, index;
    if (place) {
        reader->at++;
        *to = values[place - letters];
        return to + 1;
    }
    if (!gsd_accept_word(reader, "u") || !gsd_read_hex(reader, &code) || !code || (code >= 0xDC00 && code < 0xE000)) return NULL;
    if (code >= 0xD800 && code < 0xDC00) {
        if (!gsd_accept_word(reader, "\\u") || !gsd_read_hex(reader, &low) || low < 0xDC00 || low > 0xDFFF) return NULL;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (index = size - 1; index > 0; index--, code >>= 6) to[index] = (char)(0x80 | (code & 0x3F));
    to[0] = (char)(size == 1 ? code : ((0xF00u >> size) & 0xFF) | code);
    return to + size;
}

/* Reads a string. U+0000 is refused, because C strings cannot contain it. */
static const char *gsd_read_string(struct gsd_reader *reader) {
    char *begin, *to;
    if (!gsd_accept(reader, '"')) return NULL;
    begin = to = reader->at;
    while (reader->at < reader->end) {
        unsigned char letter = (unsigned char)*reader->at;
        if (letter == '"') {
            reader->at++;
            *to = '\0';
            return begin;
        }
        if (letter < 0x20) return NULL;
        if (letter == '\\') {
            reader->at++;
            to = gsd_read_escape(reader, to);
            if (!to) return NULL;
        } else {
            size_t length = letter < 0x80 ? 1 : gsd_character(reader->at, reader->end);
            if (!length) return NULL;
            for (; length; length--) *to++ = *reader->at++;
        }
    }
    return NULL;
}

/* Reads digits into a number of at most 18 digits, and counts those that do not fit. Returns the number of digits. */
static int gsd_read_digits(struct gsd_reader *reader, int64_t *number, int *left_out) {
    const char *begin = reader->at;
    *left_out = 0;
    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++)
        if (*number < 100000000000000000) *number = *number * 10 + (*reader->at - '0');
        else ++*left_out;
    return (int)(reader->at - begin);
}

/* Reads a number without the C locale's functions, whose decimal point depends on the locale. Numbers of up to 15 digits,
 * which are all that the daemon sends, are exact. `is_whole` is set if it is an integer of at most 18 digits. */
static bool gsd_read_number(struct gsd_reader *reader, double *value, int64_t *whole, bool *is_whole) {
    bool is_negative = gsd_accept(reader, '-'), is_small = false;
    int64_t mantissa = 0, power = 0;
    double factor = 1;
    int exponent, left_out, digits;
    const char *begin = reader->at;
    digits = gsd_read_digits(reader, &mantissa, &exponent);
    if (!digits || (digits > 1 && *begin == '0')) return false;
    *is_whole = !exponent;
    if (gsd_accept_word(reader, ".")) {
        digits = gsd_read_digits(reader, &mantissa, &left_out);
        if (!digits) return false;
        exponent -= digits - left_out;
        *is_whole = false;
    }
    if (gsd_accept_word(reader, "e") || gsd_accept_word(reader, "E")) {
        is_small = gsd_accept_word(reader, "-");
        if (!is_small) gsd_accept_word(reader, "+");
        if (!gsd_read_digits(reader, &power, &left_out)) return false;
        if (power > 10000000) power = 10000000;
        exponent += is_small ? -(int)power : (int)power;
        *is_whole = false;
    }
    *whole = is_negative ? -mantissa : mantissa;
    *value = (double)*whole;
    digits = exponent < 0 ? -exponent : exponent;
    for (; digits > 22 && *value != 0 && fabs(*value) <= DBL_MAX; digits -= 22)
        *value = exponent < 0 ? *value / 1e22 : *value * 1e22;
    for (; digits > 0 && digits <= 22; digits--) factor *= 10;
    *value = exponent < 0 ? *value / factor : *value * factor;
    return fabs(*value) <= DBL_MAX;
}

/* Consumes any value. */
static bool gsd_skip(struct gsd_reader *reader) {
    double value;
    int64_t whole;
    bool is_whole, is_object;
    gsd_skip_space(reader);
    if (reader->at == reader->end) return false;
    switch (*reader->at) {
    case '"': return gsd_read_string(reader) != NULL;
    case 't': return gsd_accept_word(reader, "true");
    case 'f': return gsd_accept_word(reader, "false");
    case 'n': return gsd_accept_word(reader, "null");
    case '[':
    case '{':
        is_object = *reader->at++ == '{';
        if (gsd_accept(reader, is_object ? '}' : ']')) return true;
        if (++reader->depth > GSD_DEPTH) return false;
        do {
            if (is_object && (!gsd_read_string(reader) || !gsd_accept(reader, ':'))) return false;
            if (!gsd_skip(reader)) return false;
        } while (gsd_accept(reader, ','));
        reader->depth--;
        return gsd_accept(reader, is_object ? '}' : ']');
    default: return gsd_read_number(reader, &value, &whole, &is_whole);
    }
}

static bool gsd_read_object(struct gsd_reader *reader, const struct gsd_table *table, void *to);

/* Sets all members to the values that stand for a missing key. */
static void gsd_set_missing(const struct gsd_table *table, void *to) {
    size_t index;
    memset(to, 0, table->size);
    for (index = 0; index < table->count; index++) {
        const struct gsd_field *field = &table->fields[index];
        char *member = (char *)to + field->offset;
        if (field->kind == GSD_WHOLE) *(int64_t *)(void *)member = -1;
        else if (field->kind == GSD_NUMBER) *(double *)(void *)member = (double)NAN;
        else if (field->kind == GSD_FLAG) *(int *)(void *)member = -1;
        else if (field->kind == GSD_OBJECT) gsd_set_missing(field->table(), member);
    }
}

static bool gsd_read_list(struct gsd_reader *reader, const struct gsd_field *field, void *to) {
    struct gsd_bytes *list = &reader->lists[field->list];
    size_t size = field->kind == GSD_TEXTS ? sizeof(char *) : field->table()->size, count = 0;
    gsd_clear(list);
    if (!gsd_accept(reader, '[')) return false;
    if (!gsd_accept(reader, ']')) {
        do {
            if (count++ == GSD_ITEMS || !gsd_reserve(list, size)) return false;
            if (field->kind == GSD_TEXTS) {
                const char *text = gsd_read_string(reader);
                if (!text) return false;
                memcpy(list->data + list->count, &text, sizeof text);
            } else if (!gsd_read_object(reader, field->table(), list->data + list->count)) {
                return false;
            }
            list->count += size;
        } while (gsd_accept(reader, ','));
        if (!gsd_accept(reader, ']')) return false;
    }
    *(void **)(void *)((char *)to + field->offset) = list->data;
    *(size_t *)(void *)((char *)to + field->count_offset) = count;
    return true;
}

static const char *const gsd_phases[] = {"begin", "update", "end", "cancel"};

static bool gsd_read_value(struct gsd_reader *reader, const struct gsd_field *field, void *to) {
    void *member = (char *)to + field->offset;
    const char *text;
    double number;
    int64_t whole;
    bool is_whole;
    size_t index;
    switch ((enum gsd_kind)field->kind) {
    case GSD_TEXT:
        text = gsd_read_string(reader);
        memcpy(member, &text, sizeof text);
        return text != NULL;
    case GSD_WHOLE:
    case GSD_NUMBER:
        if (!gsd_read_number(reader, &number, &whole, &is_whole)) return false;
        if (field->kind == GSD_NUMBER) *(double *)member = number;
        else *(int64_t *)member = whole;
        return is_whole || field->kind == GSD_NUMBER;
    case GSD_FLAG:
        *(int *)member = gsd_accept_word(reader, "true");
        return *(int *)member || gsd_accept_word(reader, "false");
    case GSD_PHASE:
        text = gsd_read_string(reader);
        for (index = 0; text && index < sizeof gsd_phases / sizeof *gsd_phases; index++)
            if (strcmp(text, gsd_phases[index]) == 0) *(enum gestured_phase *)member = (enum gestured_phase)(index + 1);
        return text && *(enum gestured_phase *)member != GESTURED_PHASE_NONE;
    case GSD_OBJECT: return gsd_read_object(reader, field->table(), member);
    case GSD_LIST:
    case GSD_TEXTS: return gsd_read_list(reader, field, to);
    }
    return false;
}

/* Reads an object. Unknown keys are ignored. A value `null` is a missing key. */
static bool gsd_read_object(struct gsd_reader *reader, const struct gsd_table *table, void *to) {
    uint64_t seen = 0, needed = 0;
    size_t index, next = 0;
    for (index = 0; index < table->count; index++) needed |= (uint64_t)table->fields[index].is_needed << index;
    gsd_set_missing(table, to);
    if (!gsd_accept(reader, '{')) return false;
    if (!gsd_accept(reader, '}')) {
        do {
            const char *key = gsd_read_string(reader);
            if (!key || !gsd_accept(reader, ':')) return false;
            /* Keys usually come in the order of the table. */
            for (index = 0; index < table->count; index++, next = next + 1 < table->count ? next + 1 : 0)
                if (strcmp(key, table->fields[next].key) == 0) break;
            gsd_skip_space(reader);
            if (index == table->count) {
                if (!gsd_skip(reader)) return false;
            } else {
                if (gsd_accept_word(reader, "null")) continue;
                if (!gsd_read_value(reader, &table->fields[next], to)) return false;
                seen |= (uint64_t)1 << next;
            }
        } while (gsd_accept(reader, ','));
        if (!gsd_accept(reader, '}')) return false;
    }
    return (needed & ~seen) == 0;
}
/* -- Tables ------------------------------------------------------------------------------------------------------------ */

#define GSD_ENTRY(kind, is_needed, list, key, count, table) \
    {#key, GSD_##kind, is_needed, list, (unsigned short)offsetof(gsd_type, key), (unsigned short)offsetof(gsd_type, count), table}
/* A key that a line may have, one that it has to have, an object, a list of texts, and a list of objects. Lists of one line
 * have different places in gsd_reader.lists. */
#define GSD_K(kind, key) GSD_ENTRY(kind, false, 0, key, key, NULL)
#define GSD_N(kind, key) GSD_ENTRY(kind, true, 0, key, key, NULL)
#define GSD_O(key, table) GSD_ENTRY(OBJECT, false, 0, key, key, table)
#define GSD_T(list, key, count) GSD_ENTRY(TEXTS, false, list, key, count, NULL)
#define GSD_L(list, key, count, table) GSD_ENTRY(LIST, false, list, key, count, table)
#define GSD_TABLE(name, type, ...) \
    static const struct gsd_table *gsd_##name(void) { \
        typedef struct type gsd_type; \
        static const struct gsd_field fields[] = {__VA_ARGS__}; \
        static const struct gsd_table table = {fields, sizeof fields / sizeof *fields, sizeof(gsd_type)}; \
        return &table; \
    }
enum { GSD_LISTS = 3 };

/* The key that only events have. */
struct gsd_head {
    const char *event;
};
GSD_TABLE(head, gsd_head, GSD_K(TEXT, event))

/* The key of a program's region that the client has to know. */
struct gsd_region {
    const char *id;
};
GSD_TABLE(region, gsd_region, GSD_N(TEXT, id))

struct gsd_put {
    struct gsd_region region;
};
GSD_TABLE(put, gsd_put, GSD_O(region, gsd_region))

struct gsd_diagnostic {
    const char *message;
};
GSD_TABLE(diagnostic, gsd_diagnostic, GSD_K(TEXT, message))

struct gsd_error {
    const char *code, *message, *suggestion;
    const struct gsd_diagnostic *diagnostics;
    size_t diagnostic_count;
};
GSD_TABLE(error, gsd_error,
    GSD_K(TEXT, code), GSD_K(TEXT, message), GSD_K(TEXT, suggestion), GSD_L(0, diagnostics, diagnostic_count, gsd_diagnostic))

struct gsd_reply {
    int64_t id;
    int ok;
    struct gsd_error error;
};
GSD_TABLE(reply, gsd_reply, GSD_K(WHOLE, id), GSD_N(FLAG, ok), GSD_O(error, gsd_error))

GSD_TABLE(hello, gestured_hello,
    GSD_N(WHOLE, protocol), GSD_N(TEXT, server), GSD_N(TEXT, instance), GSD_T(0, capabilities, capability_count),
    GSD_T(1, rights, right_count), GSD_K(WHOLE, config_generation))

GSD_TABLE(panel, gestured_panel, GSD_N(TEXT, device), GSD_K(TEXT, state))

GSD_TABLE(active, gestured_active,
    GSD_N(TEXT, region), GSD_K(FLAG, leased), GSD_N(TEXT, gesture), GSD_N(TEXT, name), GSD_K(TEXT, device),
    GSD_N(WHOLE, sequence))

GSD_TABLE(state, gestured_state,
    GSD_K(WHOLE, seq), GSD_L(0, devices, device_count, gsd_panel), GSD_K(TEXT, scene), GSD_K(WHOLE, scene_for_ms),
    GSD_K(TEXT, profile), GSD_T(1, idle, idle_count), GSD_L(2, active, active_count, gsd_active))

GSD_TABLE(point, gestured_point, GSD_N(NUMBER, x), GSD_N(NUMBER, y))

GSD_TABLE(gesture, gestured_gesture,
    GSD_K(WHOLE, seq), GSD_N(TEXT, gesture), GSD_N(TEXT, name), GSD_K(TEXT, action), GSD_K(PHASE, phase), GSD_K(TEXT, reason),
    GSD_N(TEXT, region), GSD_K(FLAG, leased), GSD_K(TEXT, device), GSD_N(WHOLE, sequence), GSD_K(WHOLE, fingers),
    /* vocabulary: table */
    GSD_K(WHOLE, count), GSD_K(TEXT, direction), GSD_K(NUMBER, angle), GSD_K(NUMBER, distance_mm),
    GSD_K(NUMBER, velocity_mm_s), GSD_K(WHOLE, n), GSD_K(NUMBER, dx), GSD_K(NUMBER, dy), GSD_K(NUMBER, vx),
    GSD_K(NUMBER, vy), GSD_O(start, gsd_point), GSD_O(predicted, gsd_point), GSD_K(NUMBER, scale),
    GSD_K(NUMBER, rotation), GSD_K(WHOLE, steps), GSD_K(NUMBER, velocity_deg_s), GSD_K(NUMBER, score),
    /* vocabulary: end */
    GSD_K(NUMBER, x), GSD_K(NUMBER, y), GSD_K(NUMBER, u), GSD_K(NUMBER, v),
    /* vocabulary: late_table */
    GSD_K(FLAG, inside), GSD_K(WHOLE, held_ms), GSD_K(WHOLE, duration_ms),
    /* vocabulary: end */
    GSD_K(WHOLE, coalesced), GSD_K(WHOLE, time_us), GSD_K(WHOLE, wall_ms))

GSD_TABLE(failed, gestured_failed,
    GSD_K(WHOLE, seq), GSD_N(TEXT, gesture), GSD_N(TEXT, name), GSD_K(TEXT, action), GSD_N(TEXT, region), GSD_K(FLAG, leased), GSD_K(TEXT, device),
    GSD_N(WHOLE, sequence), GSD_N(TEXT, code), GSD_K(TEXT, key), GSD_K(NUMBER, value), GSD_K(NUMBER, limit),
    GSD_K(TEXT, unit), GSD_K(TEXT, message), GSD_K(WHOLE, time_us), GSD_K(WHOLE, wall_ms))

GSD_TABLE(contact, gestured_contact,
    GSD_N(WHOLE, id), GSD_N(WHOLE, slot), GSD_N(NUMBER, x), GSD_N(NUMBER, y), GSD_K(TEXT, to), GSD_K(TEXT, kept),
    GSD_K(TEXT, region), GSD_K(WHOLE, sequence), GSD_K(NUMBER, major_mm))

GSD_TABLE(ignored, gestured_ignored,
    GSD_N(WHOLE, slot), GSD_N(NUMBER, x), GSD_N(NUMBER, y), GSD_N(TEXT, filter), GSD_K(TEXT, to), GSD_K(TEXT, kept))

GSD_TABLE(touches, gestured_touches,
    GSD_K(WHOLE, seq), GSD_N(TEXT, device), GSD_K(WHOLE, time_us), GSD_L(0, contacts, contact_count, gsd_contact),
    GSD_L(1, ignored, ignored_count, gsd_ignored), GSD_K(WHOLE, coalesced), GSD_K(WHOLE, wall_ms))

GSD_TABLE(idle, gestured_idle,
    GSD_K(WHOLE, seq), GSD_N(TEXT, name), GSD_N(TEXT, change), GSD_K(TEXT, reason), GSD_K(WHOLE, idle_ms),
    GSD_K(WHOLE, time_us), GSD_K(WHOLE, wall_ms))

GSD_TABLE(wake, gestured_wake,
    GSD_K(WHOLE, seq), GSD_K(TEXT, device), GSD_N(TEXT, reason), GSD_K(WHOLE, time_us), GSD_K(WHOLE, wall_ms))

GSD_TABLE(device, gestured_device,
    GSD_K(WHOLE, seq), GSD_N(TEXT, change), GSD_N(TEXT, device), GSD_K(TEXT, node), GSD_K(TEXT, name),
    GSD_K(WHOLE, wall_ms))

GSD_TABLE(config, gestured_config,
    GSD_K(WHOLE, seq), GSD_N(TEXT, change), GSD_K(WHOLE, generation), GSD_K(TEXT, scene), GSD_K(WHOLE, scene_for_ms),
    GSD_K(TEXT, profile), GSD_K(WHOLE, wall_ms))

GSD_TABLE(overflow, gestured_overflow, GSD_K(WHOLE, seq), GSD_K(WHOLE, dropped), GSD_K(WHOLE, since_ms))

GSD_TABLE(bye, gestured_bye, GSD_K(TEXT, reason))

/* The events of the daemon. */
#define GSD_EVENTS(EACH) \
    EACH(gesture, GESTURE) EACH(touches, TOUCHES) EACH(failed, FAILED) EACH(state, STATE) EACH(hello, HELLO) EACH(idle, IDLE) \
    EACH(wake, WAKE) EACH(device, DEVICE) EACH(config, CONFIG) EACH(overflow, OVERFLOW) EACH(bye, BYE)

#define GSD_MEMBER(name, upper) struct gestured_##name name;
struct gestured_event {
    enum gestured_event_type type;
    const char *line;
    union {
        GSD_EVENTS(GSD_MEMBER)
        struct gestured_reply reply;
        struct gestured_disconnected disconnected;
    } values;
};

#define GSD_EVENT_TABLE(name, upper) {#name, GESTURED_EVENT_##upper, gsd_##name},
static const struct {
    const char *name;
    enum gestured_event_type type;
    const struct gsd_table *(*table)(void);
} gsd_events[] = {GSD_EVENTS(GSD_EVENT_TABLE)};

/* -- Client ------------------------------------------------------------------------------------------------------------ */

/* A continuous gesture that has begun and not ended. */
struct gsd_open {
    int64_t sequence;
    /* The reason of the cancel that the client has to add; NULL: none. */
    const char *ending;
    bool is_listed;
    int leased;
    /* Region, kind, name and device, each with its NUL, then the JSON object of the last event, if there was one. */
    struct gsd_bytes text;
    /* The length of the first three, and of all four. */
    size_t key_length, json;
};

/* A region that the program wants to have. */
struct gsd_lease {
    /* The id, and a JSON object with the keys of the request, which is in the same memory. */
    char *id, *keys;
    /* The number of the request. */
    int64_t request;
};

enum gsd_purpose { GSD_PLAIN, GSD_SUBSCRIBE, GSD_PUT };

/* A request that the daemon has not answered. */
struct gsd_request {
    int64_t id;
    enum gsd_purpose purpose;
};

struct gestured {
    struct sockaddr_un address;
    socklen_t address_length;
    int loop, timer, socket;
    gestured_log_handler handler;
    void *handler_data;

    /* The time of the timer in microseconds; 0: it is not set. */
    int64_t timer_at;
    int64_t reconnect_at, delay_us;
    /* The time since which the daemon owes an answer. */
    int64_t waiting_since;
    uint64_t chance;
    bool has_greeted, wants_to_write, gave_up;
    /* Whether the daemon has accepted the subscription, so that events are those of the subscription. */
    bool is_subscribed;
    /* The connection was lost, and the program has not been told yet. */
    bool is_lost, was_connected;
    char cause[160];
    /* The daemon has closed the connection; lines that arrived before have not all been read. */
    bool has_ended;

    /* The texts of the event are in `copy`. What the program gives is checked in `checked`, so that the event stays valid. */
    struct gsd_bytes in, out, copy, checked, hello, scratch;
    /* The first line in `in` begins at `begin`. Before `searched`, it has no line feed. */
    size_t begin, searched;
    struct gsd_bytes lists[GSD_LISTS];
    struct gestured_event event;

    int64_t last_id;
    /* The memory of elements that are never used is never touched. After a connection there is a request for each region. */
    struct gsd_request requests[GSD_REGIONS + GSD_REQUESTS];
    struct gsd_lease leases[GSD_REGIONS];
    struct gsd_open open[GSD_OPEN];
    size_t request_count, lease_count, open_count, ending_count;

    /* The keys of the subscription, then the globs for regions, kinds, names and devices, each list with its NUL. */
    struct gsd_bytes subscription;
    /* The number of the subscription; 0: the program has not subscribed. */
    int64_t subscription_id;
    bool has_gestures, follows;
};

static int64_t gsd_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void gsd_log(struct gestured *client, enum gestured_log_priority priority, const char *format, ...) {
    char message[400];
    va_list arguments;
    if (!client->handler) return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    client->handler(client->handler_data, priority, message);
}

/* The time at which gestured_dispatch() has something to do without input; 0: none. */
static int64_t gsd_deadline(const struct gestured *client) {
    if (client->is_lost || client->has_ended) return 1;
    if (client->socket < 0) return client->gave_up ? 0 : client->reconnect_at;
    return client->request_count ? client->waiting_since + GSD_PATIENCE_US : 0;
}

static void gsd_set_timer(struct gestured *client) {
    int64_t at = gsd_deadline(client);
    struct itimerspec time;
    if (at == client->timer_at) return;
    memset(&time, 0, sizeof time);
    time.it_value.tv_sec = (time_t)(at / 1000000);
    time.it_value.tv_nsec = (long)(at % 1000000) * 1000;
    if (timerfd_settime(client->timer, TFD_TIMER_ABSTIME, &time, NULL) == 0) client->timer_at = at;
}

/* Waits for the daemon to read as long as there is something to send. */
static bool gsd_watch(struct gestured *client, int operation) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    client->wants_to_write = client->out.count > 0;
    event.events = client->wants_to_write ? EPOLLIN | EPOLLOUT : EPOLLIN;
    return epoll_ctl(client->loop, operation, client->socket, &event) == 0;
}

static void gsd_disconnect(struct gestured *client) {
    if (client->socket >= 0) close(client->socket);
    client->socket = -1;
    gsd_clear(&client->out);
    gsd_clear(&client->in);
    client->begin = client->searched = 0;
    client->has_greeted = client->has_ended = client->is_subscribed = false;
}

/* Makes gestured_next_event() cancel all gestures under way that it would not cancel anyway. */
static void gsd_end_open(struct gestured *client, const char *reason) {
    size_t index;
    for (index = 0; index < client->open_count; index++)
        if (!client->open[index].ending) client->open[index].ending = reason;
    client->ending_count = client->open_count;
}

/* Ends the connection, or a try to connect, and plans the next try. gestured_next_event() tells the program. */
static void gsd_lose(struct gestured *client, const char *cause, bool for_good) {
    bool is_new = strcmp(client->cause, cause) != 0 || client->socket >= 0;
    client->was_connected = client->was_connected || client->socket >= 0;
    gsd_disconnect(client);
    if (cause != client->cause) snprintf(client->cause, sizeof client->cause, "%s", cause);
    gsd_end_open(client, "disconnected");
    client->gave_up = for_good;
    client->is_lost = true;
    client->chance = client->chance * 6364136223846793005u + 1442695040888963407u;
    client->reconnect_at = gsd_now() + client->delay_us / 2 + (int64_t)(client->chance >> 33) % (client->delay_us / 2 + 1);
    client->delay_us *= 2;
    if (client->delay_us > GSD_LONGEST_DELAY_US) client->delay_us = GSD_LONGEST_DELAY_US;
    if (is_new) gsd_log(client, GESTURED_LOG_ERROR, "%s: %s", client->address.sun_path, cause);
}

static void gsd_flush(struct gestured *client) {
    size_t sent = 0;
    while (sent < client->out.count) {
        ssize_t count = send(client->socket, client->out.data + sent, client->out.count - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) continue;
        /* If the daemon has closed the connection, what it sent before can still be read. */
        if (count < 0) break;
        sent += (size_t)count;
    }
    if (sent) memmove(client->out.data, client->out.data + sent, client->out.count - sent);
    client->out.count -= sent;
    if (client->wants_to_write != (client->out.count > 0)) gsd_watch(client, EPOLL_CTL_MOD);
}

/* Adds a request to what is sent next. `keys` is a JSON object. */
static bool gsd_send(struct gestured *client, int64_t id, enum gsd_purpose purpose, const char *command, const char *keys) {
    struct gsd_bytes *out = &client->out;
    size_t before = out->count;
    gsd_write(out, "{");
    gsd_write_text(out, "cmd", command);
    gsd_write_whole(out, "id", id);
    if (keys[1] != '}') gsd_write(out, ",");
    gsd_write(out, keys + 1);
    gsd_write(out, "\n");
    if (out->failed) {
        out->count = before;
        out->failed = false;
        return false;
    }
    if (!client->request_count) client->waiting_since = gsd_now();
    client->requests[client->request_count].id = id;
    client->requests[client->request_count++].purpose = purpose;
    return true;
}

static void gsd_send_subscription(struct gestured *client) {
    int64_t id = client->subscription_id ? client->subscription_id : ++client->last_id;
    const char *keys = client->subscription_id ? client->subscription.data : "{\"events\":[]}";
    client->is_subscribed = false;
    if (!gsd_send(client, id, GSD_SUBSCRIBE, "subscribe", keys)) gsd_lose(client, strerror(ENOMEM), false);
}

static void gsd_connect(struct gestured *client) {
    const char *cure = "";
    int code;
    char cause[160];
    size_t index;
    client->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (client->socket >= 0 && connect(client->socket, (struct sockaddr *)&client->address, client->address_length) == 0
        && gsd_watch(client, EPOLL_CTL_ADD)) {
        /* Regions come first, because the subscription may name them. */
        for (index = 0; index < client->lease_count && client->socket >= 0; index++)
            if (!gsd_send(client, client->leases[index].request, GSD_PUT, "put_region", client->leases[index].keys))
                gsd_lose(client, strerror(ENOMEM), false);
        if (client->socket >= 0) gsd_send_subscription(client);
        return;
    }
    code = errno;
    if (client->socket >= 0) close(client->socket);
    client->socket = -1;
    if (code == EACCES) cure = "; add your user to group gestured (usermod -aG gestured USER) and log in again";
    if (code == ENOENT) cure = "; start the daemon (systemctl start gestured), or name its socket in $GESTURED_SOCKET";
    if (code == ECONNREFUSED) cure = "; the daemon has stopped: start it (systemctl start gestured)";
    snprintf(cause, sizeof cause, "no daemon: %s%s", strerror(code), cure);
    gsd_lose(client, cause, code == EACCES || code == EPERM);
}

/* The first line that has arrived completely; NULL: there is none. It is not consumed. */
static char *gsd_line(struct gestured *client, size_t *length) {
    char *end;
    if (client->searched >= client->in.count) return NULL;
    end = (char *)memchr(client->in.data + client->searched, '\n', client->in.count - client->searched);
    client->searched = end ? (size_t)(end - client->in.data) : client->in.count;
    *length = client->searched - client->begin;
    return end ? client->in.data + client->begin : NULL;
}

static int gsd_receive(struct gestured *client) {
    for (;;) {
        size_t length, waiting = client->in.count - client->begin;
        ssize_t count;
        if (waiting > (gsd_line(client, &length) ? (size_t)GSD_READ_AHEAD : (size_t)GSD_LINE)) return 0;
        if (client->begin) {
            memmove(client->in.data, client->in.data + client->begin, waiting);
            client->in.count = waiting;
            client->searched -= client->begin;
            client->begin = 0;
        }
        if (!gsd_reserve(&client->in, GSD_DEFAULT_READ)) return -ENOMEM;
        count = recv(client->socket, client->in.data + client->in.count, client->in.capacity - client->in.count, MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return 0;
        if (count <= 0) {
            const char *cause = count < 0 ? strerror(errno) : "the daemon has closed the connection";
            snprintf(client->cause, sizeof client->cause, "%s", cause);
            client->has_ended = true;
            epoll_ctl(client->loop, EPOLL_CTL_DEL, client->socket, NULL);
            return 0;
        }
        client->in.count += (size_t)count;
        if (client->in.count < client->in.capacity) return 0;
    }
}

/* -- Gestures under way ------------------------------------------------------------------------------------------------ */

/* Finds a gesture under way, or adds it. Returns NULL if it is not there, or if there is no room for it. */
static struct gsd_open *gsd_find_open(struct gestured *client, const struct gestured_active *active, bool adds) {
    struct gsd_bytes *key = &client->scratch;
    struct gsd_open *open = client->open, *end = client->open + client->open_count;
    gsd_clear(key);
    gsd_append(key, active->region, strlen(active->region) + 1);
    gsd_append(key, active->gesture, strlen(active->gesture) + 1);
    gsd_append(key, active->name, strlen(active->name) + 1);
    for (; open < end; open++)
        if (open->sequence == active->sequence && open->key_length == key->count
            && memcmp(open->text.data, key->data, key->count) == 0)
            return open;
    if (!adds || key->failed || client->open_count == GSD_OPEN) return NULL;
    gsd_clear(&open->text);
    gsd_append(&open->text, key->data, key->count);
    gsd_write(&open->text, active->device ? active->device : "");
    gsd_append(&open->text, "", 1);
    if (open->text.failed) return NULL;
    open->sequence = active->sequence;
    open->leased = active->leased;
    open->ending = NULL;
    open->key_length = key->count;
    open->json = open->text.count;
    client->open_count++;
    return open;
}

/* Removes a gesture. The others keep their order, and the memory of the removed one is used for a later one. */
static void gsd_close_open(struct gestured *client, struct gsd_open *open) {
    struct gsd_open removed = *open;
    size_t index = (size_t)(open - client->open);
    memmove(open, open + 1, (--client->open_count - index) * sizeof *open);
    client->open[client->open_count] = removed;
}

static bool gsd_follow(
    struct gestured *client, const struct gestured_gesture *gesture, const char *line, size_t length) {
    bool goes_on = gesture->phase == GESTURED_PHASE_BEGIN || gesture->phase == GESTURED_PHASE_UPDATE;
    struct gestured_active active;
    struct gsd_open *open;
    if (!client->follows || gesture->phase == GESTURED_PHASE_NONE) return true;
    active.region = gesture->region;
    active.gesture = gesture->gesture;
    active.name = gesture->name;
    active.device = gesture->device;
    active.sequence = gesture->sequence;
    active.leased = gesture->leased;
    open = gsd_find_open(client, &active, goes_on);
    if (open && goes_on) {
        open->text.count = open->json;
        gsd_append(&open->text, line, length);
    } else if (open) {
        gsd_close_open(client, open);
    }
    return open || !goes_on;
}

/* Whether `*` (any text) and `?` (one character) in the glob match the text. */
static bool gsd_matches(const char *glob, const char *end, const char *text) {
    const char *star = NULL, *retry = NULL;
    while (*text) {
        if (glob < end && *glob == '*') {
            star = ++glob;
            retry = text;
        } else if (glob < end && *glob == '?') {
            glob++;
            for (text++; (*text & 0xC0) == 0x80;) text++;
        } else if (glob < end && *glob == *text) {
            glob++;
            text++;
        } else if (star) {
            glob = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (glob < end && *glob == '*') glob++;
    return glob == end;
}

/* Whether one of the globs, which are separated by spaces, matches the text. */
static bool gsd_matches_one(const char *globs, const char *text) {
    size_t length;
    for (; (length = gsd_word(&globs)) > 0; globs += length)
        if (gsd_matches(globs, globs + length, text)) return true;
    return false;
}

/* Whether the subscription covers a gesture. */
static bool gsd_covers(const struct gestured *client, const struct gestured_active *active) {
    const char *texts[4], *globs = client->subscription.data;
    size_t index;
    texts[0] = active->region;
    texts[1] = active->gesture;
    texts[2] = active->name;
    texts[3] = active->device ? active->device : "";
    for (index = 0; index < 4; index++) {
        globs += strlen(globs) + 1;
        if (!gsd_matches_one(globs, texts[index])) return false;
    }
    return client->has_gestures;
}

/* Compares the gestures of a `state`, which are all that have not ended, with those that the program knows: some may have to be
 * cancelled before the program gets the state. */
static bool gsd_reconcile(struct gestured *client, struct gestured_state *state) {
    struct gestured_active *active = (struct gestured_active *)(void *)client->lists[2].data;
    size_t index, kept = 0;
    for (index = 0; index < state->active_count; index++)
        if (gsd_covers(client, &active[index])) active[kept++] = active[index];
    state->active_count = kept;
    for (index = 0; index < client->open_count; index++) client->open[index].is_listed = false;
    for (index = 0; client->follows && index < kept; index++) {
        struct gsd_open *open = gsd_find_open(client, &active[index], true);
        if (!open) return false;
        open->is_listed = true;
    }
    for (index = 0; index < client->open_count; index++)
        if (!client->open[index].is_listed) {
            client->open[index].ending = "lost";
            client->ending_count++;
        }
    return true;
}

/* -- Events ------------------------------------------------------------------------------------------------------------ */

/* Reads a JSON object, and nothing after it, from a copy, because reading changes it. */
static bool gsd_read(struct gestured *client, struct gsd_bytes *copy, const char *json, size_t length,
    const struct gsd_table *table, void *to) {
    struct gsd_reader reader;
    gsd_clear(copy);
    gsd_append(copy, json, length);
    gsd_append(copy, "", 1);
    if (copy->failed) return false;
    reader.at = copy->data;
    reader.end = copy->data + length;
    reader.lists = client->lists;
    reader.depth = 0;
    if (!gsd_read_object(&reader, table, to)) return false;
    gsd_skip_space(&reader);
    return reader.at == reader.end;
}

/* Removes a gesture that has to be cancelled, and makes the cancel. */
static void gsd_cancel_open(struct gestured *client) {
    struct gestured_gesture *gesture = &client->event.values.gesture;
    struct gsd_open *open = client->open;
    const char *text;
    while (!open->ending) open++;
    text = open->text.data;
    client->event.type = GESTURED_EVENT_GESTURE;
    if (!gsd_read(client, &client->copy, text + open->json, open->text.count - open->json, gsd_gesture(), gesture)) {
        gsd_set_missing(gsd_gesture(), gesture);
        gesture->region = text;
        gesture->gesture = gesture->region + strlen(gesture->region) + 1;
        gesture->name = gesture->gesture + strlen(gesture->gesture) + 1;
        gesture->device = text[open->key_length] ? text + open->key_length : NULL;
        gesture->sequence = open->sequence;
        gesture->leased = open->leased;
    }
    gesture->phase = GESTURED_PHASE_CANCEL;
    gesture->reason = open->ending;
    gesture->seq = gesture->coalesced = -1;
    gesture->added = true;
    client->ending_count--;
    gsd_close_open(client, open);
}

static void gsd_make_reply(struct gestured *client, int64_t id, bool ok, const struct gsd_error *error) {
    struct gestured_reply *reply = &client->event.values.reply;
    client->event.type = GESTURED_EVENT_REPLY;
    reply->id = id;
    reply->ok = ok;
    reply->code = ok ? NULL : error->code ? error->code : "internal";
    reply->message = ok ? NULL : error->message ? error->message : "the daemon refused the request";
    /* Without this, the message would only be the number of mistakes. */
    if (!ok && error->diagnostic_count && error->diagnostics->message) reply->message = error->diagnostics->message;
    reply->suggestion = ok ? NULL : error->suggestion;
}

static struct gsd_request gsd_take_request(struct gestured *client, size_t index) {
    struct gsd_request request = client->requests[index];
    memmove(&client->requests[index], &client->requests[index + 1], (--client->request_count - index) * sizeof request);
    return request;
}

/* Makes the next event that a lost connection causes: a request that gets no answer, or the loss itself. */
static bool gsd_tell_loss(struct gestured *client) {
    while (client->request_count) {
        struct gsd_request request = gsd_take_request(client, 0);
        struct gsd_error error = {"disconnected", client->cause, NULL, NULL, 0};
        /* The client repeats all other requests. */
        if (request.purpose != GSD_PLAIN) continue;
        gsd_make_reply(client, request.id, false, &error);
        return true;
    }
    client->is_lost = false;
    gsd_set_timer(client);
    if (!client->was_connected && !client->gave_up) return false;
    client->was_connected = false;
    client->event.type = GESTURED_EVENT_DISCONNECTED;
    client->event.values.disconnected.cause = client->cause;
    client->event.values.disconnected.gave_up = client->gave_up;
    return true;
}

/* The meaning of a line for the program. A line that waits is read again after the cancels that come before it. */
enum gsd_meaning { GSD_WRONG, GSD_NOTHING, GSD_EVENT, GSD_WAITS };

static void gsd_forget_lease(struct gestured *client, size_t index) {
    free(client->leases[index].id);
    memmove(&client->leases[index], &client->leases[index + 1], (--client->lease_count - index) * sizeof *client->leases);
}

static enum gsd_meaning gsd_take_reply(struct gestured *client, const char *line, size_t length) {
    struct gsd_reply reply;
    struct gsd_request request;
    size_t index = 0;
    if (!gsd_read(client, &client->copy, line, length, gsd_reply(), &reply)) return GSD_WRONG;
    if (reply.id < 0 && client->request_count && reply.error.code && strcmp(reply.error.code, "busy") != 0) {
        /* The daemon could not read the request, for example because a key occurs twice. It answers in order. */
        reply.id = client->requests[0].id;
    } else if (reply.id < 0) {
        /* The daemon has no place for this client, and closes the connection. */
        gsd_lose(client, reply.error.message ? reply.error.message : "the daemon refused the connection", false);
        return GSD_NOTHING;
    }
    while (index < client->request_count && client->requests[index].id != reply.id) index++;
    if (index == client->request_count) return GSD_WRONG;
    request = gsd_take_request(client, index);
    client->waiting_since = gsd_now();
    if (request.purpose == GSD_PUT && !reply.ok)
        for (index = 0; index < client->lease_count; index++)
            if (client->leases[index].request == reply.id) gsd_forget_lease(client, index--);
    if (request.purpose == GSD_SUBSCRIBE) {
        /* A later subscription replaces this one. */
        if (request.id != client->subscription_id) return GSD_NOTHING;
        client->is_subscribed = reply.ok > 0;
        if (reply.ok && !client->has_greeted) return GSD_WRONG;
        if (reply.ok) {
            client->event.type = GESTURED_EVENT_HELLO;
            return gsd_read(client, &client->copy, client->hello.data, client->hello.count - 1, gsd_hello(),
                &client->event.values.hello) ? GSD_EVENT : GSD_WRONG;
        }
        gsd_end_open(client, "lost");
    }
    gsd_make_reply(client, reply.id, reply.ok > 0, &reply.error);
    return GSD_EVENT;
}

static enum gsd_meaning gsd_greet(struct gestured *client, const char *line, size_t length) {
    char cause[120];
    int64_t protocol = client->event.values.hello.protocol;
    if (protocol != GSD_PROTOCOL) {
        snprintf(cause, sizeof cause, "the daemon speaks protocol %lld; this client speaks protocol %d", (long long)protocol,
            (int)GSD_PROTOCOL);
        gsd_lose(client, cause, true);
        return GSD_NOTHING;
    }
    gsd_clear(&client->hello);
    gsd_append(&client->hello, line, length);
    gsd_append(&client->hello, "", 1);
    if (client->hello.failed) return GSD_WRONG;
    gsd_log(client, GESTURED_LOG_INFO, "%s: connected to %s", client->address.sun_path, client->event.values.hello.server);
    client->has_greeted = true;
    client->delay_us = GSD_FIRST_DELAY_US;
    client->cause[0] = '\0';
    return GSD_NOTHING;
}

static enum gsd_meaning gsd_take_line(struct gestured *client, const char *line, size_t length) {
    struct gestured_event *event = &client->event;
    struct gsd_head head;
    size_t index = 0, count = sizeof gsd_events / sizeof *gsd_events;
    if (!gsd_read(client, &client->copy, line, length, gsd_head(), &head)) return GSD_WRONG;
    if (!head.event) return gsd_take_reply(client, line, length);
    while (index < count && strcmp(gsd_events[index].name, head.event) != 0) index++;
    event->type = index < count ? gsd_events[index].type : GESTURED_EVENT_OTHER;
    if (index < count && !gsd_read(client, &client->copy, line, length, gsd_events[index].table(), &event->values))
        return GSD_WRONG;
    if (event->type == GESTURED_EVENT_HELLO) return gsd_greet(client, line, length);
    /* Until the daemon accepts the subscription, events are those of an earlier one. */
    if (!client->is_subscribed) return GSD_NOTHING;
    if (event->type == GESTURED_EVENT_GESTURE
        && (length > GSD_GESTURE_LINE || !gsd_follow(client, &event->values.gesture, line, length)))
        return GSD_WRONG;
    if (event->type == GESTURED_EVENT_STATE && !gsd_reconcile(client, &event->values.state)) return GSD_WRONG;
    return client->ending_count ? GSD_WAITS : GSD_EVENT;
}

const struct gestured_event *gestured_next_event(struct gestured *client) {
    client->event.line = NULL;
    for (;;) {
        size_t length;
        char *line;
        enum gsd_meaning meaning;
        if (client->ending_count) {
            gsd_cancel_open(client);
            return &client->event;
        }
        if (client->is_lost) return gsd_tell_loss(client) ? &client->event : NULL;
        line = gsd_line(client, &length);
        if (!line && client->in.count - client->begin > GSD_LINE) {
            gsd_lose(client, "a line of more than 4 MiB; this is not a gesture daemon", false);
        } else if (!line && client->has_ended) {
            gsd_lose(client, client->cause, false);
        } else if (!line) {
            gsd_set_timer(client);
            return NULL;
        } else {
            meaning = gsd_take_line(client, line, length);
            if (meaning == GSD_WRONG) {
                gsd_lose(client, "a line that is not one of docs/protocol.md; this is not a gesture daemon", false);
            } else if (meaning != GSD_WAITS && !client->is_lost) {
                client->begin = ++client->searched;
                line[length] = '\0';
                /* A hello is an event only when the daemon has accepted the subscription. */
                client->event.line = client->event.type == GESTURED_EVENT_HELLO ? client->hello.data : line;
                if (meaning == GSD_EVENT) return &client->event;
                client->event.line = NULL;
            }
        }
    }
}

/* -- Interface --------------------------------------------------------------------------------------------------------- */

struct gestured *gestured_new(const char *path) {
    struct gestured *client;
    struct epoll_event event;
    size_t length;
    if (!path) path = getenv("GESTURED_SOCKET");
    if (!path || !*path) path = "/run/gestured/gestured.sock";
    length = strlen(path);
    client = (struct gestured *)calloc(1, sizeof *client);
    if (!client) return NULL;
    if (length >= sizeof client->address.sun_path) {
        free(client);
        errno = ENAMETOOLONG;
        return NULL;
    }
    client->address.sun_family = AF_UNIX;
    memcpy(client->address.sun_path, path, length + 1);
    client->address_length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
    client->socket = -1;
    client->delay_us = GSD_FIRST_DELAY_US;
    client->reconnect_at = gsd_now();
    client->chance = (uint64_t)client->reconnect_at << 20 ^ (uint64_t)getpid();
    client->loop = epoll_create1(EPOLL_CLOEXEC);
    client->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    memset(&event, 0, sizeof event);
    event.events = EPOLLIN;
    if (client->loop < 0 || client->timer < 0 || epoll_ctl(client->loop, EPOLL_CTL_ADD, client->timer, &event) < 0) {
        int code = errno;
        gestured_free(client);
        errno = code;
        return NULL;
    }
    gsd_set_timer(client);
    return client;
}

void gestured_free(struct gestured *client) {
    size_t index;
    if (!client) return;
    if (client->socket >= 0) close(client->socket);
    if (client->timer >= 0) close(client->timer);
    if (client->loop >= 0) close(client->loop);
    while (client->lease_count) gsd_forget_lease(client, client->lease_count - 1);
    for (index = 0; index < GSD_OPEN; index++) free(client->open[index].text.data);
    for (index = 0; index < GSD_LISTS; index++) free(client->lists[index].data);
    free(client->in.data);
    free(client->out.data);
    free(client->copy.data);
    free(client->checked.data);
    free(client->hello.data);
    free(client->scratch.data);
    free(client->subscription.data);
    free(client);
}

void gestured_set_log_handler(struct gestured *client, gestured_log_handler handler, void *data) {
    client->handler = handler;
    client->handler_data = data;
}

int gestured_get_fd(const struct gestured *client) { return client->loop; }

int gestured_get_timeout(const struct gestured *client) {
    int64_t at = gsd_deadline(client), left;
    if (!at) return -1;
    left = at - gsd_now();
    return left <= 0 ? 0 : (int)((left + 999) / 1000);
}

bool gestured_is_connected(const struct gestured *client) { return client->has_greeted; }

int gestured_dispatch(struct gestured *client) {
    int64_t now = gsd_now();
    size_t length;
    int result = 0;
    if (client->timer_at && client->timer_at <= now) {
        uint64_t expirations;
        if (read(client->timer, &expirations, sizeof expirations) < 0) expirations = 0;
        client->timer_at = 0;
    }
    /* A loss that the program has not been told comes first. */
    if (client->is_lost || client->has_ended) return 0;
    if (client->socket < 0 && !client->gave_up && client->reconnect_at <= now) gsd_connect(client);
    if (client->socket >= 0) gsd_flush(client);
    if (client->socket >= 0) result = gsd_receive(client);
    if (result < 0) gsd_lose(client, strerror(-result), false);
    else if (client->socket >= 0 && client->request_count && client->waiting_since + GSD_PATIENCE_US <= now
             && !gsd_line(client, &length) && !client->has_ended)
        gsd_lose(client, "the daemon does not answer; see its log", false);
    gsd_set_timer(client);
    return result;
}

enum gestured_event_type gestured_event_get_type(const struct gestured_event *event) { return event->type; }

const char *gestured_phase_name(enum gestured_phase phase) {
    return phase >= GESTURED_PHASE_BEGIN && phase <= GESTURED_PHASE_CANCEL ? gsd_phases[phase - 1] : NULL;
}

const char *gestured_event_get_line(const struct gestured_event *event) { return event->line; }

#define GSD_GETTER(name, upper) \
    const struct gestured_##name *gestured_event_get_##name(const struct gestured_event *event) { \
        return event->type == GESTURED_EVENT_##upper ? &event->values.name : NULL; \
    }
GSD_EVENTS(GSD_GETTER)
GSD_GETTER(reply, REPLY)
GSD_GETTER(disconnected, DISCONNECTED)

/* Begins the JSON object with the keys of a request. */
static struct gsd_bytes *gsd_begin(struct gestured *client) {
    gsd_clear(&client->scratch);
    gsd_write(&client->scratch, "{");
    return &client->scratch;
}

/* Ends the JSON object, and checks what the program has given. Returns 0 or a negative errno. */
static int gsd_end(struct gestured *client, const char *command, const struct gsd_table *table, void *to) {
    struct gsd_bytes *keys = &client->scratch;
    size_t index;
    gsd_append(keys, "}", 2);
    if (keys->failed) return -ENOMEM;
    if (client->socket >= 0 && client->request_count >= GSD_REQUESTS) return -EAGAIN;
    if (keys->count + strlen(command) + 64 > GSD_REQUEST) return -EMSGSIZE;
    /* A line feed between the values of a program's JSON would end the request. */
    for (index = 0; index < keys->count; index++)
        if (keys->data[index] == '\n' || keys->data[index] == '\r') keys->data[index] = ' ';
    if (gsd_read(client, &client->checked, keys->data, keys->count - 1, table, to)) return 0;
    return client->checked.failed ? -ENOMEM : -EINVAL;
}

/* Sends the request whose keys are in `scratch` if there is a connection. Returns its number or a negative errno. */
static int64_t gsd_queue(struct gestured *client, enum gsd_purpose purpose, const char *command) {
    int64_t id = client->last_id + 1;
    if (client->socket >= 0 && !gsd_send(client, id, purpose, command, client->scratch.data)) return -ENOMEM;
    client->last_id = id;
    if (client->socket >= 0) gsd_flush(client);
    gsd_set_timer(client);
    return id;
}

/* Ends the JSON object, and sends the request. */
static int64_t gsd_finish(struct gestured *client, const char *command) {
    struct gsd_head head;
    int result = gsd_end(client, command, gsd_head(), &head);
    if (result == 0 && client->socket < 0) result = -ENOTCONN;
    return result < 0 ? result : gsd_queue(client, GSD_PLAIN, command);
}

int64_t gestured_subscribe(struct gestured *client, const struct gestured_options *given) {
    static const struct gestured_options defaults = {NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, false, {NULL}};
    const struct gestured_options options = given ? *given : defaults;
    const char *phases = options.phases ? options.phases : "begin end cancel";
    const char *lists[4];
    struct gsd_bytes *keys = gsd_begin(client), subscription;
    struct gsd_head head;
    size_t index;
    int result;
    for (index = 0; index < sizeof options.reserved / sizeof *options.reserved; index++)
        if (options.reserved[index]) return -EINVAL;
    if (!(options.max_rate_hz >= 0 && options.max_rate_hz < 1e6)) return -EINVAL;
    gsd_write_words(keys, "events", options.events);
    gsd_write_words(keys, "regions", lists[0] = options.regions);
    gsd_write_words(keys, "gestures", lists[1] = options.gestures);
    gsd_write_words(keys, "names", lists[2] = options.names);
    gsd_write_words(keys, "devices", lists[3] = options.devices);
    gsd_write_words(keys, "phases", phases);
    if (options.max_rate_hz != 0) {
        char rate[32];
        int thousandths = (int)(options.max_rate_hz * 1000 + 0.5);
        snprintf(rate, sizeof rate, "%d.%03d", thousandths / 1000, thousandths % 1000);
        gsd_write_key(keys, "max_rate_hz");
        gsd_write(keys, rate);
    }
    if (options.max_age_ms) gsd_write_whole(keys, "max_age_ms", options.max_age_ms);
    if (options.wall_clock) gsd_write(keys, ",\"wall_clock\":true");
    result = gsd_end(client, "subscribe", gsd_head(), &head);
    if (result < 0) return result;

    memset(&subscription, 0, sizeof subscription);
    gsd_append(&subscription, keys->data, keys->count);
    for (index = 0; index < 4; index++) {
        const char *list = lists[index] ? lists[index] : "*";
        gsd_append(&subscription, list, strlen(list) + 1);
    }
    if (subscription.failed || gsd_queue(client, GSD_SUBSCRIBE, "subscribe") < 0) {
        free(subscription.data);
        return -ENOMEM;
    }
    free(client->subscription.data);
    client->subscription = subscription;
    client->subscription_id = client->last_id;
    client->has_gestures = !options.events || gsd_matches_one(options.events, "gesture");
    client->follows = client->has_gestures && gsd_matches_one(phases, "end") && gsd_matches_one(phases, "cancel");
    client->is_subscribed = client->gave_up = false;
    gsd_set_timer(client);
    return client->subscription_id;
}

int64_t gestured_request(struct gestured *client, const char *command, const char *given) {
    struct gsd_bytes *keys;
    struct gsd_head head;
    if (!command || strpbrk(command, "\"\\\n")) return -EINVAL;
    if (given && !gsd_read(client, &client->checked, given, strlen(given), gsd_head(), &head)) return -EINVAL;
    keys = gsd_begin(client);
    if (given) {
        const char *begin = strchr(given, '{') + 1, *end = strrchr(given, '}');
        begin += strspn(begin, " \t\r\n");
        gsd_append(keys, begin, (size_t)(end - begin));
    }
    return gsd_finish(client, command);
}

int64_t gestured_set_scene(struct gestured *client, const char *scene, int64_t for_ms) {
    struct gsd_bytes *keys = gsd_begin(client);
    if (!scene) return -EINVAL;
    gsd_write_text(keys, "scene", scene);
    if (for_ms) gsd_write_whole(keys, "for_ms", for_ms);
    return gsd_finish(client, "set_scene");
}

int64_t gestured_set_profile(struct gestured *client, const char *profile, bool lease) {
    struct gsd_bytes *keys = gsd_begin(client);
    if (!profile) return -EINVAL;
    gsd_write_text(keys, "profile", profile);
    if (lease) gsd_write(keys, ",\"lease\":true");
    return gsd_finish(client, "set_profile");
}

int64_t gestured_set_region(struct gestured *client, const char *region, bool enabled) {
    struct gsd_bytes *keys = gsd_begin(client);
    if (!region) return -EINVAL;
    gsd_write_text(keys, "region", region);
    gsd_write_key(keys, "enabled");
    gsd_write(keys, enabled ? "true" : "false");
    return gsd_finish(client, "set_region");
}

int64_t gestured_cancel(struct gestured *client, const char *region) {
    if (!region) return -EINVAL;
    gsd_write_text(gsd_begin(client), "region", region);
    return gsd_finish(client, "cancel");
}

/* The place of a region among those that the program wants to have; their number if it is not there. */
static size_t gsd_find_lease(const struct gestured *client, const char *id) {
    size_t index = 0;
    while (index < client->lease_count && strcmp(client->leases[index].id, id) != 0) index++;
    return index;
}

/* Puts a region into the list of those that the program wants to have, in the order from the lowest to the topmost. */
static void gsd_place_lease(struct gestured *client, struct gsd_lease lease, const char *below) {
    size_t place = gsd_find_lease(client, lease.id);
    bool is_new = place == client->lease_count;
    if (!is_new) gsd_forget_lease(client, place);
    if (below && gsd_find_lease(client, below) < client->lease_count) place = gsd_find_lease(client, below);
    memmove(&client->leases[place + 1], &client->leases[place], (client->lease_count++ - place) * sizeof lease);
    client->leases[place] = lease;
}

int64_t gestured_put_region(struct gestured *client, const char *region, const char *below, bool wait) {
    struct gsd_put values;
    struct gsd_lease lease;
    struct gsd_bytes *keys = gsd_begin(client);
    size_t length, id_size;
    int result;
    if (!region || !gsd_read(client, &client->checked, region, strlen(region), gsd_region(), &values.region)) return -EINVAL;
    gsd_write(keys, "\"lease\":true,\"region\":");
    gsd_write(keys, region);
    length = keys->count;
    gsd_write_text(keys, "below", below);
    if (wait) gsd_write(keys, ",\"wait\":true");
    result = gsd_end(client, "put_region", gsd_put(), &values);
    if (result < 0) return result;
    if (client->lease_count == GSD_REGIONS && gsd_find_lease(client, values.region.id) == GSD_REGIONS) return -ENOSPC;

    id_size = strlen(values.region.id) + 1;
    lease.id = (char *)malloc(id_size + length + 2);
    if (!lease.id) return -ENOMEM;
    lease.keys = lease.id + id_size;
    memcpy(lease.id, values.region.id, id_size);
    memcpy(lease.keys, keys->data, length);
    memcpy(lease.keys + length, "}", 2);
    lease.request = gsd_queue(client, GSD_PUT, "put_region");
    if (lease.request < 0) free(lease.id);
    else gsd_place_lease(client, lease, below);
    return lease.request;
}

int64_t gestured_remove_region(struct gestured *client, const char *id, bool wait) {
    struct gsd_bytes *keys = gsd_begin(client);
    int64_t result;
    size_t lease;
    if (!id) return -EINVAL;
    gsd_write(keys, "\"lease\":true");
    gsd_write_text(keys, "region", id);
    if (wait) gsd_write(keys, ",\"wait\":true");
    result = gsd_finish(client, "remove_region");
    lease = gsd_find_lease(client, id);
    if ((result > 0 || result == -ENOTCONN) && lease < client->lease_count) gsd_forget_lease(client, lease);
    return result;
}

#endif /* GESTURED_IMPLEMENTATION */
