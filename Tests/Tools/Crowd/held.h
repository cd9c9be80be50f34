// SPDX-License-Identifier: MIT
// The connections that a bad client holds, and what it does with them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { HELD = 16 };

extern int sockets[HELD];
/// How many of them are in use. Most kinds need only the first.
extern int held;
/// What it has done, for the caller to see that it is active.
extern long acts;

/// Makes all connections, as this user.
void hold(const char *socket_path, uid_t as_user);
void again(int i);
/// A connection that the daemon has refused or closed is made again.
/// Returns whether it was; then nothing has been sent over it.
bool again_if_closed(int i);
/// Sends as much as the socket accepts. Reconnects if the daemon has closed the connection.
/// Returns whether that was everything.
bool offer_over(int i, const void *bytes, size_t count);
/// The same over the first connection.
bool offer(const void *bytes, size_t count);
bool say(const char *line);
void read_and_forget(int fd, size_t most);
void rest(int microseconds);
uint32_t random_below(uint32_t sides);
