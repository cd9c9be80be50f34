// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LONGEST_LINE = 65536, OPEN_GESTURES = 128, DELAY_BINS = 100000, LATE_US = 10000, LATE_LINES = 1000 };

/// The results of reading the stream of one client or of several.
struct tally {
    int64_t lines, events, bytes, coalesced;
    /// Numbers that occur twice or in the wrong order; lines reported as lost; reports of lost lines.
    int64_t disorder, dropped, overflows;
    /// Lines that were cut; begins without an end and ends without a begin.
    int64_t torn, unpaired;
    /// A histogram of the delays from the touch to the gesture line, in microseconds. The last bin contains all
    /// longer delays.
    int64_t delays[DELAY_BINS], delayed;
    /// The number of lines that were late by at least LATE_US. For the first of them, also the time of the touch and
    /// the time at which the line was read.
    struct { int64_t touched, read; } late[LATE_LINES];
    int late_count;
    /// For a single client: a hash of all begins and ends with their positions, in order.
    uint64_t gestures;
};

/// The stream of one client.
struct stream {
    char *bytes;
    size_t count;
    /// The last number, and how many numbers are accounted for by lines, by lines merged into them, and by lines
    /// reported as lost.
    int64_t seq, accounted;
    int states;
    bool is_greeted, is_lossy, has_ended;
    struct gesture { int64_t sequence; uint64_t name; } open[OPEN_GESTURES];
    int opened;
    struct tally *tally;
};

/// Processes bytes that were read at `now`.
void stream_take(struct stream *s, const char *bytes, size_t count, int64_t now);
/// Processes the end of the connection.
void stream_end(struct stream *s);
/// The number of lines that are not accounted for. It is greater than 0 while a client has not read all lines.
int64_t stream_gaps(const struct stream *s);
/// The delay that a fraction `share` of the lines does not exceed (with 1: the longest), in microseconds.
int64_t tally_delay(const struct tally *t, double share);
