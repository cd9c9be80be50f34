/* SPDX-License-Identifier: MIT */
/*
 * Connects to a socket as often as the first argument says, and prints what it has seen: connections, gestures that began, cancels, and
 * the bytes of the heap after a tenth of the connections and at the end.
 */
#define FUZZ
#include "feed.c"
#include <malloc.h>
#include <poll.h>

int main(int count, char **words) {
    long wanted = count > 2 ? strtol(words[1], NULL, 10) : 1, connections = 0, begins = 0, cancels = 0, early = 0;
    struct gestured *client = gestured_new(count > 2 ? words[2] : NULL);
    struct pollfd descriptor;
    gestured_subscribe(client, NULL);
    gestured_put_region(client, "{\"id\":\"a\",\"shape\":{\"rect\":[0,0,10,10]}}", NULL, false);
    descriptor.fd = gestured_get_fd(client);
    descriptor.events = POLLIN;
    while (connections < wanted && poll(&descriptor, 1, 10000) > 0) {
        const struct gestured_event *event;
        gestured_dispatch(client);
        while ((event = gestured_next_event(client))) {
            const struct gestured_gesture *gesture = gestured_event_get_gesture(event);
            const struct gestured_disconnected *disconnected = gestured_event_get_disconnected(event);
            if (gesture && gesture->phase == GESTURED_PHASE_BEGIN) begins++;
            if (gesture && gesture->added && strcmp(gesture->reason, "disconnected") == 0) cancels++;
            if (gesture) follow(gesture);
            if (disconnected && begun_count) fail("the connection was lost while a gesture had begun");
            if (disconnected) connections++;
            if (disconnected && disconnected->gave_up) gestured_subscribe(client, NULL);
        }
        /* The next try would come after 100 ms. */
        if (client->socket < 0) client->delay_us = 1000, client->reconnect_at = gsd_now();
        if (connections == wanted / 10) early = (long)mallinfo2().uordblks;
        gsd_set_timer(client);
    }
    printf("{\"connections\":%ld,\"begun\":%ld,\"cancels\":%ld,\"early\":%ld,\"heap\":%ld}\n", connections, begins, cancels, early,
        (long)mallinfo2().uordblks);
    gestured_free(client);
    return 0;
}
