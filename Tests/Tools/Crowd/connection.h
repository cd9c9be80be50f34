// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Ends the program with a message.
_Noreturn void die(const char *what);
int64_t now_us(void);
/// As root, allows connections as other users, even if these may not search the socket's folder.
bool may_change_user(void);
/// A non-blocking connection made as `user` (`same_user`: the user of this process), or -1.
int connect_to(const char *path, uid_t user);
/// Sends as much as the socket accepts now. -1 if the connection is broken, 0 if it accepts nothing.
ssize_t send_some(int fd, const void *bytes, size_t count);

static const uid_t same_user = (uid_t)-1;
