// SPDX-License-Identifier: MIT

/// What a test waited for did not come, or a step of its set-up failed.
package struct TestFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
