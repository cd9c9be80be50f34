// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Prints an error message and ends the program.
_Noreturn void die(const char *what);
int64_t now_us(void);
/// If this process is root, allows connections as other users, even if they have no access to the socket's
/// folder.
bool may_change_user(void);
/// Returns a non-blocking connection made as `user` (`same_user`: the user of this process), or -1.
int connect_to(const char *path, uid_t user);
/// Sends as many bytes as the socket accepts now. Returns -1 if the connection is broken, 0 if it accepts
/// none.
ssize_t send_some(int fd, const void *bytes, size_t count);

static const uid_t same_user = (uid_t)-1;
