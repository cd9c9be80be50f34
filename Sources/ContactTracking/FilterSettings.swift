// SPDX-License-Identifier: MIT
package import GestureEngine

/// Which contacts of a panel the engine does not see (`[filter]` of the configuration).
package struct FilterSettings: Hashable, Sendable {
    /// Ghost touches: more landings than a person causes.
    package struct Storm: Hashable, Sendable {
        /// More landings within a second are a storm. At least 1.
        package var contactsPerSecond: Int
        /// How long nothing must land for the storm to be over.
        package var quiet: Interval

        package init(contactsPerSecond: Int = 40, quiet: Interval = .milliseconds(2000)) {
            self.contactsPerSecond = contactsPerSecond
            self.quiet = quiet
        }
    }

    /// Whether contacts that the panel reports as palms are ignored.
    package var palmCancels: Bool
    /// Millimetres; a wider contact is a palm. Needs `ABS_MT_TOUCH_MAJOR` and a panel whose size is known.
    /// Default 30 mm, the width of two thumbs.
    package var maxTouch: Double?
    /// Contacts that land in one of these are ignored; in millimetres on the glass.
    package var masks: [Rectangle]
    /// A contact that has been down for so long is cancelled. Default 60 s.
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
