// SPDX-License-Identifier: MIT
#pragma once

/// Runs clients that read and clients that do not, until standard input ends. Commands on standard input: `tally`
/// (print the counts), `clear` (reset them), `take` (all clients read until no more data arrives, including those that
/// hang), `renew` (clients that were closed because they did not read now read the rest and reconnect).
int read_streams(const char *path, int reading, int hung);
