// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "connection.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/securebits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

void die(const char *what) {
    fprintf(stderr, "crowd: error: %s: %s\n", what, strerror(errno));
    exit(1);
}

int64_t now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

bool may_change_user(void) {
    // Keeps root's permission to access every folder while acting as another user.
    return getuid() == 0 && prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0) == 0;
}

int connect_to(const char *path, uid_t user) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        die(path);
    }
    strcpy(address.sun_path, path);
    // A blocking socket, so that connect() waits while the listener's queue is full.
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    // The kernel records the effective user when the socket connects.
    if (user != same_user && seteuid(user)) die("seteuid");
    int result = connect(fd, (struct sockaddr *)&address, sizeof address);
    if (user != same_user && seteuid(0)) die("seteuid");
    if (result || fcntl(fd, F_SETFL, O_NONBLOCK)) {
        close(fd);
        return -1;
    }
    return fd;
}

ssize_t send_some(int fd, const void *bytes, size_t count) {
    ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return sent;
    return errno == EAGAIN || errno == EINTR ? 0 : -1;
}
