// SPDX-License-Identifier: MIT

/// An error in the benchmark itself, or a limit that was exceeded.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
