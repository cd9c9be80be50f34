// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <sys/types.h>

/// Sends a comment together with a descriptor `times` times (at most 64). `flags`: MSG_OOB, or 0. Returns 2, the
/// number of bytes, or -1.
ssize_t pass_descriptor(int connection, int passed, int times, int flags);
/// Whether the last `pass_descriptor` failed because the kernel refuses descriptors to this socket (SO_PASSRIGHTS).
bool is_refused(void);
/// A TCP socket whose last close(2) takes five seconds: it has unsent bytes that its other end does not read.
int lingering_socket(void);
