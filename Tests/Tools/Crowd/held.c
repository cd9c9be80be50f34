// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "held.h"
#include "connection.h"
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int sockets[HELD] = {-1};
int held = 1;
long acts;

static const char *path;
static uid_t user;
static uint64_t random_state = 23;

void hold(const char *socket_path, uid_t as_user) {
    path = socket_path;
    user = as_user;
    for (int i = 0; i < held; i++) {
        sockets[i] = -1;
        again(i);
    }
}

void again(int i) {
    if (sockets[i] >= 0) close(sockets[i]);
    sockets[i] = connect_to(path, user);
}

bool again_if_closed(int i) {
    char text[256];
    if (sockets[i] >= 0 && recv(sockets[i], text, sizeof text, MSG_DONTWAIT) != 0) return false;
    again(i);
    return true;
}

bool offer_over(int i, const void *bytes, size_t count) {
    ssize_t sent = send_some(sockets[i], bytes, count);
    if (sent < 0) again(i);
    if (sent > 0) acts++;
    return sent == (ssize_t)count;
}

bool offer(const void *bytes, size_t count) { return offer_over(0, bytes, count); }

bool say(const char *line) { return offer(line, strlen(line)); }

void read_and_forget(int fd, size_t most) {
    static char waste[65536];
    while (most > 0) {
        ssize_t count = recv(fd, waste, most < sizeof waste ? most : sizeof waste, MSG_DONTWAIT);
        if (count <= 0) return;
        most -= count;
    }
}

void rest(int microseconds) { usleep(microseconds); }

uint32_t random_below(uint32_t sides) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % sides;
}
