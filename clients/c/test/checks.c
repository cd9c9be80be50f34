/* SPDX-License-Identifier: MIT */
/* Checks what the client does with odd arguments and in rare situations. It prints nothing if all is well. */
#define _DEFAULT_SOURCE
#include <stdlib.h>

/* The number of allocations since the last reset, and of the one that fails; 0: none. */
static size_t allocations, failing;

static void *counted_realloc(void *memory, size_t size) { return ++allocations == failing ? NULL : realloc(memory, size); }

#define realloc counted_realloc
#define malloc(size) counted_realloc(NULL, size)
#define FUZZ
#include "feed.c"

#define EXPECT(condition) \
    do { \
        if (!(condition)) fail(#condition); \
    } while (0)

#define IDENTITY "\"region\":\"ok\",\"gesture\":\"press\",\"name\":\"press\",\"sequence\":7}"
static const char press[] = "{\"event\":\"gesture\",\"phase\":\"begin\"," IDENTITY "\n";
static const char listed[] = "{\"event\":\"state\",\"active\":[{" IDENTITY "]}\n";
static const char release[] = "{\"event\":\"gesture\",\"phase\":\"end\"," IDENTITY "\n";
static const char empty[] = "{\"event\":\"state\",\"active\":[]}\n";

static int daemon_side;

/* Connects a client to a socket of this program, which is the daemon. */
static void connect_to_test(struct gestured *client) {
    int sockets[2];
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets) == 0);
    client->socket = sockets[0];
    daemon_side = sockets[1];
    EXPECT(gsd_watch(client, EPOLL_CTL_ADD));
}

/* Connects a client, and accepts its subscription. */
static struct gestured *connected(void) {
    struct gestured *client = client_of_test();
    connect_to_test(client);
    greet(client);
    gsd_flush(client);
    return client;
}

static void disconnected(struct gestured *client) {
    end(client);
    gestured_free(client);
    close(daemon_side);
}

/* Returns the bytes that the client has sent. */
static const char *sent(void) {
    static char text[100000];
    ssize_t count = recv(daemon_side, text, sizeof text - 1, 0);
    text[count < 0 ? 0 : count] = '\0';
    return text;
}

static void append(struct gestured *client, const char *text) { gsd_append(&client->in, text, strlen(text)); }

static void answer(struct gestured *client, int64_t id, const char *ok) {
    char reply[80];
    snprintf(reply, sizeof reply, "{\"reply\":\"subscribe\",\"id\":%lld,\"ok\":%s}\n", (long long)id, ok);
    append(client, reply);
}

/* The reason of the cancel that comes next. */
static const char *next_reason(struct gestured *client) {
    const struct gestured_event *event = gestured_next_event(client);
    const struct gestured_gesture *gesture = event ? gestured_event_get_gesture(event) : NULL;
    if (gesture) follow(gesture);
    return gesture && gesture->phase == GESTURED_PHASE_CANCEL ? gesture->reason : "";
}

static enum gestured_event_type next_type(struct gestured *client) {
    const struct gestured_event *event = gestured_next_event(client);
    return event ? gestured_event_get_type(event) : GESTURED_EVENT_OTHER;
}

static void check_arguments(void) {
    struct gestured *client = connected();
    struct gestured_options options;
    char wanted[80];
    int count = 0;
    EXPECT(gestured_set_scene(client, NULL, 0) == -EINVAL);
    EXPECT(gestured_set_profile(client, NULL, false) == -EINVAL);
    EXPECT(gestured_set_region(client, NULL, true) == -EINVAL);
    EXPECT(gestured_cancel(client, NULL) == -EINVAL);
    EXPECT(gestured_remove_region(client, NULL, false) == -EINVAL);
    EXPECT(gestured_put_region(client, NULL, NULL, false) == -EINVAL);
    EXPECT(gestured_put_region(client, "{}", NULL, false) == -EINVAL);
    EXPECT(gestured_request(client, NULL, NULL) == -EINVAL);
    EXPECT(gestured_request(client, "ping", "{") == -EINVAL);
    memset(&options, 0, sizeof options);
    options.reserved[7] = &options;
    EXPECT(gestured_subscribe(client, &options) == -EINVAL);
    options.reserved[7] = NULL;
    options.max_rate_hz = (double)NAN;
    EXPECT(gestured_subscribe(client, &options) == -EINVAL);
    sent();
    snprintf(wanted, sizeof wanted, "{\"cmd\":\"ping\",\"id\":%lld}\n", (long long)gestured_request(client, "ping", "{ \n}"));
    EXPECT(strcmp(sent(), wanted) == 0);
    while (gestured_put_region(client, "{\"id\":\"a\"}", NULL, false) > 0) EXPECT(++count < 300);
    EXPECT(gestured_put_region(client, "{\"id\":\"a\"}", NULL, false) == -EAGAIN);
    EXPECT(gestured_subscribe(client, NULL) == -EAGAIN);
    disconnected(client);
}

