/* SPDX-License-Identifier: MIT */
/*
 * Gives the client what a daemon might send, without a socket, and checks what comes out: every gesture that begins also ends, all
 * texts can be read, and the memory is bounded. With main(), each line of standard input is such a line, and each goes into a connection
 * of its own. With libFuzzer (-DFUZZ), it is a whole stream.
 */
#define GESTURED_IMPLEMENTATION
#include "../gestured.h"

/* A gesture that the program has seen begin. */
struct begun {
    char identity[256];
    int64_t sequence;
};

static struct begun begun[GSD_OPEN + 16];
static size_t begun_count, ended, texts;

static void fail(const char *message) {
    fprintf(stderr, "feed: %s\n", message);
    abort();
}

static void read_text(const char *text) { texts += text ? strlen(text) : 0; }

static void follow(const struct gestured_gesture *gesture) {
    char identity[sizeof begun[0].identity];
    size_t index = 0;
    if (gesture->phase == GESTURED_PHASE_NONE) return;
    snprintf(identity, sizeof identity, "%.80s %.80s %.80s", gesture->region, gesture->gesture, gesture->name);
    while (index < begun_count && (begun[index].sequence != gesture->sequence || strcmp(begun[index].identity, identity) != 0)) index++;
    if (gesture->phase == GESTURED_PHASE_BEGIN || gesture->phase == GESTURED_PHASE_UPDATE) {
        if (index < begun_count) return;
        if (begun_count == sizeof begun / sizeof *begun) fail("more gestures have begun than the client allows");
        begun[begun_count].sequence = gesture->sequence;
        memcpy(begun[begun_count++].identity, identity, sizeof identity);
    } else if (index < begun_count) {
        begun[index] = begun[--begun_count];
    }
}

static void take(struct gestured *client) {
    const struct gestured_event *event;
    while ((event = gestured_next_event(client))) {
        const struct gestured_gesture *gesture = gestured_event_get_gesture(event);
        const struct gestured_state *state = gestured_event_get_state(event);
        const struct gestured_touches *touches = gestured_event_get_touches(event);
        const struct gestured_failed *failed = gestured_event_get_failed(event);
        const struct gestured_reply *reply = gestured_event_get_reply(event);
        const struct gestured_disconnected *disconnected = gestured_event_get_disconnected(event);
        size_t index;
        read_text(gestured_event_get_line(event));
        if (gesture) {
            if (!gesture->gesture || !gesture->name || !gesture->region) fail("a gesture without its identity");
            read_text(gesture->device);
            read_text(gesture->reason);
            read_text(gesture->direction);
            if (gesture->added != (gestured_event_get_line(event) == NULL)) fail("a cancel that is added has no line");
            follow(gesture);
        }
        for (index = 0; state && index < state->active_count; index++) {
            struct gestured_gesture listed;
            gsd_set_missing(gsd_gesture(), &listed);
            listed.gesture = state->active[index].gesture;
            listed.name = state->active[index].name;
            listed.region = state->active[index].region;
            listed.sequence = state->active[index].sequence;
            listed.phase = GESTURED_PHASE_UPDATE;
            follow(&listed);
        }
        for (index = 0; state && index < state->device_count; index++) read_text(state->devices[index].device);
        for (index = 0; state && index < state->idle_count; index++) read_text(state->idle[index]);
        for (index = 0; touches && index < touches->contact_count; index++) {
            read_text(touches->contacts[index].region);
            if (isnan(touches->contacts[index].x)) fail("a contact without a position");
        }
        for (index = 0; touches && index < touches->ignored_count; index++) read_text(touches->ignored[index].filter);
        if (failed) read_text(failed->code);
        if (reply) read_text(reply->message);
        if (disconnected) {
            read_text(disconnected->cause);
            if (begun_count) fail("the connection was lost while a gesture had begun");
            ended++;
        }
    }
}

static void feed(struct gestured *client, const void *bytes, size_t count) {
    gsd_append(&client->in, bytes, count);
    if (client->in.failed) fail("no memory");
    take(client);
}

/* Begins a connection that the daemon has accepted. */
static void greet(struct gestured *client) {
    static const char hello[] =
        "{\"event\":\"hello\",\"protocol\":1,\"server\":\"gestured 9\",\"instance\":\"a\",\"capabilities\":[\"x\"],\"rights\":[\"raw\"]}\n";
    char reply[80];
    client->was_connected = true;
    gsd_send_subscription(client);
    feed(client, hello, strlen(hello));
    snprintf(reply, sizeof reply, "{\"reply\":\"subscribe\",\"id\":%lld,\"ok\":true}\n", (long long)client->subscription_id);
    feed(client, reply, strlen(reply));
    if (!client->is_subscribed) fail("the client does not accept the greeting");
}

static void end(struct gestured *client) {
    gsd_lose(client, "end of the test", false);
    take(client);
    client->gave_up = false;
    client->delay_us = GSD_FIRST_DELAY_US;
    if (begun_count || client->open_count) fail("a gesture has not ended");
}

static struct gestured *client_of_test(void) {
    struct gestured *client = gestured_new("/nowhere");
    struct gestured_options options;
    memset(&options, 0, sizeof options);
    options.events = "gesture failed touches idle device config frame";
    options.phases = "begin update end cancel";
    if (!client || gestured_subscribe(client, &options) < 0) fail("no client");
    return client;
}

#ifdef FUZZ

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct gestured *client;
    size_t half = size / 2;
    if (!client) client = client_of_test();
    greet(client);
    feed(client, data, half);
    if (!client->in.count && half) greet(client);
    feed(client, data + half, size - half);
    end(client);
    return 0;
}

#else

int main(void) {
    static const char press[] = "{\"event\":\"gesture\",\"gesture\":\"press\",\"name\":\"press\",\"phase\":\"begin\",\"region\":\"ok\",\"sequence\":7}\n";
    struct gestured *client = client_of_test();
    char *line = NULL;
    size_t capacity = 0, lines = 0, memory = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, stdin)) >= 0) {
        greet(client);
        feed(client, press, strlen(press));
        feed(client, line, (size_t)length);
        end(client);
        lines++;
        memory = client->in.capacity + client->out.capacity + client->copy.capacity + client->scratch.capacity;
    }
    printf("{\"lines\":%zu,\"ended\":%zu,\"memory\":%zu}\n", lines, ended, memory);
    free(line);
    gestured_free(client);
    return 0;
}

#endif
