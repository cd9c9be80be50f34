// SPDX-License-Identifier: MIT

/// The benchmark itself does not work, or a bar was missed.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
