// SPDX-License-Identifier: MIT

/// The benchmark itself has failed, or a limit was exceeded.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
