// SPDX-License-Identifier: MIT
#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

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
