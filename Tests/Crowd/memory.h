// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

/// The other end of this connection counts in `charged_to_peers`.
void expect_peer_of(int fd);
/// Bytes that the kernel charges to the sockets at the other ends for what waits in them to be read here,
/// with its own structures: what those keep of it; -1 when it does not say (no unix_diag).
int64_t charged_to_peers(void);
