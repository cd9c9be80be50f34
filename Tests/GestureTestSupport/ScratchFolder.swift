// SPDX-License-Identifier: MIT
import Foundation
import Glibc

/// A temporary folder for one test, removed when it is deinitialized. Its path is short enough for sockets in it.
package final class ScratchFolder {
    package let path: String

    package init() throws {
        var template = Array("/tmp/gestured.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw TestFailure("mkdtemp: \(String(cString: strerror(errno)))") }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    package func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Writes a file atomically, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)), options: .atomic)
        return self(name)
    }
}
