// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine

extension GeneratedFile {
    /// The configuration that is installed. Only the defaults of gestures, which are comments, are generated.
    static let defaultConfiguration = GeneratedFile("config/gestured.toml") { project in
        let path = "config/gestured.toml"
        let lines = try project.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "[defaults]"),
            let end = lines[start...].firstIndex(where: { $0.hasPrefix("# leave = ") })
        else { throw VocabularyError(path, "there is no table [defaults], or none with leave") }
        let defaults = KindRow.all.filter { !$0.defaultKeys.isEmpty }.map { row in
            let keys = row.defaultKeys.map { "\($0.name) = \($0.shape.written($0.get(row.standard)).line)" }
            return "# \(row.word) = { \(keys.joined(separator: ", ")) }"
        }
        return (lines[...start].map(String.init) + defaults + lines[end...].map(String.init)).joined(separator: "\n")
    }
}
