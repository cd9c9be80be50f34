// SPDX-License-Identifier: MIT

/// The numbers of a long press, in millimetres, degrees and times.
package struct LongPressSettings: Hashable, Sendable {
    /// Contacts that rest.
    package var fingers = 1
    /// How long the contacts must rest. Default 500 ms: UIKit, Flutter.
    package var delay = Interval.milliseconds(500)
    /// Millimetres that a contact may stray meanwhile. Default 5: kiosk users stand and poke.
    package var slop = 5.0

    package init() {}
}
