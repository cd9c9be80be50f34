// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "passing.h"
#include "connection.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_PASSED = 64, ENDS = 256, LINGER_S = 5 };

ssize_t pass_descriptor(int connection, int passed, int times, int flags) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(MOST_PASSED * sizeof(int))];
    } control = {0};
    char text[] = "#\n";
    struct iovec vector = {text, 2};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_SPACE(times * sizeof(int))};
    control.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(times * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    for (int i = 0; i < times; i++) memcpy(CMSG_DATA(&control.header) + i * sizeof(int), &passed, sizeof(int));
    return sendmsg(connection, &message, flags | MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool is_refused(void) { return errno == EPERM; }

/// Listens on a port of the loopback interface. Nothing reads from its connections.
static int listener(struct sockaddr_in *address) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), small = 4096;
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof *address;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    if (fd < 0 || bind(fd, (struct sockaddr *)address, size) < 0 || listen(fd, 16) < 0 ||
        getsockname(fd, (struct sockaddr *)address, &size) < 0)
        die("no TCP on the loopback");
    return fd;
}

int lingering_socket(void) {
    static int listening = -1, ends[ENDS], next;
    static struct sockaddr_in address;
    if (listening < 0) listening = listener(&address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct linger wait = {.l_onoff = 1, .l_linger = LINGER_S};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &wait, sizeof wait);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) die("no TCP connection");
    // Closes the other end of an old connection, which ends the wait of a process that closes that
    // connection.
    if (ends[next] > 0) close(ends[next]);
    ends[next] = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    next = (next + 1) % ENDS;
    static char bytes[65536];
    while (send(fd, bytes, sizeof bytes, MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {}
    return fd;
}
