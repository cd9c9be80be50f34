/* SPDX-License-Identifier: MIT */
/* Prints taps from the main loop of GLib and GTK. Build: cc glib.c $(pkg-config --cflags --libs gestured glib-2.0) */
#include <gestured.h>
#include <glib-unix.h>

static gboolean dispatch(gint descriptor, GIOCondition condition, gpointer data) {
    struct gestured *client = data;
    const struct gestured_event *event;
    (void)descriptor;
    (void)condition;
    gestured_dispatch(client);
    while ((event = gestured_next_event(client))) {
        const struct gestured_gesture *gesture = gestured_event_get_gesture(event);
        if (gesture) g_print("%s %s\n", gesture->name, gesture->region);
    }
    return G_SOURCE_CONTINUE;
}

int main(void) {
    struct gestured *client = gestured_new(NULL);
    struct gestured_options options = {0};
    options.gestures = "tap";
    gestured_subscribe(client, &options);
    g_unix_fd_add(gestured_get_fd(client), G_IO_IN, dispatch, client);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
    return 0;
}
