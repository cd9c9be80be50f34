// SPDX-License-Identifier: MIT

/// A named shape on a panel with a list of gestures, complete and in millimetres.
package struct Region: Hashable, Sendable {
    /// Who has a contact that has moved out of the region it landed in.
    package enum Capture: Hashable, Sendable {
        /// Where it landed, until it lifts.
        case implicit
        /// The region it is over: it is handed over when it crosses into another.
        case follow
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
    /// Can be touched. (Whether a region that is switched off takes those in it along is decided
    /// where regions are made.)
    package var isEnabled: Bool
    /// Its events are for few eyes. Those who pass events on care; the engine only sees to it that a
    /// pattern elsewhere does not tell where this was touched.
    package var isPrivate: Bool
    /// Millimetres outside the shape at which a contact counts as having left.
    package var leaveDistance: Double
    /// Default implicit.
    package var capture = Capture.implicit
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
    /// Names of gestures of the same region: this one is looked for only once all of them have been
    /// recognized in the sequence (sequenced).
    package var after: [String] = []
    /// Names of gestures of the same region: this one is recognized only when all of them have
    /// failed (require to fail).
    package var unless: [String] = []
    /// When recognized, all others of the sequence fail or are cancelled.
    package var exclusive = false

    package init(name: String, word: String, settings: GestureSettings) {
        self.name = name
        self.word = word
        self.settings = settings
    }
}
