// SPDX-License-Identifier: MIT
// Measures the time from the write(2) of a frame to a panel until its reader's read(2) returns.
//   delay DESCRIPTOR /dev/input/eventN FRAMES HZ
//   delay clock          measures the time of reading the clock
// DESCRIPTOR is a uinput descriptor for a panel with at least five slots. The node is that of the panel, or that of
// the program that forwards its touches. Two processes play the panel and the application. Prints the time for each
// frame in microseconds, one per line.
#include <fcntl.h>
#include <linux/input.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { FINGERS = 5, MOST = 100000 };

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

// Five fingers that land and move. Each frame changes all of them.
static int frame(struct input_event *e, int number) {
    int n = 0;
    memset(e, 0, 64 * sizeof *e);
#define PUT(kind, what, how) (e[n].type = (kind), e[n].code = (what), e[n].value = (how), n++)
    for (int finger = 0; finger < FINGERS; finger++) {
        PUT(EV_ABS, ABS_MT_SLOT, finger);
        if (number == 0) PUT(EV_ABS, ABS_MT_TRACKING_ID, finger + 1);
        PUT(EV_ABS, ABS_MT_POSITION_X, 100 + 200 * finger + number % 100);
        PUT(EV_ABS, ABS_MT_POSITION_Y, 200 + 100 * finger + number % 90);
    }
    if (number == 0) PUT(EV_KEY, BTN_TOUCH, 1);
    PUT(EV_ABS, ABS_X, 100 + number % 100);
    PUT(EV_ABS, ABS_Y, 200 + number % 90);
    PUT(EV_SYN, SYN_REPORT, 0);
    return n;
}

static void play(int panel, volatile long *written, int frames, int hz) {
    struct input_event events[64];
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int i = 0; i < frames; i++) {
        int count = frame(events, i);
        next.tv_nsec += 1000000000 / hz;
        if (next.tv_nsec >= 1000000000) next.tv_nsec -= 1000000000, next.tv_sec++;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        written[i] = now();
        if (write(panel, events, count * sizeof *events) < 0) perror("write");
    }
    // Lifts the fingers.
    int count = 0;
    struct input_event *e = events;
    memset(events, 0, sizeof events);
    for (int finger = 0; finger < FINGERS; finger++) {
        e[count].type = EV_ABS, e[count].code = ABS_MT_SLOT, e[count++].value = finger;
        e[count].type = EV_ABS, e[count].code = ABS_MT_TRACKING_ID, e[count++].value = -1;
    }
    e[count].type = EV_KEY, e[count++].code = BTN_TOUCH;
    e[count++].type = EV_SYN;
    if (write(panel, events, count * sizeof *events) < 0) perror("write");
}

static int less(const void *a, const void *b) { return (*(const long *)a > *(const long *)b) - (*(const long *)a < *(const long *)b); }

// Uses the median, so that readings during which another process ran are ignored.
static int measure_clock(void) {
    enum { READINGS = 10000 };
    static long took[READINGS];
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int i = 0; i < READINGS; i++, before = after) {
        clock_gettime(CLOCK_MONOTONIC, &after);
        took[i] = (after.tv_sec - before.tv_sec) * 1000000000L + after.tv_nsec - before.tv_nsec;
    }
    qsort(took, READINGS, sizeof *took, less);
    return printf("%.2f\n", took[READINGS / 2] / 1000.0) < 0;
}

int main(int count, char **arguments) {
    if (count == 2 && !strcmp(arguments[1], "clock")) return measure_clock();
    int frames = count == 5 ? atoi(arguments[3]) : 0, read_frames = 0;
    if (frames < 1 || frames > MOST) return fprintf(stderr, "usage: delay DESCRIPTOR NODE FRAMES HZ\n"), 64;
    volatile long *written = mmap(NULL, MOST * sizeof *written, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    static long took[MOST];
    struct input_event events[64];
    int node = open(arguments[2], O_RDONLY | O_NONBLOCK);
    if (node < 0) return perror(arguments[2]), 1;
    pid_t writer = fork();
    if (writer == 0) {
        play(atoi(arguments[1]), written, frames, atoi(arguments[4]));
        _exit(0);
    }
    struct pollfd wait = { node, POLLIN, 0 };
    while (read_frames < frames && poll(&wait, 1, 3000) > 0) {
        ssize_t size = read(node, events, sizeof events);
        long end = now();
        for (int i = 0; i < size / (ssize_t)sizeof *events && read_frames < frames; i++)
            if (events[i].type == EV_SYN && events[i].code == SYN_REPORT) took[read_frames] = end - written[read_frames], read_frames++;
    }
    kill(writer, read_frames < frames ? SIGKILL : 0);
    if (read_frames < frames) return fprintf(stderr, "only %d of %d frames arrived\n", read_frames, frames), 1;
    for (int i = 0; i < frames; i++) printf("%ld\n", took[i]);
    return 0;
}
