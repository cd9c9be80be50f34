// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport

/// Recordings of real devices, outside the project.
enum SharedData {
    /// `GESTURED_SHARED_DATA`, or beside the package; nil when they are not there.
    static let recordings: URL? = {
        let given = ProcessInfo.processInfo.environment["GESTURED_SHARED_DATA"].map { URL(fileURLWithPath: $0) }
        let beside = URL(fileURLWithPath: BuildProducts.root).deletingLastPathComponent().appendingPathComponent(
            "shared/data")
        let folder = (given ?? beside).appendingPathComponent("recordings")
        let isThere = FileManager.default.fileExists(atPath: folder.appendingPathComponent("manifest.json").path)
        return isThere ? folder : nil
    }()

    static let missing = "no shared recordings here: set GESTURED_SHARED_DATA to the folder that holds recordings/"
}
