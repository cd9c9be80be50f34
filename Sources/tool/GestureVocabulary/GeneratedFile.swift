// SPDX-License-Identifier: MIT
import Foundation

/// A committed file of the project that is generated, wholly or in its sections between marks. `make vocabulary` writes it.
package struct GeneratedFile: Sendable {
    /// All generated files. A new one is added here, and to `.gitattributes` if no part of it is written by hand.
    package static let all: [GeneratedFile] = [
        configurationSchema, keysSchema, mqttSettingsSchema, webSchema, reportSchema, defaultConfiguration,
        mqttDefaults, webDefaults, reportDefaults,
        protocolSchema, protocolPage, mqttSchema, mqttMessage, swiftClient, cHeader, python, javaScript, webModule,
        webTypes, clientsPage, inspectorWords, configurationDictionary, requestDictionary,
    ]

    /// The path from the project's folder.
    package let path: String
    private let make: @Sendable (Project, _ path: String) throws -> String

    /// A file that is generated wholly.
    init(_ path: String, _ make: @escaping @Sendable (Project) throws -> String) {
        self.path = path
        self.make = { project, _ in try make(project) }
    }

    /// A file that is written by hand, except for sections.
    init(_ path: String, sections: [MarkedSection]) {
        self.path = path
        make = { project, path in try MarkedText(path, project.text(of: path)).replacing(sections) }
    }

    private init(_ path: String, make: @escaping @Sendable (Project, _ path: String) throws -> String) {
        (self.path, self.make) = (path, make)
    }

    /// Returns a file that is written by hand, except for sections that depend on other files.
    static func depending(
        _ path: String, sections: @escaping @Sendable (Project) throws -> [MarkedSection]
    ) -> GeneratedFile {
        GeneratedFile(
            path,
            make: { project, path in
                try MarkedText(path, project.text(of: path)).replacing(sections(project))
            })
    }

    /// Makes the text that the file must have.
    package func text(in project: Project) throws -> String { try make(project, path) }

    /// Writes the file if it has another text.
    /// - Returns: whether it had.
    package func update(in project: Project) throws -> Bool {
        let text = try text(in: project)
        if (try? project.text(of: path)) == text { return false }
        try text.write(toFile: project.folder + "/" + path, atomically: false, encoding: .utf8)
        return true
    }
}

/// The folder with the files of the project.
package struct Project: Sendable {
    package let folder: String

    package init(_ folder: String) {
        self.folder = folder
    }

    /// The text of a file.
    package func text(of path: String) throws -> String {
        guard let text = try? String(contentsOfFile: folder + "/" + path, encoding: .utf8) else {
            throw VocabularyError(path, "cannot be read; run this in the project's folder")
        }
        return text
    }
}

/// The reason why a file cannot be generated.
package struct VocabularyError: Error, Hashable, CustomStringConvertible {
    /// The path of the file, and the number of the line if it is known.
    package let place: String
    package let message: String

    init(_ path: String, line: Int? = nil, _ message: String) {
        place = line.map { "\(path):\($0)" } ?? path
        self.message = message
    }

    package var description: String { "\(place): \(message)" }
}
