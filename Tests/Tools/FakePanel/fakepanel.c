// SPDX-License-Identifier: MIT
// fakepanel: touch panels that programs can read like real ones, without root and without the kernel's input
// stack. It reads commands from standard input, one per line, and replies to each with one line, "OK COMMAND
// …" or "ERROR COMMAND: why", when the command is done. A program sees the panels if it runs with
// LD_PRELOAD=libumockdev-preload.so.0 and UMOCKDEV_DIR=DIR. The first line that is printed is "ROOT DIR". DIR
// is in $TMPDIR and is removed when standard input ends. Programs that read the panels must have ended before
// that, or umockdev aborts them.
#define _GNU_SOURCE
#include "panel.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char PRELOAD[] = "libumockdev-preload.so.0";
static const char HELP[] =
    "of the next device: default | evemu FILE | name TEXT | phys TEXT | uniq TEXT | id BUS VENDOR PRODUCT VERSION\n"
    "  axis CODE MIN MAX FUZZ FLAT RESOLUTION | noaxis CODE | key CODE | nokey CODE | prop N | noprop N\n"
    "  property KEY=VALUE (of udev) | mouse 0|1 (a mouseN node beside it)\n"
    "  parent N (the number of the input device; default: that of the node)\n"
    "plugging: add [N] | remove [N] | select N (the panel for all following commands)\n"
    "  vanish [N] (removed without an event from udev) | change (udev's rules have run again)\n"
    "  break (reads return end of file) | mend | elsewhere 0|1 (another process has grabbed it)\n"
    "  display SUBSYSTEM NAME (a device of drm or backlight is added, or has changed)\n"
    "events: ev TYPE CODE VALUE | syn | frame TYPE CODE VALUE … (with its syn) | drop (SYN_DROPPED)\n"
    "  range CODE MIN MAX FUZZ FLAT RESOLUTION (EVIOCSABS)\n"
    "  set TYPE CODE VALUE (only the state that ioctls return) | at MICROSECONDS (time of later events; 0: now)\n"
    "  play FILE [SPEED] (an evemu recording, in real time; its comments are printed as \"NOTE text\") | burst FRAMES CONTACTS | state\n";

static UMockdevTestbed *testbed;
static struct description next;
static struct panel *panels[MAX_PANELS];
static struct panel *current;
static int64_t fixed_time;
static char answer[256];  // the text after "OK COMMAND"
static volatile sig_atomic_t has_ended;

static pthread_t main_thread;

/// The signal may arrive in any thread, but only the main thread waits for commands.
static void end(int signal) {
    has_ended = signal;
    if (!pthread_equal(pthread_self(), main_thread)) pthread_kill(main_thread, signal);
}

static bool is_one_of(const char *command, const char *words) {
    char padded[64];
    snprintf(padded, sizeof padded, " %s ", command);
    return strstr(words, padded) != NULL;
}

// -- commands: each function takes the rest of its line, and returns NULL or an error message ---------------

static const char *read_description(const char *path) {
    FILE *file = fopen(path, "re");
    if (!file) return strerror(errno);
    const char *problem = description_read(&next, file);
    fclose(file);
    return problem;
}

static const char *describe(const char *command, const char *rest) {
    int a, b, c, v;
    struct input_absinfo axis = {0};
    if (!strcmp(command, "default")) description_default(&next);
    else if (!strcmp(command, "evemu")) return read_description(rest);
    else if (!strcmp(command, "name")) snprintf(next.name, sizeof next.name, "%s", rest);
    else if (!strcmp(command, "phys")) snprintf(next.phys, sizeof next.phys, "%s", rest);
    else if (!strcmp(command, "uniq")) snprintf(next.uniq, sizeof next.uniq, "%s", rest);
    else if (!strcmp(command, "property")) return description_property(&next, rest);
    else if (!strcmp(command, "id") && sscanf(rest, "%i %i %i %i", &a, &b, &c, &v) == 4)
        next.id = (struct input_id){a, b, c, v};
    else if (!strcmp(command, "axis") && sscanf(rest, "%i %i %i %i %i %i", &a, &axis.minimum, &axis.maximum, &axis.fuzz,
                                                &axis.flat, &axis.resolution) >= 3)
        description_axis(&next, a, &axis);
    else if (!is_one_of(command, " id axis noaxis key nokey prop noprop mouse parent ")) return "unknown command; try help";
    else if (sscanf(rest, "%i", &a) != 1 || a < 0) return "wrong arguments";
    else if (!strcmp(command, "noaxis")) set_bit(next.bits[EV_ABS], a, false);
    else if (!strcmp(command, "key")) set_bit(next.bits[EV_KEY], a, true);
    else if (!strcmp(command, "nokey")) set_bit(next.bits[EV_KEY], a, false);
    else if (!strcmp(command, "prop")) set_bit(next.props, a, true);
    else if (!strcmp(command, "noprop")) set_bit(next.props, a, false);
    else if (!strcmp(command, "parent")) next.parent = a + 1;
    else if (!strcmp(command, "mouse")) next.has_mouse = a != 0;
    else return "wrong arguments";
    return NULL;
}

