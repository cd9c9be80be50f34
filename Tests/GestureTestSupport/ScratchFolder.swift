// SPDX-License-Identifier: MIT
import Foundation
import Glibc

/// A temporary folder for one test, removed at deinitialization. Its path is short enough for sockets in the folder.
package final class ScratchFolder {
    package let path: String

    package init() throws {
        var template = Array("/tmp/gestured.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw TestFailure("mkdtemp: \(String(cString: strerror(errno)))") }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder.
    package func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Writes a file atomically, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)), options: .atomic)
        return self(name)
    }
}
