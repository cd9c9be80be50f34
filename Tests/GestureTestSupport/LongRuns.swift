// SPDX-License-Identifier: MIT
import Glibc

/// The long runs in the variable `GESTURED_LONG`, separated by commas: `needs`, `web-fuzz=1000000`
/// (docs/testing.md).
package enum LongRuns {
    /// The value of a run, empty if it has none; `nil` if the run is not requested.
    package static subscript(_ name: String) -> String? { all[name] }

    /// The number of a run.
    package static func count(_ name: String) -> Int? { all[name].flatMap { Int($0) } }

    private static let all: [String: String] = {
        let text = getenv("GESTURED_LONG").map { String(cString: $0) } ?? ""
        let runs = text.split(separator: ",").map { run in
            let parts = run.split(separator: "=", maxSplits: 1)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
        return Dictionary(runs) { $1 }
    }()
}
