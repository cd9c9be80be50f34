// SPDX-License-Identifier: MIT
import Glibc

/// Polls a condition until it holds. This is for conditions that no descriptor reports, such as the content of a file.
/// - Returns: whether the condition holds; `false` only after `seconds`.
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
