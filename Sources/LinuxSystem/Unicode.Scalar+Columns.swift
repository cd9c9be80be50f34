// SPDX-License-Identifier: MIT
import CLinux

extension Unicode.Scalar {
    /// Columns on a terminal, as the C library counts them in UTF-8: East Asian letters have two, combining marks none.
    package var columns: Int { max(0, Int(linux_columns(value))) }
}

extension String {
    /// Words of a command line for a terminal: what is not printed, such as control characters, becomes U+FFFD.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { linux_columns($0.value) < 0 ? "\u{FFFD}" : $0 }))
    }
}
