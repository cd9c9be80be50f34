// SPDX-License-Identifier: MIT

/// A piece of a line that is written once and used often: names escaped at the configuration's
/// load, not at each event.
package struct JSONFragment: Hashable, Sendable {
    /// Valid UTF-8, appended to a line as it is.
    @usableFromInline
    package let bytes: [UInt8]

    /// What `write` puts into an empty buffer.
    package init(_ write: (inout LineBuffer) -> Void) {
        var buffer = LineBuffer()
        write(&buffer)
        bytes = buffer.withBytes { Array($0) }
    }
}
