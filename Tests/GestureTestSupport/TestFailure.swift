// SPDX-License-Identifier: MIT

/// Something that a test waited for has not happened, or its setup failed.
package struct TestFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