static void check_names_of_phases(void) {
    EXPECT(gestured_phase_name(GESTURED_PHASE_NONE) == NULL);
    EXPECT(strcmp(gestured_phase_name(GESTURED_PHASE_BEGIN), "begin") == 0);
    EXPECT(strcmp(gestured_phase_name(GESTURED_PHASE_UPDATE), "update") == 0);
    EXPECT(strcmp(gestured_phase_name(GESTURED_PHASE_END), "end") == 0);
    EXPECT(strcmp(gestured_phase_name(GESTURED_PHASE_CANCEL), "cancel") == 0);
    EXPECT(gestured_phase_name((enum gestured_phase)5) == NULL);
}

/* An empty list of globs matches nothing, and a list that is NULL matches everything. */
static void check_globs(void) {
    struct gestured *client = connected();
    struct gestured_options options;
    size_t index, wanted;
    memset(&options, 0, sizeof options);
    for (wanted = 0; wanted < 2; wanted++) {
        const struct gestured_event *event;
        options.regions = wanted ? NULL : "";
        answer(client, gestured_subscribe(client, &options), "true");
        append(client, listed);
        for (index = 0; index < 2; index++) event = gestured_next_event(client);
        EXPECT(event && gestured_event_get_state(event) && gestured_event_get_state(event)->active_count == wanted);
        take(client);
    }
    disconnected(client);
}

/* A gesture that the new subscription does not cover ends, and so does one if the daemon refuses the new subscription. */
static void check_a_change_of_the_subscription(void) {
    struct gestured *client = connected();
    const struct gestured_event *event;
    struct gestured_options options;
    memset(&options, 0, sizeof options);
    options.events = "idle";
    feed(client, press, strlen(press));
    answer(client, gestured_subscribe(client, &options), "true");
    append(client, listed);
    event = gestured_next_event(client);
    EXPECT(event && gestured_event_get_hello(event) && strstr(gestured_event_get_line(event), "\"server\""));
    EXPECT(strcmp(next_reason(client), "lost") == 0);
    EXPECT(next_type(client) == GESTURED_EVENT_STATE);

    answer(client, gestured_subscribe(client, NULL), "true");
    append(client, empty);
    append(client, press);
    take(client);
    answer(client, gestured_subscribe(client, NULL), "false");
    EXPECT(next_type(client) == GESTURED_EVENT_REPLY);
    EXPECT(strcmp(next_reason(client), "lost") == 0);
    EXPECT(!gestured_next_event(client));
    disconnected(client);
}

