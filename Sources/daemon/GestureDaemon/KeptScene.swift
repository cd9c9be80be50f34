// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem

/// The scene that is set for a limited time, kept for the next process, so that neither a crash nor a restart ends it
/// early.
struct KeptScene {
    struct Contents: Hashable {
        let scene: String
        let time: RuntimeChanges.SceneTime
        /// Whether the scene that comes back is that of `[daemon]`, which may be another one in the next process.
        let returnsToStart: Bool
    }

    private let file = KeptFile(.scene)

    /// The scene that the previous process has stored; `nil` if there is none.
    func load() throws(UnreadableState) -> Contents? {
        try file?.read("a scene with its time") { json in
            let latest = MonotonicClock.now() + ProtocolLimits.sceneTime.upperBound * 1000
            guard let scene = json["scene"]?.string, let former = json["former"]?.string,
                let end = json["end_us"]?.integer, (0...latest).contains(end)
            else { return nil }
            return Contents(
                scene: scene, time: RuntimeChanges.SceneTime(former: former, end: end),
                returnsToStart: json["returns_to_start"]?.bool ?? false)
        }
    }

    /// Stores a scene with its time; `nil` removes what is stored.
    func keep(_ contents: Contents?) throws(SystemError) {
        try file?.keep(
            contents.map { contents in
                JSONWriter.line { json in
                    json.member("scene", contents.scene)
                    json.member("former", contents.time.former)
                    json.member("end_us", contents.time.end)
                    json.member("returns_to_start", contents.returnsToStart)
                }
            })
    }
}
