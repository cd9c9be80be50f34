// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

/// Adds the peer of this connection to those of `charged_to_peers`.
void expect_peer_of(int fd);
/// The number of bytes that the kernel charges to the peers for data that was not read here, including its own
/// structures. -1 if the kernel does not report it (without unix_diag).
int64_t charged_to_peers(void);
