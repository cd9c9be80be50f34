/* SPDX-License-Identifier: MIT */
/* Prints the gestures of all regions, with poll(). Build: cc print.c $(pkg-config --cflags --libs gestured) */
#include <gestured.h>
#include <poll.h>
#include <stdio.h>

static void print(const struct gestured_event *event) {
    static const char *const phases[] = {"", " begin", " update", " end", " cancel"};
    const struct gestured_gesture *gesture = gestured_event_get_gesture(event);
    const struct gestured_disconnected *disconnected = gestured_event_get_disconnected(event);
    if (gestured_event_get_hello(event)) printf("connected\n");
    if (gesture) printf("%s%s %s\n", gesture->name, phases[gesture->phase], gesture->region);
    if (disconnected) printf("disconnected: %s\n", disconnected->cause);
    fflush(stdout);
}

static void log_message(void *data, enum gestured_log_priority priority, const char *message) {
    (void)data;
    if (priority == GESTURED_LOG_ERROR) fprintf(stderr, "%s\n", message);
}

int main(void) {
    struct gestured *client = gestured_new(NULL);
    struct pollfd descriptor;
    if (!client) return 1;
    gestured_set_log_handler(client, log_message, NULL);
    gestured_subscribe(client, NULL);
    descriptor.fd = gestured_get_fd(client);
    descriptor.events = POLLIN;
    while (poll(&descriptor, 1, -1) >= 0) {
        const struct gestured_event *event;
        gestured_dispatch(client);
        while ((event = gestured_next_event(client))) print(event);
    }
    gestured_free(client);
    return 0;
}
