// SPDX-License-Identifier: MIT

/// A named shape on a panel with a list of gestures, complete and in millimetres.
package struct Region: Hashable, Sendable {
    /// The name that the configuration gives and the wire carries.
    package var id: String
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
    package var isEnabled: Bool
    /// Its events are for few eyes. The engine does not care; those who pass events on do.
    package var isPrivate: Bool
    /// Millimetres outside the shape at which a contact counts as having left.
    package var leaveDistance: Double
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

/// One gesture of a region: the user's label and the numbers it is recognized by.
package struct Gesture: Hashable, Sendable {
    /// The user's label; by default the word of the kind (`double_tap` and `two_finger_tap` too).
    package var name: String
    /// The kind's word as written in the configuration: `tap`, `double_tap`, `long_press`, …
    package var word: String
    package var settings: GestureSettings

    package init(name: String, word: String, settings: GestureSettings) {
        self.name = name
        self.word = word
        self.settings = settings
    }
}
