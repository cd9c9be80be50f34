// SPDX-License-Identifier: MIT
import GestureEngine
package import GestureProtocol

/// `[[region]]` as the configuration gives it; `PanelLayout` makes a `Region` of it.
package struct RegionRule: Hashable, Sendable {
    package var id: String
    package var parent: String?
    /// Only the users in `private_uids` know what happens in it and in its children.
    package var isPrivate = false
    /// Leased by a client that may not control the daemon: never above a private region.
    package var isGuest = false
    package var gestures: [GestureRule] = []
    /// Of the id.
    package var location: SourceLocation
    var shape: ShapeRule
    var shapeLocation: SourceLocation
    /// The panels that have it; `nil`: all.
    var device: PanelGlob?
    var z = 0
    var margin: Length?
    package var pass = false
    var capture = Region.Capture.implicit
    var contacts = Region.Contacts.together
    var restAfter: Interval?
    var defaults = GestureDefaults()

    /// It names gestures of other regions.
    var hasPattern: Bool { gestures.contains { $0.type == .pattern } }

    static let keys: [Key<RegionRule>] = [
        Key("id"), Key("shape"),
        Key("parent", \.parent) { $0.identifier() },
        Key("device", \.device) { value in
            value.label().map { PanelGlob(glob: Glob($0), text: $0, range: value.value.range) }
        },
        Key("z", \.z) { $0.integer(-1_000_000...1_000_000) },
        Key("margin", \.margin) { $0.threshold() },
        Key("pass", \.pass) { $0.boolean() },
        Key("private", \.isPrivate) { $0.boolean() },
        Key("enabled"),
        Key("capture", \.capture) { $0.choice([("implicit", .implicit), ("follow", .follow)]) },
        Key("contacts", \.contacts) { $0.choice([("together", .together), ("each", .each)]) },
        Key("rest_after", \.restAfter) { $0.unlessOff { $0.interval(atLeast: .milliseconds(1)) } },
        Key("defaults") { $0.table(GestureDefaults.keys, into: &$1.defaults) },
        Key("gestures", \.gestures) { value in
            value.array(of: "gestures", each: "a gesture of \(value.owner)")
                .map { GestureReader(owner: value.owner, sink: value.sink).read($0) }
        },
    ]

    /// - Returns: `nil` (and an error) where there is no shape.
    init?(_ reader: TableReader, id: String) {
        guard let shapeValue = reader["shape"] else {
            reader.sink.error(
                .missingKey, "\(reader.name) has no shape; give \"full\" or { rect = [x, y, w, h] }",
                at: reader.range(of: "id"))
            return nil
        }
        self.id = id
        location = reader.sink.location(of: reader["id"]?.value.range ?? reader.range)
        shapeLocation = reader.sink.location(of: shapeValue.value.range)
        // A broken shape must not hide other mistakes of the region.
        shape = ShapeRule.read(shapeValue) ?? .full
        reader.read(Self.keys, into: &self)
    }
}

/// The panels of a region: a glob for the ids of `[[device]]`.
struct PanelGlob: Hashable, Sendable {
    var glob: Glob
    var text: String
    var range: SourceRange
}

/// `[[scene]]`: a named set of regions.
package struct SceneRule: Hashable, Sendable {
    package var id: String
    /// Of region ids.
    package var regions: [Glob] = []

    static let keys: [Key<SceneRule>] = [Key("id"), Key("regions"), Key("enabled")]

    /// - Parameter regions: those that a scene can show.
    init(_ reader: TableReader, id: String, regions: [RegionRule]) {
        self.id = id
        if id == RuntimeState.defaultScene {
            reader["id"]?.error(.badValue, "scene \"\(id)\" is always there and has all regions; give it another id")
        }
        guard let value = reader["regions"] else {
            reader.sink.error(.missingKey, "\(reader.name) has no regions", at: reader.range(of: "id"))
            return
        }
        self.regions = value.globs(of: "region ids", each: "region", among: regions.map { $0.id }) ?? []
    }

    /// Whether it shows a region. That says nothing about the region's children or its parent.
    func has(_ region: String) -> Bool { regions.contains { $0.matches(region) } }
}
