// SPDX-License-Identifier: MIT
import Foundation

/// The text of a file; tests may use Foundation.
func readText(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
}

/// The folder of the package.
let packageRoot = String(
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/"))
