// SPDX-License-Identifier: MIT
import ArgumentParser

/// A time on the command line: `10`, `10s`, `1.5s`, `500ms`, `2min`.
struct Seconds: ExpressibleByArgument, Hashable {
    var microseconds: Int64

    init?(argument: String) {
        let units = [("ms", 1e3), ("min", 60e6), ("s", 1e6), ("", 1e6)]
        guard let (suffix, factor) = units.first(where: { argument.hasSuffix($0.0) }),
            let value = Double(argument.dropLast(suffix.count)), value.isFinite, value > 0, value < 1e7
        else { return nil }
        microseconds = Int64(value * factor)
    }
}
