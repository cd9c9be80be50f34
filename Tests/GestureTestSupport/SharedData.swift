// SPDX-License-Identifier: MIT
package import Foundation

/// Cases of other toolkits and recordings of real devices, which are not part of the project.
package enum SharedData {
    /// `GESTURED_SHARED_DATA`, or `shared/data` beside the package; `nil` when it is not there.
    package static let folder: URL? = {
        let given = ProcessInfo.processInfo.environment["GESTURED_SHARED_DATA"].map { URL(fileURLWithPath: $0) }
        let beside = URL(fileURLWithPath: BuildProducts.root).deletingLastPathComponent().appendingPathComponent(
            "shared/data")
        let folder = given ?? beside
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// The folder with the recordings and their manifest; `nil` when it is not there.
    package static let recordings: URL? = folder.flatMap { folder in
        let recordings = folder.appendingPathComponent("recordings")
        let manifest = recordings.appendingPathComponent("manifest.json")
        return FileManager.default.fileExists(atPath: manifest.path) ? recordings : nil
    }

    /// Why a test is skipped.
    package static let missing = "no shared data here: set GESTURED_SHARED_DATA to the folder with gesture-cases.json"

    /// The bytes of a file; `nil`, with a message, when it is not there.
    package static func data(_ name: String) -> Data? {
        guard let url = folder?.appendingPathComponent(name), let data = try? Data(contentsOf: url) else {
            print("skipped: \(missing) (\(name))")
            return nil
        }
        return data
    }
}
