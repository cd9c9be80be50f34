// SPDX-License-Identifier: MIT
// Many clients in one thread. Some read all data at once, and the others never read.
#define _GNU_SOURCE
#include "readers.h"
#include "connection.h"
#include "memory.h"
#include "stream.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 1024, OF_ONE_USER = 16, FOR_ROOT = 2, MOST_USERS = MOST / OF_ONE_USER };

static const char SUBSCRIBE[] = "{\"cmd\":\"subscribe\",\"id\":1,\"events\":[\"gesture\",\"device\",\"config\"],\"max_age_ms\":%d}\n";

struct client {
    int fd;
    struct stream stream;
};

static struct client clients[MOST];
static int connected, renewals;
static struct tally tally;
static char block[1 << 18];

static void watch(int epoll, int fd, uint32_t number) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = number};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event)) die("epoll_ctl");
}

/// Reads only once, because other clients are waiting. Returns whether there may be more to read.
static bool read_some(struct client *c) {
    ssize_t count = recv(c->fd, block, sizeof block, MSG_DONTWAIT);
    if (count > 0) stream_take(&c->stream, block, count, now_us());
    if (count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))) return count > 0;
    if (c->stream.has_ended) return false;
    stream_end(&c->stream);
    return false;
}

/// Returns the user of a connection. Connections are distributed over as many users as the limit per user requires.
/// These users differ from those of another crowd. The last connections belong to root.
static uid_t user_of(int number, int count) {
    if (!may_change_user()) return same_user;
    return number >= count - FOR_ROOT ? 0 : (uid_t)(100000 + getpid() * MOST_USERS + number / OF_ONE_USER);
}

static void connect_all(const char *path, int from, int count, int total, int max_age) {
    char request[256];
    snprintf(request, sizeof request, SUBSCRIBE, max_age);
    for (int i = from; i < from + count; i++) {
        clients[i].stream.tally = &tally;
        clients[i].fd = connect_to(path, user_of(i, total));
        if (clients[i].fd < 0) die("connect");
        if (send_some(clients[i].fd, request, strlen(request)) != (ssize_t)strlen(request)) die("send");
    }
}

static void report(const char *word) {
    int ended = 0;
    int64_t gaps = 0;
    for (int i = 0; i < connected; i++) {
        ended += clients[i].stream.has_ended;
        gaps += llabs(stream_gaps(&clients[i].stream));
    }
    printf("%s {\"renewed\":%d,\"clients\":%d,\"ended\":%d,\"lines\":%lld,\"events\":%lld,\"gesture_lines\":%lld,\"bytes\":%lld,\"coalesced\":%lld,\"gaps\":%lld,\"disorder\":%lld,\"dropped\":%lld,"
           "\"overflows\":%lld,\"torn\":%lld,\"unpaired\":%lld,\"median_us\":%lld,\"p99_us\":%lld,\"worst_us\":%lld,\"gestures\":\"%llx\",\"kernel_bytes\":%lld,\"late\":[",
           word, renewals, connected, ended, (long long)tally.lines, (long long)tally.events, (long long)tally.delayed, (long long)tally.bytes, (long long)tally.coalesced,
           (long long)gaps, (long long)tally.disorder, (long long)tally.dropped, (long long)tally.overflows, (long long)tally.torn,
           (long long)tally.unpaired, (long long)tally_delay(&tally, 0.5), (long long)tally_delay(&tally, 0.99),
           (long long)tally_delay(&tally, 1), (unsigned long long)tally.gestures,
           (long long)charged_to_peers());
    for (int i = 0; i < tally.late_count && i < LATE_LINES; i++)
        printf("%s[%lld,%lld]", i ? "," : "", (long long)tally.late[i].touched, (long long)tally.late[i].read);
    printf("],\"late_lines\":%d}\n", tally.late_count);
}

/// Waits until the daemon has applied the subscriptions of all readers: a second `state` follows the reply.
static void wait_for_subscriptions(int reading) {
    for (int i = 0; i < reading; i++) {
        while (clients[i].stream.states < 2) {
            if (!read_some(&clients[i])) usleep(1000);
            errno = 0;
            if (clients[i].stream.has_ended) die("the daemon has refused a client");
        }
    }
}

/// Clients that the daemon has closed because they did not read now read the rest and reconnect.
static int renew(const char *path, int from) {
    int renewed = 0;
    for (int i = from; i < connected; i++) {
        struct client *c = &clients[i];
        struct pollfd look = {.fd = c->fd};
        if (poll(&look, 1, 0) != 1 || !(look.revents & POLLHUP)) continue;
        while (read_some(c)) {}
        close(c->fd);
        free(c->stream.bytes);
        c->stream = (struct stream){0};
        connect_all(path, i, 1, connected, 0);
        renewed++;
    }
    return renewed;
}

/// Reads from all clients until no data has arrived for a second or all connections have ended.
static void take_all(int from) {
    for (int64_t last = now_us(); now_us() - last < 1000000;) {
        bool all_ended = true;
        for (int i = from; i < connected; i++) {
            while (read_some(&clients[i])) last = now_us();
            all_ended = all_ended && clients[i].stream.has_ended;
        }
        if (all_ended) return;
        usleep(1000);
    }
}

int read_streams(const char *path, int reading, int hung) {
    if (reading < 0 || hung < 0 || reading + hung < 1 || reading + hung > MOST) return 64;
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    connect_all(path, 0, reading, reading + hung, 2000);
    // Clients that hang never read, so their queues fill up.
    connect_all(path, reading, hung, reading + hung, 0);
    connected = reading + hung;
    for (int i = 0; i < connected; i++) expect_peer_of(clients[i].fd);
    wait_for_subscriptions(reading);
    for (int i = 0; i < reading; i++) watch(epoll, clients[i].fd, i);
    watch(epoll, 0, MOST);
    printf("READY\n");
    while (true) {
        struct epoll_event events[64];
        int count = epoll_wait(epoll, events, 64, -1);
        for (int i = 0; i < count; i++) {
            uint32_t number = events[i].data.u32;
            if (number < MOST) {
                struct client *c = &clients[number];
                if (!read_some(c) && c->stream.has_ended) epoll_ctl(epoll, EPOLL_CTL_DEL, c->fd, NULL);
                continue;
            }
            char command[64] = "";
            if (!fgets(command, sizeof command, stdin)) return 0;
            if (!strncmp(command, "take", 4)) take_all(0);
            if (!strncmp(command, "clear", 5)) memset(&tally, 0, sizeof tally);
            if (!strncmp(command, "renew", 5)) renewals += renew(path, reading);
            report(strncmp(command, "take", 4) ? "TALLY" : "TAKEN");
        }
    }
}
