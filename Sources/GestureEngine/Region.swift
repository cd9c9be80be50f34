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

    /// The name that the configuration gives and the wire carries.
    package var id: String
    /// As drawn, in millimetres on the panel.
    package var shape: Shape
    /// The box that `u` and `v` are fractions of: of the shape as drawn, before clipping.
    package var bounds: Rectangle
    /// Where the shape ends for hit testing: the parent's bounding box, or the panel.
    package var clip: Rectangle
    /// Index of the parent in the same list; always lower than this region's own index.
    package var parent: Int?
    /// Higher is on top; equal ones: the later in the list is. A child is above its parent.
    package var z: Int
    /// Millimetres around the shape that also count as hit where no other shape is drawn.
    package var margin: Double
    /// Sees contacts and lets the regions below own them.
    package var pass: Bool
    /// Can be touched. Whoever makes the regions decides whether those inside a disabled one are disabled too.
    package var isEnabled: Bool
    /// Only some clients may know where it is touched. The others get the events of an engine that `hidesPrivate`.
    /// Regions in it are private, too.
    package var isPrivate: Bool
    /// Millimetres outside the shape at which a contact counts as having left.
    package var leaveDistance: Double
    /// Default implicit.
    package var capture = Capture.implicit
    /// Default together.
    package var contacts = Contacts.together
    /// After so long without movement, a contact does not count when others land or move; `nil`: it always counts.
    package var restAfter: Interval?
    /// What a tap is that comes before a gesture with `taps`.
    package var taps = TapSettings()
    /// In the order of the configuration; at most 64.
    package var gestures: [Gesture]

    package init(
        id: String, shape: Shape, bounds: Rectangle, clip: Rectangle, parent: Int? = nil, z: Int = 0,
        margin: Double = 0, pass: Bool = false, isEnabled: Bool = true, isPrivate: Bool = false,
        leaveDistance: Double = 4, gestures: [Gesture]
    ) {
        self.id = id
        self.shape = shape
        self.bounds = bounds
        self.clip = clip
        self.parent = parent
        self.z = z
        self.margin = margin
        self.pass = pass
        self.isEnabled = isEnabled
        self.isPrivate = isPrivate
        self.leaveDistance = leaveDistance
        self.gestures = gestures
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

    package init(name: String, word: String, settings: GestureSettings) {
        self.name = name
        self.word = word
        self.settings = settings
    }
}
