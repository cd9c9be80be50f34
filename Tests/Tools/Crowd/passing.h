// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <sys/types.h>

/// Sends two bytes of a comment together with `times` copies of a descriptor (at most 64). `flags` is MSG_OOB or 0.
/// Returns the number of bytes (2), or -1.
ssize_t pass_descriptor(int connection, int passed, int times, int flags);
/// Whether the last `pass_descriptor` failed because the kernel does not pass descriptors to this socket
/// (SO_PASSRIGHTS).
bool is_refused(void);
/// Returns a TCP socket whose last close(2) takes five seconds, because it has unsent bytes that its other end does
/// not read.
int lingering_socket(void);
