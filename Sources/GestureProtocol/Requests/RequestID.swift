// SPDX-License-Identifier: MIT

/// What a client calls its request; its reply carries the same.
package enum RequestID: Hashable, Sendable {
    /// Inside ±(2^53 - 1), so that every client reads it back exactly.
    case integer(Int64)
    case string(String)
}
