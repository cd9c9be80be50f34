// SPDX-License-Identifier: MIT

/// The version of the daemon and of the tool that goes with it.
package enum Version {
    package static let number = "0.1.0"
}
