// SPDX-License-Identifier: MIT
package import Foundation

/// The folder with recordings of real devices, which are not part of the project.
package enum SharedData {
    /// The folder `recordings` in `GESTURED_SHARED_DATA`, or in `shared/data` beside the package; `nil` if it has
    /// no manifest of recordings.
    package static let recordings: URL? = {
        let given = ProcessInfo.processInfo.environment["GESTURED_SHARED_DATA"].map { URL(fileURLWithPath: $0) }
        let beside = URL(fileURLWithPath: BuildProducts.root).deletingLastPathComponent()
            .appendingPathComponent("shared/data")
        let recordings = (given ?? beside).appendingPathComponent("recordings")
        let manifest = recordings.appendingPathComponent("manifest.json")
        return FileManager.default.fileExists(atPath: manifest.path) ? recordings : nil
    }()

    /// The folder `findings` beside `recordings`: small recordings of defects, each with a configuration; `nil` if it
    /// is missing.
    package static let findings: URL? = {
        let folder = recordings?.deletingLastPathComponent().appendingPathComponent("findings")
        guard let folder, FileManager.default.fileExists(atPath: folder.path) else { return nil }
        return folder
    }()

    /// The folder of a public set of strokes, `TouchScreen_without_stylus` in GitHub's shriyansnidhish/Dollar-one-recognizer;
    /// `nil` unless `GESTURED_STROKES` names it.
    package static let strokes: URL? = ProcessInfo.processInfo.environment["GESTURED_STROKES"].flatMap { path in
        FileManager.default.fileExists(atPath: path) ? URL(fileURLWithPath: path) : nil
    }

    /// The reason why a test is skipped if there are no recordings of real devices.
    package static let missing =
        "needs the recordings of real panels, which are not part of the project; synthetic ones are tested instead"
}