/* A gesture whose begin was lost gets a cancel without a position. */
static void check_a_gesture_that_only_a_state_lists(void) {
    struct gestured *client = connected();
    const struct gestured_event *event;
    const struct gestured_gesture *gesture;
    static const char state[] =
        "{\"event\":\"state\",\"active\":[{\"device\":\"left\"," IDENTITY ",{\"region\":\"b\",\"gesture\":\"drag\",\"name\":\"d\","
        "\"sequence\":8}]}\n";
    feed(client, state, strlen(state));
    append(client, empty);
    event = gestured_next_event(client);
    gesture = event ? gestured_event_get_gesture(event) : NULL;
    EXPECT(gesture && gesture->added && strcmp(gesture->reason, "lost") == 0 && gesture->sequence == 7);
    EXPECT(strcmp(gesture->region, "ok") == 0 && strcmp(gesture->name, "press") == 0 && strcmp(gesture->device, "left") == 0);
    EXPECT(isnan(gesture->x) && gesture->fingers == -1);
    follow(gesture);
    event = gestured_next_event(client);
    gesture = event ? gestured_event_get_gesture(event) : NULL;
    EXPECT(gesture && strcmp(gesture->gesture, "drag") == 0 && gesture->sequence == 8 && !gesture->device);
    follow(gesture);
    EXPECT(next_type(client) == GESTURED_EVENT_STATE);
    disconnected(client);
}

/* A program may pass the texts of an event to requests, and the event stays valid. */
static void check_requests_while_an_event_is_read(void) {
    struct gestured *client = connected();
    const struct gestured_event *event;
    const struct gestured_gesture *gesture;
    char wanted[200];
    sent();
    append(client, press);
    event = gestured_next_event(client);
    gesture = event ? gestured_event_get_gesture(event) : NULL;
    EXPECT(gesture && gestured_set_region(client, gesture->region, false) > 0 && gestured_subscribe(client, NULL) > 0);
    sent();
    snprintf(wanted, sizeof wanted,
        "{\"cmd\":\"put_region\",\"id\":%lld,\"lease\":true,\"region\":{\"id\":\"a long name of a region\"},\"below\":\"ok\"}\n",
        (long long)gestured_put_region(client, "{\"id\":\"a long name of a region\"}", gesture->region, false));
    EXPECT(strcmp(sent(), wanted) == 0);
    EXPECT(strcmp(gesture->region, "ok") == 0 && strcmp(gesture->gesture, "press") == 0 && strcmp(gesture->name, "press") == 0);
    follow(gesture);
    disconnected(client);
}

/* A daemon that stops in the middle of a line is one that does not answer. */
static void check_a_line_that_does_not_end(void) {
    struct gestured *client = connected();
    int64_t before = gsd_now();
    EXPECT(gestured_request(client, "ping", NULL) > 0);
    EXPECT(client->waiting_since >= before && client->waiting_since <= gsd_now());
    EXPECT(gestured_get_timeout(client) <= GSD_PATIENCE_US / 1000);
    append(client, "{\"reply\"");
    client->waiting_since -= GSD_PATIENCE_US + 1;
    EXPECT(gestured_dispatch(client) == 0);
    EXPECT(next_type(client) == GESTURED_EVENT_REPLY);
    EXPECT(next_type(client) == GESTURED_EVENT_DISCONNECTED);
    disconnected(client);
}

/* After it has given up, a client that subscribes tries again. */
static void check_a_client_that_has_given_up(void) {
    struct gestured *client = connected();
    const struct gestured_event *event;
    static const char hello[] = "{\"event\":\"hello\",\"protocol\":2,\"server\":\"gestured 9\",\"instance\":\"a\"}\n";
    append(client, hello);
    event = gestured_next_event(client);
    EXPECT(event && gestured_event_get_disconnected(event) && gestured_event_get_disconnected(event)->gave_up);
    EXPECT(gestured_get_timeout(client) == -1);
    EXPECT(gestured_subscribe(client, NULL) > 0);
    EXPECT(gestured_get_timeout(client) >= 0);
    disconnected(client);
}

/* Whether a client has defined the region is also known when its gesture is cancelled here. */
static void check_a_leased_region(void) {
    static const char *const lines[] = {
        "{\"event\":\"gesture\",\"phase\":\"begin\",\"leased\":true," IDENTITY "\n",
        "{\"event\":\"state\",\"active\":[{\"leased\":true," IDENTITY "]}\n",
        press,
        listed,
    };
    size_t index;
    for (index = 0; index < sizeof lines / sizeof *lines; index++) {
        struct gestured *client = connected();
        const struct gestured_event *event;
        const struct gestured_gesture *gesture;
        append(client, lines[index]);
        event = gestured_next_event(client);
        gesture = event ? gestured_event_get_gesture(event) : NULL;
        if (gesture) follow(gesture);
        EXPECT(!gesture || (gesture->leased == 1) == (index < 2));
        append(client, empty);
        event = gestured_next_event(client);
        gesture = event ? gestured_event_get_gesture(event) : NULL;
        EXPECT(gesture && gesture->added && (gesture->leased == 1) == (index < 2));
        follow(gesture);
        disconnected(client);
    }
}

