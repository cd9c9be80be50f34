// SPDX-License-Identifier: MIT
package import GestureEngine
import GestureProtocol

/// `[[idle]]`: the reaction when the panels have not been touched for some time.
package struct IdleRule: Hashable, Sendable {
    /// The id of an entry that does not set one.
    static let fallbackID = "idle"
    /// The shortest time that is accepted. Anything shorter is a pause between two touches.
    private static let shortest = Interval.milliseconds(100)

    package var id: String
    /// The time without any contact after which the rule applies.
    package var after = Interval.zero
    /// The scene that the daemon switches to; `nil`: the scene does not change.
    package var scene: String?
    /// The scenes in which the rule applies, as globs; `nil`: all.
    var scenes: [Glob]?

    static let keys: [Key<IdleRule>] = [
        Key(
            "id",
            elsewhere: { value in
                value.noteStandard(fallbackID)
                return value.identifier()
            }),
        Key("after") { value, rule in if let after = value.interval(atLeast: shortest) { rule.after = after } },
        Key("scene", \.scene) { $0.label() },
        // It is read by `init`, because it refers to scenes.
        Key("in", elsewhere: { $0.globs(of: "scenes", each: "scene", among: []) }),
        .enabled,
    ]

    init(id: String) {
        self.id = id
    }

    /// - Parameter scenes: the ids of all scenes.
    /// - Returns: `nil`, after reporting an error, if `after` is missing.
    init?(_ reader: TableReader, id: String, scenes ids: [String]) {
        self.init(id: id)
        reader.read(Self.keys, into: &self)
        guard reader["after"] != nil else {
            reader.missingKey("\(reader.name) is missing the key after; use a time such as \"60s\"")
            return nil
        }
        if let scene, !ids.contains(scene) {
            reader["scene"]?.error(
                .unknownName, "scene of \(reader.name) is \"\(scene)\", which does not exist",
                suggestion: nearest(to: scene, among: ids))
        }
        scenes = reader["in"]?.globs(of: "scenes", each: "scene", among: ids)
    }

    /// Whether the rule applies while this scene is active.
    package func counts(in scene: String) -> Bool { scenes?.contains { $0.matches(scene) } ?? true }
}
