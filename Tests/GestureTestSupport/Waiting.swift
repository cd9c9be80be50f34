// SPDX-License-Identifier: MIT
import Glibc

/// Polls until a condition holds. Used if no descriptor becomes readable then, such as for the content of a file.
/// - Returns: whether it holds; `false` only after `seconds`.
@discardableResult
package func waitUntil(
    within seconds: Double = LineReader.patience, _ holds: () throws -> Bool
) rethrows -> Bool {
    let end = MonotonicSeconds.now + seconds
    while try !holds() {
        guard MonotonicSeconds.now < end else { return false }
        usleep(5000)
    }
    return true
}
