// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LONGEST_LINE = 65536, OPEN_GESTURES = 128, DELAY_BINS = 100000 };

/// What came of reading streams, of one client or of several.
struct tally {
    int64_t lines, events, bytes, coalesced;
    /// Numbers that come again or too early; lines told as lost, and how often.
    int64_t disorder, dropped, overflows;
    /// Lines that are not whole, begins without an end, ends without a begin.
    int64_t torn, unpaired;
    /// Gesture lines by the microseconds from the touch to the line: the last bin holds all that are later.
    int64_t delays[DELAY_BINS], delayed;
};

/// One client's stream.
struct stream {
    char *bytes;
    size_t count;
    /// The last number, and how many numbers lines have stood for: themselves, what was merged into them,
    /// what was told as lost.
    int64_t seq, accounted;
    int states;
    bool is_greeted, is_lossy, has_ended;
    struct gesture { int64_t sequence; uint64_t name; } open[OPEN_GESTURES];
    int opened;
    struct tally *tally;
};

/// Takes what was read at `now`.
void stream_take(struct stream *s, const char *bytes, size_t count, int64_t now);
/// The connection has ended.
void stream_end(struct stream *s);
/// Numbers that no line has stood for; a client that is late has some until it has read what waits.
int64_t stream_gaps(const struct stream *s);
/// The delay that `share` of the lines do not exceed, in microseconds.
int64_t tally_delay(const struct tally *t, double share);
