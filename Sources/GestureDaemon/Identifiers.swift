// SPDX-License-Identifier: MIT

/// The ids of contacts and sequences, which all panels count together: none is used twice while
/// the daemon runs.
final class Identifiers {
    var nextContact: Int64 = 1
    var nextSequence: Int64 = 1
}
