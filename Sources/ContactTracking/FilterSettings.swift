// SPDX-License-Identifier: MIT
package import GestureEngine

/// Which contacts of a panel are not seen (`[filter]` of the configuration).
package struct FilterSettings: Hashable, Sendable {
    /// Ghost touches: more landings than a person makes.
    package struct Storm: Hashable, Sendable {
        /// One landing more within a second is a storm. At least 1.
        package var contactsPerSecond: Int
        /// How long nothing may land until the panel is believed again.
        package var quiet: Interval

        package init(contactsPerSecond: Int = 40, quiet: Interval = .milliseconds(2000)) {
            self.contactsPerSecond = contactsPerSecond
            self.quiet = quiet
        }
    }

    /// What the panel calls a palm is none of ours; `false`: it is a finger.
    package var palmCancels: Bool
    /// A contact wider than this many millimetres is a palm. Needs `ABS_MT_TOUCH_MAJOR` and a
    /// panel whose size is known. Default 30 mm: two thumbs.
    package var maxTouch: Double?
    /// Contacts that land in one of these are not seen; in millimetres on the glass.
    package var masks: [Rectangle]
    /// A contact that never lifts is cancelled after this. Default 60 s.
    package var maxContactAge: Interval?
    package var storm: Storm?

    package init(
        palmCancels: Bool = true, maxTouch: Double? = 30, masks: [Rectangle] = [],
        maxContactAge: Interval? = .milliseconds(60_000), storm: Storm? = Storm()
    ) {
        self.palmCancels = palmCancels
        self.maxTouch = maxTouch
        self.masks = masks
        self.maxContactAge = maxContactAge
        self.storm = storm
    }
}
