// SPDX-License-Identifier: MIT
// The kinds of hostile clients. A client runs until standard input ends. Every tenth of a second it prints "ACTED
// N", which shows the caller that it is active.
#define _GNU_SOURCE
#include "hostile.h"
#include "attacks.h"
#include "connection.h"
#include "held.h"
#include "passing.h"
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BOUT_US = 100000 };

static const char EVERYTHING[] = "{\"cmd\":\"subscribe\",\"events\":[\"gesture\",\"touches\",\"failed\",\"frame\"]}\n";

static void never_reads(void) {
    if (acts == 0) say(EVERYTHING);
    char byte;
    // The daemon closes a client that does not read for a long time, so this checks the connection.
    if (recv(sockets[0], &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0) again(0);
    acts++;
    rest(20000);
}

static void reads_a_byte_a_second(void) {
    static int64_t next;
    if (acts == 0) say(EVERYTHING);
    if (now_us() >= next) {
        read_and_forget(sockets[0], 1);
        next = now_us() + 1000000;
        acts++;
    }
    rest(20000);
}

static void half_closes(void) {
    say("{\"cmd\":\"ping\"}\n{\"cmd\":");
    shutdown(sockets[0], SHUT_WR);
    rest(10000);
    read_and_forget(sockets[0], 4096);
    shutdown(sockets[0], SHUT_RD);
    rest(10000);
    again(0);
}

static void floods(void) {
    for (int i = 0; i < 64; i++) {
        static const char *const requests[] = {
            "{\"cmd\":\"status\",\"id\":1}\n", "{\"cmd\":\"regions\"}\n", "{\"cmd\":\"devices\"}\n",
            "{\"cmd\":\"state\"}\n",           "{\"cmd\":\"pong\"}\n",    "{\"cmd\":\"at\",\"x\":1e300,\"y\":-5}\n"};
        if (!say(requests[random_below(6)])) break;
    }
    read_and_forget(sockets[0], 1 << 20);
    // Some requests come over new connections, which have their full rate limit.
    if (random_below(50) == 0) again(0);
    struct pollfd room = {.fd = sockets[0], .events = POLLOUT};
    poll(&room, 1, 2);
}

static void sends_no_newline(void) {
    static char text[4096];
    memset(text, 'a', sizeof text);
    if (!offer(text, sizeof text)) rest(1000);
}

static void sends_binary(void) {
    unsigned char bytes[600];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = random_below(256);
    if (!offer(bytes, sizeof bytes)) rest(1000);
    read_and_forget(sockets[0], 4096);
}

static void nests_deeply(void) {
    static char text[60002];
    int depth = 1 + random_below(sizeof text - 2);
    memset(text, random_below(2) ? '[' : '{', depth);
    text[depth] = '\n';
    if (!offer(text, depth + 1)) rest(1000);
    read_and_forget(sockets[0], 1 << 16);
}

/// Passes descriptors, and counts an action if they were sent or the kernel refused them. The daemon closes a
/// connection over which descriptors arrive.
static void pass(int passed, int times, int flags) {
    if (pass_descriptor(sockets[0], passed, times, flags) == 2 || is_refused()) acts++;
    else again(0);
}

static void passes_descriptors(void) {
    static int null = -1;
    if (null < 0) null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    pass(null, 64, 0);
    rest(1000);
}

/// The daemon holds the last reference to each descriptor, and must not wait while it is closed.
static void passes_what_closes_slowly(void) {
    int slow = lingering_socket();
    // Passes a descriptor before or after a request, as normal or urgent data, and over connections that are
    // refused.
    again(0);
    if (random_below(2)) say("{\"cmd\":\"ping\"}\n");
    pass(slow, 1, random_below(2) ? MSG_OOB : 0);
    close(slow);
    rest(20000);
}

static void connects_1000_a_second(void) {
    static int64_t next;
    if (!next) next = now_us();
    again(0);
    acts++;
    next += 1000;
    int64_t left = next - now_us();
    if (left > 0) rest(left);
    // On a machine that is too slow for 1000 connections per second, limits the delay that accumulates.
    else if (left < -BOUT_US) next = now_us();
}

static void dies_at_random_bytes(void) {
    static const char request[] = "{\"cmd\":\"subscribe\",\"events\":[\"touches\"],\"regions\":[\"*\"]}\n";
    offer(request, random_below(sizeof request));
    if (random_below(2)) read_and_forget(sockets[0], random_below(300));
    again(0);
    rest(2000);
}

static void subscribes_64_a_second(void) {
    static const char request[] =
        "{\"cmd\":\"subscribe\",\"events\":[\"gesture\",\"touches\"],\"regions\":[\"*a*b*c*d*e*\",\"?*\"],\"max_rate_hz\":1}\n";
    say(request);
    read_and_forget(sockets[0], 1 << 16);
    rest(1000000 / 64);
}

static void holds_16_connections(void) {
    for (int i = 0; i < held; i++) again_if_closed(i);
    acts++;
    rest(20000);
}

static const struct {
    const char *name;
    void (*act)(void);
    /// The number of connections that this kind needs.
    int held;
} kinds[] = {
    {"never_reads", never_reads, 1},
    {"reads_a_byte_a_second", reads_a_byte_a_second, 1},
    {"half_closes", half_closes, 1},
    {"floods", floods, 1},
    {"sends_no_newline", sends_no_newline, 1},
    {"sends_binary", sends_binary, 1},
    {"nests_deeply", nests_deeply, 1},
    {"passes_descriptors", passes_descriptors, 1},
    {"passes_what_closes_slowly", passes_what_closes_slowly, HELD},
    {"connects_1000_a_second", connects_1000_a_second, 1},
    {"dies_at_random_bytes", dies_at_random_bytes, 1},
    {"subscribes_64_a_second", subscribes_64_a_second, 1},
    {"holds_16_connections", holds_16_connections, HELD},
    {"subscribes_and_hangs_up", subscribes_and_hangs_up, HELD},
    {"asks_and_hangs_up", asks_and_hangs_up, HELD},
    {"subscribes_to_64_globs", subscribes_to_64_globs, HELD},
    {"ends_2000_leases", ends_2000_leases, HELD},
    {"defines_deeply", defines_deeply, 1},
    {"defines_patterns", defines_patterns, 1},
};

const char *hostile_kind(int index) {
    return index < (int)(sizeof kinds / sizeof kinds[0]) ? kinds[index].name : NULL;
}

int be_hostile(const char *kind, const char *socket_path, uid_t as_user) {
    void (*act)(void) = NULL;
    for (int i = 0; hostile_kind(i); i++) {
        if (strcmp(kind, kinds[i].name)) continue;
        act = kinds[i].act;
        held = kinds[i].held;
    }
    if (!act) return 64;
    hold(socket_path, as_user);
    struct pollfd input = {.fd = 0, .events = POLLIN};
    int64_t end_of_bout = now_us() + BOUT_US;
    while (poll(&input, 1, 0) == 0) {
        if (sockets[0] < 0) {
            // The daemon has ended, or the queue of its listening socket is full.
            rest(1000);
            again(0);
        } else {
            act();
        }
        if (now_us() < end_of_bout) continue;
        printf("ACTED %ld\n", acts);
        end_of_bout = now_us() + BOUT_US;
    }
    return 0;
}