static const char *plug(const char *command, const char *rest) {
    int number = strcmp(command, "add") && current ? current->number : 0;
    if (rest[0] && sscanf(rest, "%i", &number) != 1) return "give the number of the event node";
    if (number < 0 || number >= MAX_PANELS) return "the number of the event node is 0 to 7";
    bool is_there = panels[number] && panels[number]->is_plugged;
    if (!strcmp(command, "add")) {
        if (is_there) return "it is plugged in already";
        // Reuses the object, because umockdev's thread may still access it.
        if (!panels[number]) panels[number] = panel_make();
        const char *problem = panel_add(panels[number], testbed, &next, number);
        if (problem) return problem;
    } else if (!is_there) {
        return "no such panel is plugged in";
    }
    current = panels[number];
    if (!strcmp(command, "remove")) return panel_remove(current, testbed, true);
    if (!strcmp(command, "vanish")) return panel_remove(current, testbed, false);
    snprintf(answer, sizeof answer, " %s", current->node);
    return NULL;
}

static const char *flush(void) { return panel_flush(current, fixed_time); }

static const char *finish_frame(void) {
    const char *problem = panel_queue(current, EV_SYN, SYN_REPORT, 0);
    return problem ? problem : flush();
}

static const char *frame(const char *rest) {
    int type, code, value, used;
    while (sscanf(rest, "%i %i %i%n", &type, &code, &value, &used) == 3) {
        const char *problem = panel_queue(current, type, code, value);
        if (problem) return problem;
        rest += used;
    }
    if (rest[strspn(rest, " ")]) return "give TYPE CODE VALUE, any number of times";
    return finish_frame();
}

static const char *drop(void) {
    panel_queue(current, EV_SYN, SYN_DROPPED, 0);
    return finish_frame();
}

/// Waits until `elapsed` microseconds of the recording have passed since `start`, at this `speed`.
static void wait_until(const struct timespec *start, int64_t elapsed, double speed) {
    int64_t ns = start->tv_nsec + (int64_t)(elapsed * 1000 / speed);
    struct timespec due = {start->tv_sec + ns / 1000000000, ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR && !has_ended) {}
}

static const char *play(const char *rest) {
    char path[512], line[256], note[512] = "";
    double speed = 1;
    long long sec, usec, first = -1;
    unsigned type, code;
    int value, frames = 0;
    if (sscanf(rest, "%511s %lf", path, &speed) < 1 || speed <= 0) return "give FILE [SPEED]";
    FILE *file = fopen(path, "re");
    if (!file) return strerror(errno);
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    const char *problem = NULL;
    while (!problem && !has_ended && fgets(line, sizeof line, file)) {
        if (first >= 0 && !strncmp(line, "# ", 2)) snprintf(note, sizeof note, "NOTE %s", line + 2);
        if (sscanf(line, "E: %lld.%lld %x %x %d", &sec, &usec, &type, &code, &value) != 5) continue;
        int64_t time = sec * 1000000 + usec;
        if (first < 0) first = time;
        problem = panel_queue(current, type, code, value);
        if (problem || type != EV_SYN || code != SYN_REPORT) continue;
        wait_until(&start, time - first, speed);
        fputs(note, stdout);
        note[0] = 0;
        problem = flush();
        frames++;
    }
    fclose(file);
    current->queued = current->split = 0;  // of a frame that the file does not complete
    snprintf(answer, sizeof answer, " %d frames", frames);
    return problem;
}

/// Writes frames as fast as they are read. All contacts move in each frame, and lift at the end.
static const char *burst(const char *rest) {
    int frames, contacts;
    if (sscanf(rest, "%i %i", &frames, &contacts) != 2 || contacts < 1 || contacts > description_slots(&current->description))
        return "give FRAMES CONTACTS; no more contacts than slots";
    const char *problem = NULL;
    for (int i = 0; i <= frames && !problem; i++) {
        for (int slot = 0; slot < contacts; slot++) {
            panel_queue(current, EV_ABS, ABS_MT_SLOT, slot);
            if (i == 0 || i == frames) panel_queue(current, EV_ABS, ABS_MT_TRACKING_ID, i == 0 ? 1000 + slot : -1);
            if (i == frames) continue;
            panel_queue(current, EV_ABS, ABS_MT_POSITION_X, 200 * slot + i % 150);
            panel_queue(current, EV_ABS, ABS_MT_POSITION_Y, 300 * slot + i % 150);
        }
        if (i == 0 || i == frames) panel_queue(current, EV_KEY, BTN_TOUCH, i == 0);
        problem = finish_frame();
    }
    return problem;
}

