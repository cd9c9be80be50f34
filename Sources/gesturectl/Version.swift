// SPDX-License-Identifier: MIT

/// The version that `--version` says; the same as the daemon's.
let toolVersion = "0.1.0"
