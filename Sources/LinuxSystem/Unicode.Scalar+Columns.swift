// SPDX-License-Identifier: MIT
import CLinux

extension Unicode.Scalar {
    /// Columns on a terminal, as the C library counts them in UTF-8: East Asian letters have two, combining marks none.
    package var columns: Int { max(0, Int(linux_columns(value))) }
}