static const char *state(void) {
    g_mutex_lock(&current->lock);
    snprintf(answer, sizeof answer, " grab=%d clock=%d fullest=%zu now=%lld", current->is_grabbed, current->clock,
             current->fullest, (long long)panel_now(current));
    g_mutex_unlock(&current->lock);
    return NULL;
}

static const char *touch(const char *command, const char *rest) {
    int type, code, value;
    if (current && !strcmp(command, "mend")) return panel_mend(current, testbed);
    if (!current || current->fd < 0) return "no panel is plugged in";
    if (!strcmp(command, "syn")) return finish_frame();
    if (!strcmp(command, "drop")) return drop();
    if (!strcmp(command, "frame")) return frame(rest);
    if (!strcmp(command, "play")) return play(rest);
    if (!strcmp(command, "burst")) return burst(rest);
    if (!strcmp(command, "state")) return state();
    if (!strcmp(command, "change")) return panel_change(current, testbed, &next), NULL;
    if (!strcmp(command, "break")) return panel_break(current), NULL;
    struct input_absinfo axis = {0};
    if (!strcmp(command, "range")) {
        if (sscanf(rest, "%i %i %i %i %i %i", &code, &axis.minimum, &axis.maximum, &axis.fuzz, &axis.flat,
                   &axis.resolution) < 3 || code < 0)
            return "give CODE MIN MAX FUZZ FLAT RESOLUTION";
        panel_range(current, code, &axis);
        return NULL;
    }
    if (!strcmp(command, "elsewhere")) {
        panel_elsewhere(current, atoi(rest) != 0);
        return NULL;
    }
    if (sscanf(rest, "%i %i %i", &type, &code, &value) != 3) return "give TYPE CODE VALUE";
    if (!strcmp(command, "ev")) return panel_event(current, type, code, value);
    panel_set(current, type, code, value);
    return NULL;
}

static const char *display(const char *rest) {
    char subsystem[32], name[64], path[128], text[256];
    if (sscanf(rest, "%31s %63s", subsystem, name) != 2) return "give SUBSYSTEM NAME";
    snprintf(path, sizeof path, "/sys/devices/fake-display/%s", name);
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        umockdev_testbed_uevent(testbed, path, "change");
        return NULL;
    }
    snprintf(text, sizeof text, "P: %s\nE: SUBSYSTEM=%s\n\n", path + strlen("/sys"), subsystem);
    return umockdev_testbed_add_from_string(testbed, text, NULL) ? NULL : "cannot add the display";
}

static const char *obey(const char *command, const char *rest) {
    answer[0] = 0;
    if (!strcmp(command, "at")) {
        fixed_time = atoll(rest);
        return NULL;
    }
    if (is_one_of(command, " add remove vanish select ")) return plug(command, rest);
    if (!strcmp(command, "display")) return display(rest);
    if (is_one_of(command, " ev syn frame drop set play burst state change break mend range elsewhere ")) return touch(command, rest);
    return describe(command, rest);
}

/// Restarts this program with umockdev's wrapper.
static void preload(char **arguments) {
    const char *loaded = getenv("LD_PRELOAD");
    if (loaded && strstr(loaded, "umockdev")) return;
    setenv("LD_PRELOAD", PRELOAD, 1);
    execv("/proc/self/exe", arguments);
    perror("fakepanel: cannot start with umockdev");
    exit(71);
}

int main(int count, char **arguments) {
    if (count > 1) {
        printf("usage: fakepanel, commands on stdin\n%s", HELP);
        return strcmp(arguments[1], "--help") ? 64 : 0;
    }
    preload(arguments);
    signal(SIGPIPE, SIG_IGN);
    // Ctrl-C is meant for the program that started this one. When that program ends, standard input ends too.
    signal(SIGINT, SIG_IGN);
    main_thread = pthread_self();
    // SA_RESTART is not set, so that the pending read returns and the folder is removed, as at the end of standard
    // input.
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = end}, NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);
    testbed = umockdev_testbed_new();
    description_default(&next);
    gchar *root = umockdev_testbed_get_root_dir(testbed);
    printf("ROOT %s\n", root);
    g_free(root);

    static char line[65536], command[32];
    while (!has_ended && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        int used = 0;
        if (sscanf(line, " %31s%n", command, &used) != 1) continue;
        const char *rest = line + used + strspn(line + used, " ");
        if (!strcmp(command, "help")) printf("%s", HELP);
        const char *problem = strcmp(command, "help") ? obey(command, rest) : NULL;
        if (problem) printf("ERROR %s: %s\n", command, problem);
        else printf("OK %s%s\n", command, answer);
    }
    g_object_unref(testbed);
    return 0;
}
