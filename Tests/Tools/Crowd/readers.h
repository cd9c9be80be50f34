// SPDX-License-Identifier: MIT
#pragma once

/// Runs clients that read and clients that do not, until standard input ends. Commands on it: `tally` (print the
/// counts), `clear` (reset them), `take` (all clients read, including hung ones, until no more data comes), `renew`
/// (clients that were closed because they did not read now read the remainder and reconnect).
int read_streams(const char *path, int reading, int hung);
