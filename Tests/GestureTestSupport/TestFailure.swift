// SPDX-License-Identifier: MIT

/// A test waited in vain for an event, or its setup failed.
package struct TestFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
