// SPDX-License-Identifier: MIT
import CLinux

extension Unicode.Scalar {
    /// The number of columns on a terminal, as the C library counts them in UTF-8: East Asian letters have two,
    /// combining marks none.
    package var columns: Int { max(0, Int(linux_columns(value))) }
}

extension String {
    /// The text for a terminal: characters that are not printable, such as control characters, become U+FFFD.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { linux_columns($0.value) < 0 ? "\u{FFFD}" : $0 }))
    }
}
