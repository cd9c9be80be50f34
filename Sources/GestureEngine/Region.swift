// SPDX-License-Identifier: MIT

/// A named shape on a panel with a list of gestures, complete and in millimetres.
package struct Region: Hashable, Sendable {
    /// Which region owns a contact that has moved out of the region in which it landed.
    package enum Capture: Hashable, Sendable {
        /// The one in which it landed, until it lifts.
        case implicit
        /// The one that it is in now: it is handed over when it crosses into another.
        case follow
    }

    /// Which contacts make a sequence.
    package enum Contacts: Hashable, Sendable {
        /// All that are down at a time.
        case together
        /// Each one for itself.
        case each
    }

    /// Who gets the contacts that land in a region, on a panel that is shared with an application. In the order in which
    /// they prevail where regions lie in each other.
    package enum Touches: Hashable, Comparable, Sendable {
        /// The application and the gestures.
        case share
        /// The gestures; the application only once all of them have failed.
        case hold
        /// The gestures alone.
        case capture
    }

    /// Unique in a list of regions, and the same from one list to the next.
    package var id: String {
        get { body.values.id }
        set { change { $0.id = newValue } }
    }
    /// As drawn, in millimetres on the panel.
    package var shape: Shape {
        get { body.values.shape }
        set { change { $0.shape = newValue } }
    }
    /// The box that `u` and `v` are fractions of: of the shape as drawn, before clipping.
    package var bounds: Rectangle {
        get { body.values.bounds }
        set { change { $0.bounds = newValue } }
    }
    /// Where the shape ends for hit testing: the parent's bounding box, or the panel.
    package var clip: Rectangle {
        get { body.values.clip }
        set { change { $0.clip = newValue } }
    }
    /// Index of the parent in the same list; always lower than this region's own index.
    package var parent: Int?
    /// Higher is on top; equal ones: the later in the list is. A child is above its parent.
    package var z: Int {
        get { body.values.z }
        set { change { $0.z = newValue } }
    }
    /// Millimetres around the shape that also count as hit where no other shape is drawn.
    package var margin: Double {
        get { body.values.margin }
        set { change { $0.margin = newValue } }
    }
    /// Sees contacts and lets the regions below own them.
    package var pass: Bool {
        get { traits.contains(.passes) }
        set { change { $0.pass = newValue } }
    }
    /// Can be touched. Whoever makes the regions decides whether those inside a disabled one are disabled too.
    package var isEnabled: Bool
    /// Only clients that may not see private regions know of it, because a private one has its name or that of a region
    /// around it.
    package var isShadowed = false
    /// Only some clients may know where it is touched. Regions in it are private, too. Its contacts are told to no other
    /// regions than those of its island (`[Region].island(of:)`).
    package var isPrivate: Bool {
        get { traits.contains(.isPrivate) }
        set { change { $0.isPrivate = newValue } }
    }
    /// It takes no contact from a private region: one that such a region would own, or see pass, without all those that
    /// yield.
    package var yields: Bool {
        get { traits.contains(.yields) }
        set { change { $0.yields = newValue } }
    }
    /// Millimetres outside the shape at which a contact counts as having left.
    package var leaveDistance: Double {
        get { body.values.leaveDistance }
        set { change { $0.leaveDistance = newValue } }
    }
    /// Default implicit.
    package var capture: Capture {
        get { body.values.capture }
        set { change { $0.capture = newValue } }
    }
    /// Default together.
    package var contacts: Contacts {
        get { body.values.contacts }
        set { change { $0.contacts = newValue } }
    }
    /// Default share.
    package var touches: Touches {
        get { body.values.touches }
        set { change { $0.touches = newValue } }
    }
    /// After so long without movement, a contact does not count when others land or move; `nil`: it always counts.
    package var restAfter: Interval? {
        get { body.values.restAfter }
        set { change { $0.restAfter = newValue } }
    }
    /// What a tap is that comes before a gesture with `taps`.
    package var taps: TapSettings {
        get { body.values.taps.settings }
        set { change { $0.taps = TapsBefore(newValue) } }
    }
    /// In the order of the configuration; at most 64.
    package var gestures: [Gesture] {
        get { body.values.gestures }
        set { change { $0.gestures = newValue } }
    }

    /// The name that the configuration gives and the wire carries.
    package var name: String { RegionID.name(of: id) }

    /// Whether a client with or without the right to see private regions may know of it.
    package func isVisible(seesPrivate: Bool) -> Bool {
        seesPrivate ? !isShadowed : !isPrivate
    }

    /// The word of one of its gestures. To look at it in `gestures` takes a copy of all that the gesture has.
    package func word(ofGesture index: GestureIndex) -> String { body.values.gestures[index].word }

    // What to know of each region of a long list is here, because to look into thousands of bodies takes long.

    /// The box outside which this region cannot be hit.
    package private(set) var reach: Rectangle
    package private(set) var traits: Traits
    /// The number of its gestures.
    package private(set) var gestureCount: Int32

    package struct Traits: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It has a unit for each contact.
        static let hasUnits = Traits(rawValue: 1)
        static let rests = Traits(rawValue: 2)
        package static let hasPattern = Traits(rawValue: 4)
        package static let isPrivate = Traits(rawValue: 8)
        static let passes = Traits(rawValue: 16)
        static let yields = Traits(rawValue: 32)
    }

    /// All copies of a region share it, so that lists of thousands are copied and compared at little cost.
    private var body: Body

    private final class Body: Sendable {
        let values: Values

        init(_ values: Values) { self.values = values }
    }

    /// Apart from the other values, because hardly a region has any that are its own.
    private indirect enum TapsBefore: Hashable {
        case standard
        case other(TapSettings)

        init(_ settings: TapSettings) { self = settings == TapSettings() ? .standard : .other(settings) }

        var settings: TapSettings {
            switch self {
            case .standard: TapSettings()
            case .other(let settings): settings
            }
        }
    }

    /// What is small stands together, because there may be thousands.
    private struct Values: Hashable {
        var id: String
        var shape: Shape
        var pass: Bool
        var isPrivate: Bool
        var yields = false
        var capture = Capture.implicit
        var contacts = Contacts.together
        var touches = Touches.share
        var bounds: Rectangle
        var clip: Rectangle
        var z: Int
        var margin: Double
        var leaveDistance: Double
        var restAfter: Interval?
        var taps = TapsBefore.standard
        var gestures: [Gesture]

        var reach: Rectangle {
            let box = shape.boundingBox
            return margin > 0 ? box.insetBy(-margin) : box.intersection(clip)
        }

        var traits: Traits {
            var traits: Traits = contacts == .each ? .hasUnits : []
            if restAfter != nil { traits.insert(.rests) }
            if isPrivate { traits.insert(.isPrivate) }
            if pass { traits.insert(.passes) }
            if yields { traits.insert(.yields) }
            if gestures.contains(where: { $0.settings.kind == .pattern }) { traits.insert(.hasPattern) }
            return traits
        }
    }

    package init(
        id: String, shape: Shape, bounds: Rectangle, clip: Rectangle, parent: Int? = nil, z: Int = 0,
        margin: Double = 0, pass: Bool = false, isEnabled: Bool = true, isPrivate: Bool = false,
        leaveDistance: Double = 4, gestures: [Gesture]
    ) {
        self.parent = parent
        self.isEnabled = isEnabled
        let values = Values(
            id: id, shape: shape, pass: pass, isPrivate: isPrivate, bounds: bounds, clip: clip, z: z, margin: margin,
            leaveDistance: leaveDistance, gestures: gestures)
        body = Body(values)
        reach = values.reach
        traits = values.traits
        gestureCount = Int32(clamping: gestures.count)
    }

    private mutating func change(_ change: (inout Values) -> Void) {
        var values = body.values
        change(&values)
        body = Body(values)
        reach = values.reach
        traits = values.traits
        gestureCount = Int32(clamping: values.gestures.count)
    }

    /// Whether both are the same but for `parent`, `isEnabled` and `isShadowed`.
    func hasSameBody(as other: Self) -> Bool { body === other.body || body.values == other.body.values }

    package static func == (a: Self, b: Self) -> Bool {
        a.parent == b.parent && a.isEnabled == b.isEnabled && a.isShadowed == b.isShadowed && a.hasSameBody(as: b)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(parent)
        hasher.combine(isEnabled)
        hasher.combine(isShadowed)
        hasher.combine(body.values)
    }
}

/// One gesture of a region: the user's label, the numbers it is recognized by, and what it has to
/// do with the region's other gestures.
package struct Gesture: Hashable, Sendable {
    /// The user's label; by default the word of the kind (`double_tap` and `two_finger_tap` too).
    package var name: String
    /// The kind's word as written in the configuration: `tap`, `double_tap`, `long_press`, …
    package var word: String
    /// What it is recognized by.
    package var settings: GestureSettings
    /// Names of gestures of the same region: this one is possible only after all of them were
    /// recognized in the sequence.
    package var after: [String] = []
    /// Names of gestures of the same region: this one is recognized only when all of them have
    /// failed (require to fail).
    package var unless: [String] = []
    /// When it is recognized, all others of the sequence fail or are cancelled.
    package var exclusive = false
    /// On a panel that is shared with an application: when it begins or is recognized, its contacts are taken from that.
    package var consumes = false

    package init(name: String, word: String, settings: GestureSettings) {
        self.name = name
        self.word = word
        self.settings = settings
    }
}
