// SPDX-License-Identifier: MIT

/// A named shape on a panel, with its list of gestures. Lengths are in millimetres.
package struct Region: Hashable, Sendable {
    /// The owner of a contact that has moved out of the region in which it landed.
    package enum Capture: Hashable, Sendable {
        /// The region in which it landed, until it lifts.
        case implicit
        /// The region under the contact: the contact is handed over when it crosses into another one.
        case follow
    }

    /// The grouping of contacts into sequences.
    package enum Contacts: Hashable, Sendable {
        /// Contacts that are down at the same time share one sequence.
        case together
        /// Each contact has its own sequence.
        case each
        /// A contact that lands near one that is down joins that contact's sequence.
        case near
    }

    /// The receiver of contacts that land in a region, on a panel shared with an application. Where regions are
    /// nested, the case that is declared last prevails.
    package enum Touches: Hashable, Comparable, Sendable {
        /// Both the application and the gestures.
        case share
        /// The gestures first; the application receives the contacts once all gestures have failed.
        case hold
        /// Only the gestures.
        case capture
    }

    /// The identifier of the region. Unique in a list of regions, and stable from one list to the next.
    package var id: String {
        get { body.values.id }
        set { change { $0.id = newValue } }
    }
    /// The shape as drawn, in millimetres on the panel.
    package var shape: Shape {
        get { body.values.shape }
        set { change { $0.shape = newValue } }
    }
    /// The bounding box of the shape before clipping. The coordinates `u` and `v` of events are fractions of it.
    package var bounds: Rectangle {
        get { body.values.bounds }
        set { change { $0.bounds = newValue } }
    }
    /// The rectangle to which hit testing clips the shape: the parent's bounding box, or the panel.
    package var clip: Rectangle {
        get { body.values.clip }
        set { change { $0.clip = newValue } }
    }
    /// The index of the parent in the same list, which is lower than this region's own index.
    package var parent: RegionIndex?
    /// The stacking order: a higher value is on top, and of equal ones the later region. A child is above its parent.
    package var z: Int {
        get { body.values.z }
        set { change { $0.z = newValue } }
    }
    /// A contact within this distance of the shape, in millimetres, also hits the region, unless a shape other than an
    /// ancestor's is drawn there.
    package var margin: Double {
        get { body.values.margin }
        set { change { $0.margin = newValue } }
    }
    /// Whether the region receives contacts without owning them, so that the regions below can own them.
    package var pass: Bool {
        get { traits.contains(.passes) }
        set { change { $0.pass = newValue } }
    }
    /// Whether the region can be touched. Disabling a region does not disable its children.
    package var isEnabled: Bool
    /// Whether only clients without access to private regions see it, because a private region has the same name as
    /// this one or as a region around it.
    package var isShadowed = false
    /// Whether touches in the region are visible only to clients with access to private regions. Regions inside it are
    /// private too. Its contacts reach only regions of its island (`[Region].island(of:)`).
    package var isPrivate: Bool {
        get { traits.contains(.isPrivate) }
        set { change { $0.isPrivate = newValue } }
    }
    /// Whether the region yields to private ones: it receives no contact that a private region would own or receive
    /// if none of the yielding regions existed.
    package var yields: Bool {
        get { traits.contains(.yields) }
        set { change { $0.yields = newValue } }
    }
    /// Whether a client has defined the region. The client also chose its name, so the name is no authority.
    package var isLeased: Bool {
        get { traits.contains(.isLeased) }
        set { change { $0.isLeased = newValue } }
    }
    /// A contact has left the region when it is this far outside the shape and its margin, in millimetres.
    package var leaveDistance: Double {
        get { body.values.leaveDistance }
        set { change { $0.leaveDistance = newValue } }
    }
    package static let usualLeaveDistance = 4.0
    /// The owner of contacts that leave the region. Default implicit.
    package var capture: Capture {
        get { body.values.capture }
        set { change { $0.capture = newValue } }
    }
    /// The grouping of contacts into sequences. Default together.
    package var contacts: Contacts {
        get { body.values.contacts }
        set { change { $0.contacts = newValue } }
    }
    /// The receiver of contacts on a shared panel. Default share.
    package var touches: Touches {
        get { body.values.touches }
        set { change { $0.touches = newValue } }
    }
    /// A contact that has not moved for this long is ignored when another one lands or moves; `nil`: never.
    package var restAfter: Interval? {
        get { body.values.restAfter }
        set { change { $0.restAfter = newValue } }
    }
    /// The settings of the taps that precede gestures with `taps`.
    package var taps: TapSettings {
        get { body.values.taps.settings }
        set { change { $0.taps = TapsBefore(newValue) } }
    }
    /// The gestures in the order of the configuration; at most 64.
    package var gestures: [Gesture] {
        get { body.values.gestures }
        set { change { $0.gestures = newValue } }
    }

    /// The name in the configuration and on the wire.
    package var name: String { RegionID.name(of: id) }

    /// Whether clients with or without access to private regions see the region.
    package func isVisible(seesPrivate: Bool) -> Bool {
        seesPrivate ? !isShadowed : !isPrivate
    }

    /// The word of a gesture's kind. Cheaper than `gestures[index].word`, which copies the gesture.
    package func word(ofGesture index: GestureIndex) -> String { body.values.gestures[index].word }

    // These properties are read for each region of a long list. They are stored here, because following thousands of
    // references takes a long time.

    /// The box outside which this region cannot be hit.
    package private(set) var reach: Rectangle
    package private(set) var traits: Traits
    /// The number of gestures.
    package private(set) var gestureCount: Int32

    /// Boolean properties of a region.
    package struct Traits: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The region has several units, because several sequences may be in progress at the same time.
        package static let hasUnits = Traits(rawValue: 1)
        static let rests = Traits(rawValue: 2)
        package static let hasPattern = Traits(rawValue: 4)
        package static let isPrivate = Traits(rawValue: 8)
        static let passes = Traits(rawValue: 16)
        static let yields = Traits(rawValue: 32)
        static let isLeased = Traits(rawValue: 64)
    }

    /// Shared by all copies of a region, so that lists of thousands are cheap to copy and compare.
    private var body: Body

    private final class Body: Sendable {
        let values: Values

        init(_ values: Values) { self.values = values }
    }

    /// Stored out of line, because few regions have settings of their own.
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

    /// Small values are adjacent to avoid padding, because there may be thousands of regions.
    private struct Values: Hashable {
        var id: String
        var shape: Shape
        var pass: Bool
        var isPrivate: Bool
        var yields = false
        var isLeased = false
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
            var traits: Traits = contacts == .together ? [] : .hasUnits
            if restAfter != nil { traits.insert(.rests) }
            if isPrivate { traits.insert(.isPrivate) }
            if pass { traits.insert(.passes) }
            if yields { traits.insert(.yields) }
            if isLeased { traits.insert(.isLeased) }
            if gestures.contains(where: { $0.settings.kind == .pattern }) { traits.insert(.hasPattern) }
            return traits
        }
    }

    package init(
        id: String, shape: Shape, bounds: Rectangle, clip: Rectangle, parent: RegionIndex? = nil, z: Int = 0,
        margin: Double = 0, pass: Bool = false, isEnabled: Bool = true, isPrivate: Bool = false,
        leaveDistance: Double = Self.usualLeaveDistance, gestures: [Gesture]
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

    /// Whether both are equal apart from `parent`, `isEnabled` and `isShadowed`.
    package func hasSameBody(as other: Self) -> Bool { body === other.body || body.values == other.body.values }

    /// Returns this region with `parent`, `isEnabled` and `isShadowed` of another one.
    package func placed(like other: Self) -> Self {
        var region = other
        (region.body, region.reach, region.traits, region.gestureCount) = (body, reach, traits, gestureCount)
        return region
    }

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

/// A gesture of a region: its label, its settings, and its relations to the region's other gestures.
package struct Gesture: Hashable, Sendable {
    /// The label chosen by the user. The default is the word of the kind (also for `double_tap` and
    /// `two_finger_tap`).
    package var name: String
    /// The word of the kind in the configuration: `tap`, `double_tap`, `long_press`, …
    package var word: String
    /// The identifier that says what the gesture does, chosen by the user. It does not affect recognition.
    package var action: String?
    /// The settings of the recognizer.
    package var settings: GestureSettings
    /// The names of gestures in the same region that must be recognized earlier in the sequence.
    package var after: [String] = []
    /// The names of gestures in the same region that must fail first.
    package var unless: [String] = []
    /// Whether all other gestures of the sequence fail or are cancelled when this one is recognized.
    package var exclusive = false
    /// Whether the application that shares the panel loses the contacts when the gesture begins or is recognized.
    package var consumes = false

    package init(name: String, word: String, settings: GestureSettings) {
        self.name = name
        self.word = word
        self.settings = settings
    }
}
