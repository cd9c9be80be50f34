// SPDX-License-Identifier: MIT
#pragma once

/// So many clients that read, and so many that do not, until standard input ends. Commands there: `tally`
/// (what came so far), `clear` (begin to count anew), `take` (all read, also those that did not, until
/// nothing comes any more), `renew` (those that did not read and were closed read the rest and come again).
int read_streams(const char *path, int reading, int hung);
