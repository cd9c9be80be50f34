// SPDX-License-Identifier: MIT

/// The version of the daemon and of the tool that goes with it.
enum Version {
    static let number = "0.1.0"
}
