// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LONGEST_LINE = 65536, OPEN_GESTURES = 128, DELAY_BINS = 100000, LATE_US = 10000, LATE_LINES = 1000 };

/// The results of reading streams, of one client or of several.
struct tally {
    int64_t lines, events, bytes, coalesced;
    /// Numbers that are repeated or out of order; lines reported as lost, and the number of such reports.
    int64_t disorder, dropped, overflows;
    /// Lines that were cut; begins without an end, and ends without a begin.
    int64_t torn, unpaired;
    /// A histogram of the delay from the touch to the gesture line in microseconds; the last bin contains all
    /// longer delays.
    int64_t delays[DELAY_BINS], delayed;
    /// Lines that were late by LATE_US or more: their number, and the times of the touch and of the reading of the
    /// first ones.
    struct { int64_t touched, read; } late[LATE_LINES];
    int late_count;
    /// For one client: a hash of the begins, ends and their positions, in order.
    uint64_t gestures;
};

/// One client's stream.
struct stream {
    char *bytes;
    size_t count;
    /// The last number, and the count of numbers that are accounted for: by lines, by lines merged into them, and
    /// by lines reported as lost.
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
/// The count of numbers that are not accounted for. A client that is late has some until it has caught up.
int64_t stream_gaps(const struct stream *s);
/// The delay that `share` of the lines do not exceed (1: none of them does), in microseconds.
int64_t tally_delay(const struct tally *t, double share);
