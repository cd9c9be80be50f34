// SPDX-License-Identifier: MIT
// Measures the time from a gesture's line to the key at a reader of the keyboard.
//   typing type SOCKET [parse]      a client of the daemon that writes keys with as little work as possible: it looks for two
//                                   words in what it reads, or parses it with jansson
//   typing measure SOCKET ROUNDS    plays the daemon for one client: sends lines of gestures, reads the keys from the
//                                   keyboard that appears, and prints a delay in ns for each
//   typing clock                    prints the median time of a reading of the clock in us
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <jansson.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) { perror(what); exit(1); }

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int unix_socket(const char *path, int listens) {
    struct sockaddr_un name = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
    if (listens) unlink(path);
    if ((listens ? bind : connect)(fd, (struct sockaddr *)&name, sizeof name) < 0) fail(path);
    if (listens && listen(fd, 8) < 0) fail("listen");
    return fd;
}

static void press(int keyboard, int value) {
    struct input_event events[2] = { { .type = EV_KEY, .code = KEY_SPACE, .value = value }, { .type = EV_SYN } };
    if (write(keyboard, events, sizeof events) != sizeof events) fail("write");
}

// Whether a line begins or ends a gesture; -1 for other lines.
static int phase(const char *line, size_t size, int parses) {
    if (!parses) return strstr(line, "\"phase\":\"begin\"") ? 1 : strstr(line, "\"phase\":\"end\"") ? 0 : -1;
    json_t *json = json_loadb(line, size, JSON_DISABLE_EOF_CHECK, NULL);
    const char *name = json_string_value(json_object_get(json, "phase"));
    int result = !name ? -1 : !strcmp(name, "begin") ? 1 : !strcmp(name, "end") ? 0 : -1;
    json_decref(json);
    return result;
}

static int type(const char *path, int parses) {
    struct uinput_setup setup = { .name = "typing in C" };
    int keyboard = open("/dev/uinput", O_RDWR | O_CLOEXEC), fd = unix_socket(path, 0);
    char line[65536];
    if (keyboard < 0 || ioctl(keyboard, UI_SET_EVBIT, EV_KEY) < 0 || ioctl(keyboard, UI_SET_KEYBIT, KEY_SPACE) < 0 ||
        ioctl(keyboard, UI_DEV_SETUP, &setup) < 0 || ioctl(keyboard, UI_DEV_CREATE) < 0)
        fail("/dev/uinput");
    // The lines come one at a time.
    for (ssize_t size; (size = read(fd, line, sizeof line - 1)) > 0;) {
        line[size] = 0;
        int value = phase(line, size, parses);
        if (value >= 0) press(keyboard, value);
    }
    return 0;
}

static void say(int fd, const char *text) {
    if (write(fd, text, strlen(text)) != (ssize_t)strlen(text)) fail("write");
}

// Replies to all requests that have arrived, or that arrive within this number of milliseconds.
static void answer(int fd, int patience) {
    char text[65536], reply[256];
    struct pollfd ready = { .fd = fd, .events = POLLIN };
    while (poll(&ready, 1, patience) > 0) {
        ssize_t size = read(fd, text, sizeof text - 1);
        if (size <= 0) fail("read");
        text[size] = 0;
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            char command[64] = "";
            const char *name = strstr(line, "\"cmd\":\""), *id = strstr(line, "\"id\":");
            if (!name || !id || sscanf(name + 7, "%63[a-z_]", command) != 1) continue;
            snprintf(reply, sizeof reply, "{\"reply\":\"%s\",\"id\":%d,\"ok\":true,\"devices\":[%s]}\n", command, atoi(id + 5),
                !strcmp(command, "devices") ? "{\"device\":\"panel\",\"state\":\"ready\",\"node\":\"/dev/input/event0\"}" : "");
            say(fd, reply);
        }
    }
}