/* A busy daemon sends a reply without a number, and closes the connection. */
static void check_a_busy_daemon(void) {
    struct gestured *client = connected();
    const struct gestured_event *event;
    append(client, "{\"reply\":null,\"ok\":false,\"error\":{\"code\":\"busy\",\"message\":\"full\"}}\n");
    event = gestured_next_event(client);
    EXPECT(event && gestured_event_get_disconnected(event) && !gestured_event_get_disconnected(event)->gave_up);
    EXPECT(strcmp(gestured_event_get_disconnected(event)->cause, "full") == 0);
    disconnected(client);
}

/* A program that answers before it greets is no daemon. */
static void check_an_answer_before_the_greeting(void) {
    struct gestured *client = client_of_test();
    const struct gestured_event *event;
    connect_to_test(client);
    gsd_send_subscription(client);
    answer(client, client->subscription_id, "true");
    event = gestured_next_event(client);
    EXPECT(event && gestured_event_get_disconnected(event));
    gestured_free(client);
    close(daemon_side);
}

/* The daemon answers a request that it cannot read without a number. */
static void check_a_request_that_the_daemon_cannot_read(void) {
    struct gestured *client = connected();
    const struct gestured_event *event;
    int64_t region = gestured_put_region(client, "{\"id\":\"a\",\"id\":\"a\"}", NULL, false);
    int64_t scene = gestured_set_scene(client, "day", 0);
    EXPECT(region > 0 && scene > region);
    append(client, "{\"reply\":null,\"ok\":false,\"error\":{\"code\":\"bad_json\",\"message\":\"twice\"}}\n");
    event = gestured_next_event(client);
    EXPECT(event && gestured_event_get_reply(event)->id == region);
    EXPECT(strcmp(gestured_event_get_reply(event)->message, "twice") == 0);
    EXPECT(client->lease_count == 0);
    answer(client, scene, "true");
    event = gestured_next_event(client);
    EXPECT(event && gestured_event_get_reply(event)->id == scene && gestured_event_get_reply(event)->ok);
    disconnected(client);
}

/* A program that removes more regions than the daemon has answered can try again. */
static void check_a_removal_that_is_refused(void) {
    struct gestured *client = connected();
    EXPECT(gestured_put_region(client, "{\"id\":\"a\"}", NULL, false) > 0);
    while (gestured_cancel(client, "none") > 0) {}
    EXPECT(gestured_remove_region(client, "a", false) == -EAGAIN && client->lease_count == 1);
    disconnected(client);
}

/* Regions come again in their order. */
static void check_the_order_of_regions(void) {
    struct gestured *client = client_of_test();
    size_t index;
    static const char wanted[] = "dabc";
    EXPECT(gestured_put_region(client, "{\"id\":\"a\"}", NULL, false) > 0);
    EXPECT(gestured_put_region(client, "{\"id\":\"c\"}", NULL, false) > 0);
    EXPECT(gestured_put_region(client, "{\"id\":\"b\"}", "c", true) > 0);
    EXPECT(gestured_put_region(client, "{\"id\":\"a\",\"name\":\"new\"}", NULL, false) > 0);
    EXPECT(gestured_put_region(client, "{\"id\":\"d\"}", NULL, false) > 0);
    EXPECT(gestured_put_region(client, "{\"id\":\"d\"}", "a", false) > 0);
    EXPECT(gestured_put_region(client, "{\"id\":\"e\"}", "unknown", false) > 0);
    EXPECT(gestured_remove_region(client, "e", false) == -ENOTCONN);
    EXPECT(client->lease_count == strlen(wanted));
    for (index = 0; index < client->lease_count; index++) EXPECT(client->leases[index].id[0] == wanted[index]);
    EXPECT(!strstr(client->leases[2].keys, "wait") && !strstr(client->leases[2].keys, "below"));
    gestured_free(client);
}

