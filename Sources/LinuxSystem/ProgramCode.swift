// SPDX-License-Identifier: MIT
import CLinux

/// The machine code of the process, as far as it is in memory.
package enum ProgramCode {
    /// Gives back the pages of code that were used so far, most of them at the start only; those that
    /// are needed again come back from the page cache, at about a microsecond each 64 KB.
    ///
    /// - Returns: how many segments of the program and its libraries were released.
    @discardableResult
    package static func release() -> Int {
        Int(linux_release_code())
    }
}