// Opens the keyboard that has been made last. It may take a moment to appear.
static int open_keyboard(void) {
    for (int attempt = 0; attempt < 200; attempt++) {
        glob_t found;
        int count = glob("/dev/input/event*", 0, NULL, &found) ? 0 : (int)found.gl_pathc;
        for (int i = 0; i < count; i++) {
            char name[80] = "";
            int fd = open(found.gl_pathv[i], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
            if (fd >= 0 && ioctl(fd, EVIOCGNAME(sizeof name - 1), name) >= 0 &&
                (!strcmp(name, "gestured keys panel") || !strcmp(name, "typing in C"))) {
                globfree(&found);
                return fd;
            }
            close(fd);
        }
        if (count) globfree(&found);
        poll(NULL, 0, 50);
    }
    fprintf(stderr, "no keyboard appeared\n");
    exit(1);
}

// Returns the time at which the space key has this state.
static long long wait_for_key(int keyboard, int value) {
    struct pollfd ready = { .fd = keyboard, .events = POLLIN };
    struct input_event event;
    for (;;) {
        while (read(keyboard, &event, sizeof event) == sizeof event)
            if (event.type == EV_KEY && event.code == KEY_SPACE && event.value == value) return now();
        if (poll(&ready, 1, 5000) <= 0) break;
    }
    fprintf(stderr, "no key\n");
    exit(1);
}

static int measure(const char *path, int rounds) {
    int listener = unix_socket(path, 1), fd = accept(listener, NULL, NULL);
    char line[512];
    if (fd < 0) fail("accept");
    say(fd, "{\"event\":\"hello\",\"protocol\":1,\"server\":\"gestured 0.1.0\",\"instance\":\"a\",\"capabilities\":[],\"rights\":[],"
            "\"config_generation\":1}\n{\"event\":\"state\",\"seq\":0,\"devices\":[],\"scene\":\"default\",\"active\":[]}\n");
    answer(fd, 500);
    int keyboard = open_keyboard();
    poll(NULL, 0, 300);
    for (int round = 0; round < rounds; round++)
        for (int value = 1; value >= 0; value--) {
            answer(fd, 0);
            snprintf(line, sizeof line,
                "{\"event\":\"gesture\",\"seq\":%d,\"gesture\":\"press\",\"name\":\"press\",\"phase\":\"%s\",\"region\":\"ok\",\"device\":\"panel\","
                "\"sequence\":%d,\"fingers\":1,\"x\":1210.5,\"y\":802.0,\"u\":0.41,\"v\":0.52,\"inside\":true,\"time_us\":83912044123}\n",
                2 * round + 2 - value, value ? "begin" : "end", round + 1);
            long long begun = now();
            say(fd, line);
            printf("%lld\n", wait_for_key(keyboard, value) - begun);
            fflush(stdout);
            // More than 38 keys a second would be refused.
            poll(NULL, 0, 20);
        }
    // The client's memory is read while it is connected.
    pause();
    return 0;
}

static int compare(const void *a, const void *b) {
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

// The median, because other programs of the machine interrupt some readings.
static int clock_cost(void) {
    enum { READINGS = 2001 };
    long long costs[READINGS], before = now();
    for (int reading = 0; reading < READINGS; reading++) {
        long long time = now();
        costs[reading] = time - before;
        before = time;
    }
    qsort(costs, READINGS, sizeof *costs, compare);
    printf("%.2f\n", costs[READINGS / 2] / 1000.0);
    return 0;
}

int main(int count, char **words) {
    if ((count == 3 || count == 4) && !strcmp(words[1], "type")) return type(words[2], count == 4);
    if (count == 2 && !strcmp(words[1], "clock")) return clock_cost();
    if (count == 4 && !strcmp(words[1], "measure")) return measure(words[2], atoi(words[3]));
    fprintf(stderr, "usage: typing type SOCKET [parse] | measure SOCKET ROUNDS | clock\n");
    return 64;
}