/* Sends a text to the client, which may have closed the connection. */
static void tell(const char *text) {
    ssize_t count = send(daemon_side, text, strlen(text), MSG_NOSIGNAL);
    EXPECT(count == (ssize_t)strlen(text) || (count < 0 && errno == EPIPE));
}

/* Once the buffers have grown, events need no memory. */
static void check_allocations(void) {
    struct gestured *client = connected();
    int round;
    for (round = 0; round < 1000; round++) {
        if (round == 10) allocations = 0;
        tell(press);
        tell(listed);
        tell("{\"event\":\"touches\",\"device\":\"p\",\"contacts\":[{\"id\":1,\"slot\":0,\"x\":1,\"y\":2}]}\n");
        tell(release);
        gestured_dispatch(client);
        take(client);
    }
    EXPECT(client->socket >= 0 && allocations == 0);
    disconnected(client);
}

/* Whichever allocation fails, every gesture ends, and the client can be freed. */
static void check_that_memory_may_be_missing(void) {
    size_t place;
    for (place = 1; place < 40; place++) {
        struct gestured *client = gestured_new("/nowhere");
        char reply[80];
        allocations = 0;
        failing = place;
        gestured_subscribe(client, NULL);
        connect_to_test(client);
        gsd_send_subscription(client);
        snprintf(reply, sizeof reply, "{\"reply\":\"subscribe\",\"id\":%lld,\"ok\":true}\n", (long long)client->last_id);
        tell("{\"event\":\"hello\",\"protocol\":1,\"server\":\"gestured 9\",\"instance\":\"a\"}\n");
        tell(reply);
        tell(empty);
        tell(press);
        gestured_dispatch(client);
        take(client);
        gestured_put_region(client, "{\"id\":\"a\"}", NULL, false);
        tell(listed);
        gestured_dispatch(client);
        take(client);
        failing = 0;
        disconnected(client);
    }
    EXPECT(allocations < 40);
}

static void keep_message(void *data, enum gestured_log_priority priority, const char *message) {
    snprintf((char *)data, 200, "%d %s", (int)priority, message);
}

/* A message is not logged twice in a row. A delay is between a half and the whole of its maximum, which doubles each time. */
static void check_the_log_and_the_delays(void) {
    struct gestured *client = gestured_new("/nowhere/socket");
    char message[200] = "";
    int64_t longest = GSD_FIRST_DELAY_US, before;
    int round;
    gestured_set_log_handler(client, keep_message, message);
    for (round = 0; round < 20; round++) {
        before = gsd_now();
        EXPECT(gestured_dispatch(client) == 0 && !gestured_next_event(client));
        EXPECT(client->reconnect_at >= before + longest / 2 && client->reconnect_at <= gsd_now() + longest);
        EXPECT(gestured_get_timeout(client) <= longest / 1000 + 1);
        longest = longest * 2 < GSD_LONGEST_DELAY_US ? longest * 2 : GSD_LONGEST_DELAY_US;
        client->reconnect_at = gsd_now();
        EXPECT(round ? !*message : strstr(message, "1 /nowhere/socket: no daemon: ") == message);
        message[0] = '\0';
    }
    gestured_free(client);
}

int main(void) {
    check_allocations();
    check_that_memory_may_be_missing();
    check_the_log_and_the_delays();
    check_arguments();
    check_names_of_phases();
    check_globs();
    check_a_change_of_the_subscription();
    check_a_gesture_that_only_a_state_lists();
    check_requests_while_an_event_is_read();
    check_a_line_that_does_not_end();
    check_a_client_that_has_given_up();
    check_a_leased_region();
    check_a_busy_daemon();
    check_an_answer_before_the_greeting();
    check_a_request_that_the_daemon_cannot_read();
    check_a_removal_that_is_refused();
    check_the_order_of_regions();
    return 0;
}
