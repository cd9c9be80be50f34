// SPDX-License-Identifier: MIT
import Glibc

/// Waits until something holds that no descriptor reports, such as what a file contains.
/// - Returns: whether it holds; `false` only after `LineReader.patience`.
@discardableResult
package func waitUntil(_ holds: () throws -> Bool) rethrows -> Bool {
    let end = MonotonicSeconds.now + LineReader.patience
    while try !holds() {
        guard MonotonicSeconds.now < end else { return false }
        usleep(5000)
    }
    return true
}
