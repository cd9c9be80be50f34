// SPDX-License-Identifier: MIT
import BridgeProgram
import GestureKeys

/// The schemas of the files of the other programs.
extension GeneratedFile {
    static let keysSchema = GeneratedFile("config/keys.schema.json") { project in
        var schema = try FileSchema(
            "docs/keys.md", project,
            conditions: [
                "file": version, "steps": ["minProperties": 1], "pointer": ["required": ["layout", "area"]],
                "binding": (["required": ["gesture"]] as JSONTree)
                    .with(.oneRequired(Binding.actionNames.map { [$0] })),
            ])
        return try schema.text("keys.toml", KeysSettings.forms)
    }

    static let mqttSettingsSchema = GeneratedFile("config/mqtt.schema.json") { project in
        var schema = try FileSchema("docs/mqtt.md", project, conditions: ["file": version])
        return try schema.text("mqtt.toml", MQTTSettings.forms)
    }

    static let reportSchema = GeneratedFile("config/report.schema.json") { project in
        var schema = try FileSchema("docs/report.md", project, conditions: ["file": version])
        return try schema.text("report.toml", ReportSettings.forms)
    }

    static let webSchema = GeneratedFile("config/web.schema.json") { project in
        var schema = try FileSchema("docs/web.md", project, conditions: ["file": version])
        return try schema.text("web.toml", WebSettings.forms)
    }

    private static let version: JSONTree = ["required": ["version"]]
}
