// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem

/// The scene that is set for a limited time, kept for the next process, so that neither a crash nor a restart ends it
/// early.
///
/// It is stored in the service's `RuntimeDirectory=`, which is in memory and is removed when the service stops, so that
/// the end always refers to the monotonic clock of the current boot. Without that directory, nothing is stored.
final class KeptScene {
    struct Contents: Hashable {
        let scene: String
        let time: RuntimeChanges.SceneTime
    }

    /// The maximum size of the file in bytes. It is more than two ids take.
    private static let largest = 4096

    private let file: StateFile?
    /// Whether there is something to remove.
    private var isStored = false

    /// - Parameter folder: a folder that survives a crash and a restart, but not a boot.
    init(folder: String? = Environment.runtimeFolder("gestured-contacts")) {
        file = folder.map { StateFile($0 + "/scene") }
    }

    /// The scene that the previous process has stored; `nil` if there is none.
    /// - Throws: an error for the log, with the path and the problem.
    func load() throws(UnreadableState) -> Contents? {
        guard let file else { return nil }
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try file.read(limit: Self.largest)
        } catch {
            isStored = true
            throw UnreadableState(description: "\(error)")
        }
        guard let bytes else { return nil }
        isStored = true
        let latest = MonotonicClock.now() + ProtocolLimits.sceneTime.upperBound * 1000
        guard let json = JSONValue(parsing: bytes), let scene = json["scene"]?.string,
            let former = json["former"]?.string, let end = json["end_us"]?.integer, (0...latest).contains(end)
        else { throw UnreadableState(description: "\(file.path): it is not a scene with its time") }
        return Contents(scene: scene, time: RuntimeChanges.SceneTime(former: former, end: end))
    }

    /// Stores a scene with its time; `nil` removes what is stored.
    func keep(_ contents: Contents?) throws(SystemError) {
        guard let file else { return }
        guard let contents else {
            // A folder in the file's place stays, and has been reported.
            if isStored { try? file.remove() }
            isStored = false
            return
        }
        isStored = true
        try file.replace(
            with: JSONWriter.line { json in
                json.member("scene", contents.scene)
                json.member("former", contents.time.former)
                json.member("end_us", contents.time.end)
            })
    }
}
