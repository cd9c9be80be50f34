// SPDX-License-Identifier: MIT
// The measuring part of latency.py, written in C so that the measurement itself takes little time.
//   latency floor NODE FD          reads the events of NODE, and sends a fixed line to FD for each landing and lift:
//                                  the minimum for any program
//   latency probe PANEL FD COUNT   touches the uinput device PANEL COUNT times, and prints for each touch the
//     X Y DX land|lift             nanoseconds from the write of its landing (or lift) to the first byte from FD
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
    fprintf(stderr, "latency: error: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int floor_of(const char *node, int client) {
    static const char line[] = "{\"event\":\"gesture\",\"seq\":1,\"gesture\":\"press\",\"phase\":\"begin\"}\n";
    struct input_event events[512];
    int panel = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC), loop = epoll_create1(EPOLL_CLOEXEC), clock = CLOCK_MONOTONIC;
    struct epoll_event event = {.events = EPOLLIN};
    if (panel < 0 || ioctl(panel, EVIOCSCLOCKID, &clock) < 0) fail(node);
    if (epoll_ctl(loop, EPOLL_CTL_ADD, panel, &event) < 0) fail("epoll_ctl");
    for (;;) {
        if (epoll_wait(loop, &event, 1, -1) < 0) continue;
        ssize_t size = read(panel, events, sizeof events);
        if (size <= 0) return 0;
        for (size_t i = 0; i < (size_t)size / sizeof *events; i++)
            if (events[i].type == EV_KEY && send(client, line, sizeof line - 1, MSG_NOSIGNAL) < 0) return 0;
    }
}

struct frame {
    struct input_event events[8];
    int count;
};

static void add(struct frame *frame, int type, int code, int value) {
    frame->events[frame->count++] = (struct input_event){.type = (uint16_t)type, .code = (uint16_t)code, .value = value};
}

static void finish(int panel, struct frame *frame) {
    add(frame, EV_SYN, SYN_REPORT, 0);
    ssize_t size = (ssize_t)sizeof *frame->events * frame->count;
    if (write(panel, frame->events, (size_t)size) != size) fail("write of a frame");
}

static void move(int panel, int x) {
    struct frame frame = {.count = 0};
    add(&frame, EV_ABS, ABS_MT_POSITION_X, x);
    add(&frame, EV_ABS, ABS_X, x);
    finish(panel, &frame);
}

static void land(int panel, int number, int x, int y) {
    struct frame frame = {.count = 0};
    add(&frame, EV_ABS, ABS_MT_TRACKING_ID, number & 0x7fff);
    add(&frame, EV_ABS, ABS_MT_POSITION_X, x);
    add(&frame, EV_ABS, ABS_MT_POSITION_Y, y);
    add(&frame, EV_KEY, BTN_TOUCH, 1);
    add(&frame, EV_ABS, ABS_X, x);
    add(&frame, EV_ABS, ABS_Y, y);
    finish(panel, &frame);
}

static void lift(int panel) {
    struct frame frame = {.count = 0};
    add(&frame, EV_ABS, ABS_MT_TRACKING_ID, -1);
    add(&frame, EV_KEY, BTN_TOUCH, 0);
    finish(panel, &frame);
}

/// Reads until no data has arrived for `quiet` milliseconds.
static void drain(int lines, int quiet) {
    char bytes[4096];
    struct pollfd question = {.fd = lines, .events = POLLIN};
    while (poll(&question, 1, quiet) > 0)
        if (read(lines, bytes, sizeof bytes) <= 0) fail("the program has ended");
}

/// Waits for data, and returns the time of its arrival.
static int64_t arrival(int lines) {
    char bytes[4096];
    struct pollfd question = {.fd = lines, .events = POLLIN};
    if (poll(&question, 1, 5000) <= 0) fail("no line came within 5 s");
    int64_t time = now();
    if (read(lines, bytes, sizeof bytes) <= 0) fail("the program has ended");
    return time;
}

static int probe(int panel, int lines, int count, int x, int y, int dx, const char *when) {
    int is_lift = !strcmp(when, "lift");
    for (int number = 1; number <= count; number++) {
        int64_t begun = now();
        land(panel, number, x, y);
        int64_t delay = is_lift ? 0 : arrival(lines) - begun;
        drain(lines, 3);
        for (int step = 1; dx && step <= 4; step++) {
            move(panel, x + dx * step / 4);
            drain(lines, 3);
        }
        begun = now();
        lift(panel);
        if (is_lift) delay = arrival(lines) - begun;
        // The pause between two touches varies.
        drain(lines, 10 + number % 7);
        printf("%lld\n", (long long)delay);
    }
    return 0;
}

int main(int count, char **words) {
    if (count == 4 && !strcmp(words[1], "floor")) return floor_of(words[2], atoi(words[3]));
    if (count == 9 && !strcmp(words[1], "probe"))
        return probe(atoi(words[2]), atoi(words[3]), atoi(words[4]), atoi(words[5]), atoi(words[6]), atoi(words[7]), words[8]);
    fprintf(stderr, "usage: latency floor NODE FD | latency probe PANEL FD COUNT X Y DX land|lift\n");
    return 64;
}
