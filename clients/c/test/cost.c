/* SPDX-License-Identifier: MIT */
/* Prints the microseconds of processor time for a line: with the client, and with read() and memchr() alone. */
#define FUZZ
#include "feed.c"

enum { ROUNDS = 5000, LINES = 20 };

static const char update[] =
    "{\"event\":\"gesture\",\"seq\":123,\"gesture\":\"drag\",\"name\":\"drag\",\"phase\":\"update\",\"region\":\"ok\",\"device\":\"panel\","
    "\"sequence\":7,\"fingers\":1,\"dx\":12.5,\"dy\":3.25,\"vx\":120.5,\"vy\":3.5,\"x\":512.5,\"y\":300.25,\"u\":0.5,\"v\":0.25,"
    "\"inside\":true,\"time_us\":123456789}\n";

int main(void) {
    struct gestured *client = client_of_test();
    char batch[LINES * sizeof update], input[LINES * sizeof update];
    int sockets[2], round;
    size_t events = 0, lines = 0, size = 0;
    clock_t begin, middle, end;
    for (round = 0; round < LINES; round++, size += sizeof update - 1) memcpy(batch + size, update, sizeof update - 1);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets) != 0) fail("no sockets");
    client->socket = sockets[0];
    greet(client);

    begin = clock();
    for (round = 0; round < ROUNDS; round++) {
        if (write(sockets[1], batch, size) != (ssize_t)size) fail("the socket is full");
        gestured_dispatch(client);
        while (gestured_next_event(client)) events++;
    }
    middle = clock();
    for (round = 0; round < ROUNDS; round++) {
        const char *at = input, *stop;
        if (write(sockets[1], batch, size) != (ssize_t)size) fail("the socket is full");
        stop = input + read(sockets[0], input, sizeof input);
        while (at < stop && (at = (const char *)memchr(at, '\n', (size_t)(stop - at)))) at++, lines++;
    }
    end = clock();
    if (events != lines || lines != ROUNDS * LINES) fail("lines were lost");
    printf("{\"client\":%.3f,\"plain\":%.3f}\n", (double)(middle - begin) / CLOCKS_PER_SEC * 1e6 / (double)lines,
        (double)(end - middle) / CLOCKS_PER_SEC * 1e6 / (double)lines);
    gestured_free(client);
    return 0;
}
