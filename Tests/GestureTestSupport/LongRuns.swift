// SPDX-License-Identifier: MIT
import Glibc

/// The long runs that the variable `GESTURED_LONG` requests, separated by commas, such as `needs,web-fuzz=1000000`
/// (docs/testing.md).
package enum LongRuns {
    /// The value of a run, which is empty if none is given; `nil` if the run is not requested.
    package static subscript(_ name: String) -> String? { all[name] }

    /// The value of a run as a number; `nil` if the run is not requested or its value is not a number.
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
