// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem

/// The scene that is set for a limited time, kept for the next process, so that neither a crash nor a restart ends it
/// early.
///
/// It is a `RuntimeFile`, so the end always refers to the monotonic clock of the current boot.
final class KeptScene {
    struct Contents: Hashable {
        let scene: String
        let time: RuntimeChanges.SceneTime
        /// Whether the scene that comes back is that of `[daemon]`, which may be another one in the next process.
        let returnsToStart: Bool
    }

    /// The maximum size of the file in bytes. It is more than two ids take.
    private static let largest = 4096

    private let file = RuntimeFile.scene.file
    /// Whether there is something to remove.
    private var isStored = false

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
        return Contents(
            scene: scene, time: RuntimeChanges.SceneTime(former: former, end: end),
            returnsToStart: json["returns_to_start"]?.bool ?? false)
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
                json.member("returns_to_start", contents.returnsToStart)
            })
    }
}
