// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

/// Includes the peer of this connection in `charged_to_peers`.
void expect_peer_of(int fd);
/// The bytes, including the kernel's own structures, that the kernel charges to the peers for data that was not
/// read here; -1 if it does not report them (no unix_diag).
int64_t charged_to_peers(void);
