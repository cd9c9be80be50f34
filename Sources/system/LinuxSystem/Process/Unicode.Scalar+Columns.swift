// SPDX-License-Identifier: MIT
import CLinux

extension Unicode.Scalar {
    /// The number of columns of the character on a terminal, as determined by the C library for UTF-8. East Asian
    /// letters take two columns, and combining marks take none.
    package var columns: Int { max(0, Int(linux_columns(value))) }
}

extension String {
    /// The text in a form for a terminal. Characters that are not printable, such as control characters, are replaced
    /// by U+FFFD.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { linux_columns($0.value) < 0 ? "\u{FFFD}" : $0 }))
    }
}
