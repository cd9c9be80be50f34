// SPDX-License-Identifier: MIT
import GestureEngine
package import GestureProtocol

/// `[[region]]` as given in the configuration; `PanelLayout` turns it into a `Region`.
package struct RegionRule: Hashable, Sendable {
    /// The id, which is unique among the rules of a configuration; see `RegionID`.
    package var id: String { body.values.id }
    /// The name in the configuration, in a client's definition and on the wire.
    package var name: String { RegionID.name(of: id) }
    package var parent: String? { body.values.parent }
    /// Whether its events, and those of its children, go only to the users in `private_uids`.
    package var isPrivate: Bool { traits.contains(.isPrivate) }
    /// Whether a client has defined it, with or without a lease.
    package var isLeased: Bool { traits.contains(.isLeased) }
    /// Whether a client that may not control the daemon has leased it.
    package var isGuest: Bool { traits.contains(.isGuest) }
    /// Whether a client that may not see private regions has defined it.
    package var isOutsider: Bool { traits.contains(.isOutsider) }
    /// Whether a private region has the name of this region or of one of its ancestors. Only clients that may not see
    /// the private region see this region.
    package var isShadowed: Bool { traits.contains(.isShadowed) }
    package var gestures: [GestureRule] { body.values.gestures }
    /// The location of the id.
    package var location: SourceLocation { body.values.location }
    var shape: ShapeRule { body.values.shape }
    /// The location of the shape.
    package var shapeLocation: SourceLocation { body.values.shapeLocation }
    /// The panels on which the region lies; `nil`: all.
    var device: PanelGlob? { body.values.device }
    var z: Int { body.values.z }
    var margin: Length? { body.values.margin }
    package var pass: Bool { body.values.pass }
    var capture: Region.Capture { body.values.capture }
    var contacts: Region.Contacts { body.values.contacts }
    var touches: Region.Touches { body.values.touches }
    var restAfter: Interval? { body.values.restAfter }
    var defaults: GestureDefaults { body.values.defaults }

    /// Facts about the rule that are needed when long lists are scanned. They are stored here, because reading thousands
    /// of bodies is slow.
    private(set) var traits: Traits

    struct Traits: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let isPrivate = Traits(rawValue: 1)
        static let isGuest = Traits(rawValue: 2)
        static let hasParent = Traits(rawValue: 4)
        static let hasDevice = Traits(rawValue: 8)
        static let isOutsider = Traits(rawValue: 16)
        static let isShadowed = Traits(rawValue: 32)
        static let isLeased = Traits(rawValue: 64)
    }

    /// The client's definition as compact JSON; `nil` for a region from a file. It is ignored by `==`.
    package internal(set) var definition: String? {
        get { body.definition }
        set { body = Body(body.values, definition: newValue) }
    }

    /// The values of the rule. All copies of a rule share them, so that lists of thousands are copied and compared quickly.
    private var body: Body

    private final class Body: Sendable {
        let values: Values
        let definition: String?

        init(_ values: Values, definition: String? = nil) { (self.values, self.definition) = (values, definition) }
    }

    /// The panels of the region. They are stored separately to save memory, because most regions are on all panels.
    fileprivate indirect enum Panels: Hashable {
        case all
        case matching(PanelGlob)

        var glob: PanelGlob? { if case .matching(let glob) = self { glob } else { nil } }
    }

    /// The values that the keys set. Small ones are adjacent, because there may be thousands of regions.
    struct Values: Hashable {
        var id: String
        var parent: String?
        var isPrivate = false
        var isLeased = false
        var isGuest = false
        var pass = false
        var capture = Region.Capture.implicit
        var contacts = Region.Contacts.together
        var touches = Region.Touches.share
        var gestures: [GestureRule] = []
        var location: SourceLocation
        var shape: ShapeRule
        var shapeLocation: SourceLocation
        fileprivate var panels = Panels.all
        var z = 0
        var margin: Length?
        var restAfter: Interval?
        var defaults = GestureDefaults()

        /// The values of a region without keys.
        static var standard: Self {
            let place = SourceLocation(file: "")
            return Self(id: "", location: place, shape: .full, shapeLocation: place)
        }

        var device: PanelGlob? {
            get { panels.glob }
            set { panels = newValue.map { .matching($0) } ?? .all }
        }

        var traits: Traits {
            var traits: Traits = isPrivate ? .isPrivate : []
            if isLeased { traits.insert(.isLeased) }
            if isGuest { traits.insert(.isGuest) }
            if RegionID.isMarked(id) { traits.insert(.isOutsider) }
            if parent != nil { traits.insert(.hasParent) }
            if panels != .all { traits.insert(.hasDevice) }
            return traits
        }
    }

    /// Whether it has a pattern, which refers to gestures of other regions.
    var hasPattern: Bool { gestures.contains { $0.type.kind == .pattern } }

    static let keys: [Key<Values>] = [
        .id,
        Key("shape", elsewhere: { ShapeRule.read($0) }),
        Key("parent", \.parent) { $0.identifier() },
        Key("device", \.device) { value in
            value.label().map { PanelGlob(glob: Glob($0), text: $0, range: value.value.range) }
        },
        Key("z", \.z) { $0.integer(-1_000_000...1_000_000) },
        Key("margin", \.margin) { $0.threshold() },
        Key("pass", \.pass) { $0.boolean() },
        Key("private", \.isPrivate) { $0.boolean() },
        .enabled,
        Key("capture", \.capture) { $0.choice([("implicit", .implicit), ("follow", .follow)]) },
        Key("contacts", \.contacts) { $0.choice([("together", .together), ("each", .each), ("near", .near)]) },
        Key("touches", \.touches) { $0.choice([("share", .share), ("capture", .capture), ("hold", .hold)]) },
        Key("rest_after", \.restAfter) { $0.unlessOff { $0.interval(atLeast: .milliseconds(1)) } },
        Key("defaults") { $0.table(GestureDefaults.keys, into: &$1.defaults) },
        Key("gestures", \.gestures) { value in
            if value.notes(.list(ValueNote { $0.notes(.gesture) }, 0...GestureReader.mostGestures)) { return nil }
            return value.array(of: "gestures", each: "a gesture of \(value.owner)")
                .map { GestureReader(owner: value.owner, sink: value.sink).read($0) }
        },
    ]

    /// - Returns: `nil`, after reporting an error, if there is no shape.
    init?(_ reader: TableReader, id: String) {
        guard let shapeValue = reader["shape"] else {
            reader.missingKey("\(reader.name) is missing the key shape; use \"full\" or { rect = [x, y, w, h] }")
            return nil
        }
        // The other keys are read even if the shape has an error, so that their mistakes are reported too.
        var values = Values(
            id: id, location: reader.sink.location(of: reader["id"]?.value.range ?? reader.range),
            shape: ShapeRule.read(shapeValue) ?? .full,
            shapeLocation: reader.sink.location(of: shapeValue.value.range))
        reader.read(Self.keys, into: &values)
        body = Body(values)
        traits = values.traits
    }

    mutating func change(_ change: (inout Values) -> Void) {
        var values = body.values
        change(&values)
        body = Body(values, definition: body.definition)
        traits = values.traits
    }

    /// Puts a region into another one, although its definition names none.
    mutating func put(into parent: String) {
        change { $0.parent = parent }
        let member = String(decoding: JSONWriter.bytes { $0.member("parent", parent) }, as: UTF8.self)
        definition = definition.map { "{\(member),\($0.dropFirst())" }
    }

    /// - Parameter isOutsiders: returns whether a client that may not see private regions has defined the region with
    ///   this name.
    func markedAsOutsider(_ isOutsiders: (String) -> Bool) -> Self {
        var marked = self
        marked.change { values in
            values.id = RegionID.marked(values.id)
            if let parent = values.parent, isOutsiders(parent) { values.parent = RegionID.marked(parent) }
        }
        return marked
    }

    mutating func shadow() { traits.insert(.isShadowed) }

    /// Whether its parent is one of these regions.
    func isIn(_ parents: Set<String>) -> Bool {
        traits.contains(.hasParent) && parent.map { parents.contains($0) } == true
    }

    /// Whether one rule is a copy of the other. This is faster to check than equality.
    func isSame(as other: Self) -> Bool { body === other.body }

    package static func == (a: Self, b: Self) -> Bool { a.body === b.body || a.body.values == b.body.values }

    package func hash(into hasher: inout Hasher) { hasher.combine(body.values) }
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
    /// Globs for region ids.
    package var regions: [Glob] = []
    /// Whether the display is off in this scene.
    var isDark = false
    /// The keys of the filter for the application, which override those of the panel.
    var application = ApplicationRule()

    static let keys: [Key<SceneRule>] = [
        .id,
        // It is read by `init`, because it refers to regions.
        Key("regions", elsewhere: { $0.globs(of: "region ids", each: "region", among: []) }),
        Key("dark", \.isDark) { $0.boolean() },
        .enabled,
        Key("application") { $0.table(ApplicationRule.keys, into: &$1.application) },
    ]

    /// - Parameter regions: the regions that a scene can show.
    init(_ reader: TableReader, id: String, regions: [RegionRule]) {
        self.id = id
        if id == RuntimeState.defaultScene {
            reader["id"]?.error(.badValue, "scene \"\(id)\" always exists and contains all regions; use another id")
        }
        reader.read(Self.keys, into: &self)
        guard let value = reader["regions"] else {
            reader.missingKey("\(reader.name) has no regions")
            return
        }
        self.regions = value.globs(of: "region ids", each: "region", among: regions.map { $0.id }) ?? []
    }

    /// Whether it lists a region, regardless of the region's children and parent.
    func has(_ region: String) -> Bool { regions.contains { $0.matches(region) } }
}
