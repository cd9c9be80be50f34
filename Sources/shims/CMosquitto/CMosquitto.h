// SPDX-License-Identifier: MIT
#pragma once
#include <fcntl.h>
#include <mosquitto.h>
/* mosquitto.h of 2.1 has the constants of MQTT itself, and refuses this file with -Werror. */
#if LIBMOSQUITTO_VERSION_NUMBER < 2001000
#include <mqtt_protocol.h>
#endif
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/// Limits the unread data of a connection: the kernel drops the connection if sent bytes are not acknowledged
/// for this long, and buffers at most this many bytes (doubled by the kernel).
static inline int mqtt_limit_socket(int descriptor, unsigned int milliseconds, int bytes) {
    int a = setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
    int b = setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    return a < 0 ? a : b;
}

/// Whether the kernel has retransmitted bytes that were not acknowledged, and still waits.
static inline bool mqtt_is_stalled(int descriptor) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && info.tcpi_retransmits > 0;
}

/// Puts a pair of sockets between the library and the broker: `descriptor`, which the library uses, becomes one end of the
/// pair. Sets `*broker` to a descriptor of the connection, and `*end` to the other end of the pair.
/// Returns 0, or -1 with errno. In that case, the connection is unchanged.
static inline int mqtt_interpose(int descriptor, int *broker, int *end) {
    int pair[2];
    *broker = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (*broker < 0) return -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) < 0) {
        close(*broker);
        return -1;
    }
    // Neither call fails for descriptors that are open.
    (void)dup2(pair[0], descriptor);
    (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    close(pair[0]);
    *end = pair[1];
    return 0;
}

/// The number of bytes that can be read from a socket, or -1.
static inline int mqtt_unread(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) < 0 ? -1 : count;
}
