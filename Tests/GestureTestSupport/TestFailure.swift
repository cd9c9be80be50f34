// SPDX-License-Identifier: MIT

/// An event that a test waited for has not come, or its setup failed.
package struct TestFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
