// SPDX-License-Identifier: MIT
// The connections of a hostile client, and the actions that use them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { HELD = 16 };

extern int sockets[HELD];
/// The number of connections in use. Most kinds of clients need only the first.
extern int held;
/// The number of actions so far. It shows the caller that the client is active.
extern long acts;

/// Opens all connections as this user.
void hold(const char *socket_path, uid_t as_user);
void again(int i);
/// Reconnects if the daemon has refused or closed the connection, and returns whether it did. Nothing has been
/// sent over the new connection.
bool again_if_closed(int i);
/// Sends as many bytes as the socket accepts, and reconnects if the daemon has closed the connection. Returns
/// whether all bytes were sent.
bool offer_over(int i, const void *bytes, size_t count);
/// Calls `offer_over` for the first connection.
bool offer(const void *bytes, size_t count);
bool say(const char *line);
void read_and_forget(int fd, size_t most);
void rest(int microseconds);
uint32_t random_below(uint32_t sides);
