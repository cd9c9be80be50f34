// SPDX-License-Identifier: MIT
// The checks of a client that reads: all lines are whole, `seq` has no unreported gap, and every begin has an end.
// A client reads tens of thousands of lines per second, so this searches for keys instead of parsing JSON.
#define _GNU_SOURCE
#include "stream.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Returns the number after the first occurrence of `key`, or `otherwise` if there is none.
static int64_t number(const char *line, size_t length, const char *key, int64_t otherwise) {
    const char *found = memmem(line, length, key, strlen(key));
    return found ? strtoll(found + strlen(key), NULL, 10) : otherwise;
}

/// Extends the hash `h` with the text from `key` to the next comma.
static uint64_t hash(const char *line, size_t length, const char *key, uint64_t h) {
    const char *found = memmem(line, length, key, strlen(key));
    if (!found) return h;
    for (const char *c = found; c < line + length && (c == found || *c != ','); c++) h = (h ^ (unsigned char)*c) * 1099511628211u;
    return h;
}

/// Skips updates, because the daemon may merge them.
static void add_to_hash(struct tally *t, const char *line, size_t length) {
    static const char *const keys[] = {"\"gesture\":", "\"name\":", "\"phase\":", "\"region\":", "\"x\":", "\"y\":"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) t->gestures = hash(line, length, keys[i], t->gestures);
}

static void pair(struct stream *s, const char *line, size_t length) {
    const char *phase = memmem(line, length, "\"phase\":\"", 9);
    if (phase && phase[9] == 'u') return;
    add_to_hash(s->tally, line, length);
    if (!phase) return;
    struct gesture gesture = {
        .sequence = number(line, length, "\"sequence\":", -1),
        .name = hash(line, length, "\"name\":\"", hash(line, length, "\"region\":\"", 14695981039346656037u))};
    int i = 0;
    while (i < s->opened && (s->open[i].sequence != gesture.sequence || s->open[i].name != gesture.name)) i++;
    if (phase[9] == 'b') {
        if (i < s->opened || s->opened == OPEN_GESTURES) s->tally->unpaired++;
        else s->open[s->opened++] = gesture;
    } else if (i < s->opened) {
        s->open[i] = s->open[--s->opened];
    } else if (!s->is_lossy) {
        s->tally->unpaired++;
    }
}

static void take_event(struct stream *s, const char *line, size_t length, int64_t now) {
    struct tally *t = s->tally;
    if (!strncmp(line + 10, "hello\"", 6) || !strncmp(line + 10, "bye\"", 4)) return;
    int64_t seq = number(line, length, "\"seq\":", -1), coalesced = number(line, length, "\"coalesced\":", 0);
    if (!strncmp(line + 10, "state\"", 6)) {
        // A state replaces the list of active gestures.
        if (s->is_greeted && seq != s->seq) t->disorder++;
        if (!s->is_greeted) s->accounted = seq;
        s->is_greeted = true;
        s->states++;
        s->seq = seq;
        return;
    }
    int64_t dropped = number(line, length, "\"dropped\":", 0);
    if (!strncmp(line + 10, "overflow\"", 9)) {
        t->overflows++;
        t->dropped += dropped;
        s->is_lossy = true;
        s->opened = 0;
    }
    if (seq <= s->seq) t->disorder++;
    t->events++;
    t->coalesced += coalesced;
    s->accounted += 1 + coalesced + dropped;
    s->seq = seq;
    if (strncmp(line + 10, "gesture\"", 8)) return;
    pair(s, line, length);
    const char *key = "\"time_us\":";
    size_t tail = length < 64 ? length : 64;
    int64_t touched = number(line + length - tail, tail, key, now), delay = now - touched;
    t->delays[delay < 0 ? 0 : delay < DELAY_BINS ? delay : DELAY_BINS - 1]++;
    t->delayed++;
    if (delay < LATE_US) return;
    if (t->late_count < LATE_LINES) {
        t->late[t->late_count].touched = touched;
        t->late[t->late_count].read = now;
    }
    t->late_count++;
}

static void take_line(struct stream *s, const char *line, size_t length, int64_t now) {
    s->tally->lines++;
    if (length < 12 || line[0] != '{' || line[length - 1] != '}') s->tally->torn++;
    else if (!strncmp(line, "{\"event\":\"", 10)) take_event(s, line, length, now);
    else if (strncmp(line, "{\"reply\":", 9)) s->tally->torn++;
}

void stream_take(struct stream *s, const char *bytes, size_t count, int64_t now) {
    s->tally->bytes += count;
    if (!s->bytes) s->bytes = malloc(LONGEST_LINE + 1);
    while (count > 0) {
        const char *end = memchr(bytes, '\n', count);
        size_t part = end ? (size_t)(end - bytes) : count;
        if (s->count == 0 && end) {
            take_line(s, bytes, part, now);
        } else if (s->count + part <= LONGEST_LINE) {
            memcpy(s->bytes + s->count, bytes, part);
            s->count += part;
            s->bytes[s->count] = 0;
            if (end) take_line(s, s->bytes, s->count, now);
            if (end) s->count = 0;
        } else {
            s->tally->torn++;
            s->count = 0;
        }
        bytes += part + (end != NULL);
        count -= part + (end != NULL);
    }
}

void stream_end(struct stream *s) {
    // Counts the rest as a line that was cut.
    if (s->count > 0) s->tally->torn++;
    s->count = 0;
    s->has_ended = true;
}

int64_t stream_gaps(const struct stream *s) { return s->seq - s->accounted; }

int64_t tally_delay(const struct tally *t, double share) {
    int64_t left = (t->delayed - 1) * share;
    for (int i = 0; i < DELAY_BINS; i++) {
        left -= t->delays[i];
        if (left < 0) return i;
    }
    return DELAY_BINS - 1;
}
