// SPDX-License-Identifier: MIT
import BridgeProgram
import GestureConfiguration
import GestureEngine

/// The files of settings that are installed. They have the defaults in comments.
extension GeneratedFile {
    static let defaultConfiguration = GeneratedFile("config/gestured.toml") { project in
        let path = "config/gestured.toml"
        let tables = Configuration.forms.byTable.filter { ["daemon", "access", "filter"].contains($0.key) }
        let text = try CommentedKeys(path, tables).completing(project.text(of: path))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "[defaults]"),
            let end = lines[start...].firstIndex(where: { $0.hasPrefix("# leave = ") })
        else { throw VocabularyError(path, "there is no table [defaults], or none with leave") }
        let defaults = KindRow.all.filter { !$0.defaultKeys.isEmpty }.map { row in
            let keys = row.defaultKeys.map { "\($0.name) = \($0.shape.written($0.get(row.standard)).line)" }
            return "# \(row.word) = { \(keys.joined(separator: ", ")) }"
        }
        return (lines[...start].map(String.init) + defaults + lines[end...].map(String.init)).joined(separator: "\n")
    }

    static let mqttDefaults = GeneratedFile("config/mqtt.toml") { project in
        try CommentedKeys("config/mqtt.toml", MQTTSettings.forms.byTable).completing(
            project.text(of: "config/mqtt.toml"))
    }

    static let reportDefaults = GeneratedFile("config/report.toml") { project in
        try CommentedKeys("config/report.toml", ReportSettings.forms.byTable).completing(
            project.text(of: "config/report.toml"))
    }

    static let webDefaults = GeneratedFile("config/web.toml") { project in
        try CommentedKeys("config/web.toml", WebSettings.forms.byTable).completing(project.text(of: "config/web.toml"))
    }
}
