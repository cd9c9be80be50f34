// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "attacks.h"
#include "connection.h"
#include "held.h"
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LONGEST = 65536, GLOBS = 64, LEASED = 125, PATTERN_REGIONS = 8, PATTERNS = 32 };

static char text[LONGEST];
static size_t count;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...) {
    va_list values;
    va_start(values, format);
    count += vsnprintf(text + count, sizeof text - count, format, values);
    va_end(values);
    if (count >= sizeof text) count = sizeof text - 1;
}

/// Writes a subscription whose globs match no region, but each require a long search.
static void write_subscription(int number) {
    count = 0;
    add("{\"cmd\":\"subscribe\",\"events\":[\"gesture\"],\"regions\":[");
    for (int i = 0; i < GLOBS; i++) {
        // A glob of the maximum length.
        add("%s\"", i ? "," : "");
        for (int star = 0; star < 55; star++) add("*_");
        add("*%d.%d.%d\"", (int)getpid(), number, i);
    }
    add("]}\n");
}

/// Leases regions where the tests do not touch the panel.
static void write_leases(int connection, int regions, int row) {
    count = 0;
    add("{\"cmd\":\"define_regions\",\"lease\":true,\"regions\":[");
    for (int i = 0; i < regions; i++)
        add("%s{\"id\":\"app.%d.%d.%d\",\"shape\":{\"rect\":[%d,%d,3,3]},\"gestures\":[\"tap\"]}", i ? "," : "", (int)getpid(),
            connection, i, i * 4, 900 + connection * 5 + row);
    add("]}\n");
}

static void lease(int connection, int regions, int row) {
    write_leases(connection, regions, row);
    offer_over(connection, text, count);
}

/// Waits until the connection has data to read.
static void wait_for(int connection) {
    struct pollfd input = {.fd = sockets[connection], .events = POLLIN};
    poll(&input, 1, 2000);
    read_and_forget(sockets[connection], LONGEST);
}

void subscribes_and_hangs_up(void) {
    static int64_t next;
    // The first connection stays open, and its requests are answered between those of the clients that hang
    // up.
    if (acts == 0 || again_if_closed(0)) lease(0, 1, 0);
    if (now_us() >= next) {
        count = 0;
        for (int on = 0; on < 2; on++)
            add("{\"cmd\":\"set_region\",\"region\":\"app.%d.0.0\",\"enabled\":%s}\n", (int)getpid(), on ? "true" : "false");
        offer(text, count);
        next = now_us() + 50000;
    }
    read_and_forget(sockets[0], LONGEST);
    for (int i = 1; i < held; i++) {
        again(i);
        write_subscription(i);
        for (int times = random_below(6); sockets[i] >= 0 && times >= 0; times--) offer_over(i, text, count);
    }
    rest(1000 * random_below(5));
}

void asks_and_hangs_up(void) {
    static const char *const requests[] = {"{\"cmd\":\"regions\"}\n", "{\"cmd\":\"state\"}\n", "{\"cmd\":\"devices\"}\n"};
    int i = random_below(held);
    again(i);
    const char *request = requests[random_below(3)];
    for (int times = 0; times < 128 && sockets[i] >= 0; times++) {
        if (!offer_over(i, request, strlen(request))) break;
    }
    if (random_below(2)) shutdown(sockets[i], SHUT_RD);
    rest(1000);
}

void subscribes_to_64_globs(void) {
    static bool has_asked[HELD];
    static int changes;
    for (int i = 0; i < held; i++) {
        if (again_if_closed(i)) has_asked[i] = false;
        if (sockets[i] < 0) continue;
        if (!has_asked[i]) {
            write_subscription(i);
            has_asked[i] = offer_over(i, text, count);
        }
        read_and_forget(sockets[i], LONGEST);
    }
    if (sockets[0] >= 0) lease(0, 1 + changes % 2 * 200, changes % 3);
    changes++;
    rest(20000);
}

void ends_2000_leases(void) {
    for (int i = 0; i < held; i++) {
        if (sockets[i] < 0) again(i);
        if (sockets[i] >= 0) lease(i, LEASED, 0);
    }
    for (int i = 0; i < held; i++) {
        // The daemon sends `hello` and `state`, then the reply.
        for (int times = 0; times < 2 && sockets[i] >= 0; times++) wait_for(i);
    }
    for (int i = 0; i < held; i++) {
        if (sockets[i] >= 0) close(sockets[i]);
        sockets[i] = -1;
    }
    again(0);
}

void defines_deeply(void) {
    static const char *const opening[] = {"[", "{\"c\":", "{\"rect\":[", "[{\"a.b\":"};
    const char *open = opening[random_below(4)];
    int depth = 1 + random_below(60000 / strlen(open));
    count = 0;
    add("{\"cmd\":\"define_regions\",\"lease\":true,\"regions\":[{\"id\":\"app.deep\",\"shape\":");
    for (int i = 0; i < depth; i++) add("%s", open);
    add("\n");
    if (!offer(text, count)) rest(1000);
    read_and_forget(sockets[0], LONGEST);
    rest(2000);
}

/// Adds a region with patterns. Each pattern ends with a pattern of the preceding region.
static void add_patterns(int region) {
    add("%s{\"id\":\"app.%d.%d\",\"shape\":{\"rect\":[%d,990,3,3]},\"gestures\":[", region ? "," : "", (int)getpid(), region, region * 4);
    for (int i = 0; i < PATTERNS; i++) {
        add("%s{\"type\":\"pattern\",\"name\":\"a%d\",\"steps\":[\"tap small_989\",\"", i ? "," : "", i);
        if (region) add("a%d app.%d.%d", i, (int)getpid(), region - 1);
        else add("tap small_989");
        add("\"],\"unless\":[");
        for (int other = 0; other < i; other++) add("%s\"a%d\"", other ? "," : "", other);
        add("]}");
    }
    add("]}");
}

void defines_patterns(void) {
    static int changes;
    if (acts == 0 || again_if_closed(0)) {
        count = 0;
        add("{\"cmd\":\"define_regions\",\"lease\":true,\"regions\":[");
        for (int region = 0; region < PATTERN_REGIONS; region++) add_patterns(region);
        add("]}\n");
        offer(text, count);
    }
    count = 0;
    add("{\"cmd\":\"put_region\",\"lease\":true,\"region\":{\"id\":\"app.%d.last\",\"shape\":{\"rect\":[%d,980,3,3]},\"gestures\":[\"tap\"]}}\n",
        (int)getpid(), changes++ % 100);
    offer(text, count);
    read_and_forget(sockets[0], LONGEST);
    rest(20000);
}
