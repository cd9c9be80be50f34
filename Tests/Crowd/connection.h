// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Ends the program with a message.
_Noreturn void die(const char *what);
int64_t now_us(void);
/// As root: connections may be made as other users, who need not be able to reach the socket's folder.
bool may_change_user(void);
/// A connection that does not block, made as this user (`same_user`: as whoever runs this), or -1.
int connect_to(const char *path, uid_t user);
/// Sends what the socket takes now; -1 when it is broken, 0 when it takes nothing.
ssize_t send_some(int fd, const void *bytes, size_t count);

static const uid_t same_user = (uid_t)-1;
