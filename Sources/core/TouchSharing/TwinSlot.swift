// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// The receiver of the contact in a slot, on a panel that is shared with an application.
///
///     none ──lands──▶ forwarded ──a gesture takes it──▶ kept ──lifts──▶ none
///       ├──lands──▶ held ──all gestures have failed──▶ forwarded
///       │             └──one was recognized──▶ kept
///       ├──lands──▶ kept
///       └──lands──▶ hidden   (also from forwarded and held)
package enum TouchFate: Hashable, Sendable {
    case none
    /// The application receives the contact.
    case forwarded
    /// The receiver is undecided. The application does not have the contact yet.
    case held
    /// The application never receives the contact, or the contact was taken from it.
    case kept
    /// A rule of the application's filter keeps the contact from the application.
    case hidden(by: ApplicationFilter.Rule)
}

/// The state of a slot as reported by the panel, and its state on the twin.
struct TwinSlot: Sendable {
    /// The state of the slot on the twin.
    enum Image: Hashable, Sendable {
        case none
        /// The contact with its current values.
        case live
        /// A contact that was taken from the application. It stays at its last position, and lifts a little later.
        case still(until: Timestamp)
        /// A contact that was taken from the application by turning it into a palm. It lifts when the contact lifts on
        /// the panel.
        case palm
        /// A contact that has lifted on the panel, but may land again within `FilterSettings.bridge`.
        case waiting(for: ContactID)
    }

    /// The axes of each contact. Their offsets in this range are their indices in `values`.
    // This property and those below are computed, because a stored property would be loaded at each use.
    static var axisCodes: ClosedRange<UInt16> { EventCode.absMTTouchMajor...EventCode.absMTLast }
    static var placeOfX: Int { Int(EventCode.absMTPositionX - EventCode.absMTTouchMajor) }
    static var placeOfY: Int { Int(EventCode.absMTPositionY - EventCode.absMTTouchMajor) }
    static var placeOfTool: Int { Int(EventCode.absMTToolType - EventCode.absMTTouchMajor) }
    static var placeOfID: Int { Int(EventCode.absMTTrackingID - EventCode.absMTTouchMajor) }
    /// The panel's values for these axes.
    typealias Values = [14 of Int32]

    /// The panel's tracking id.
    var trackingID: Int32 = -1
    var distance: Int32 = 0
    var values = Values(repeating: 0)
    /// Whether a contact was down at the end of the last frame.
    var wasDown = false
    /// Whether the tracking id has changed since the end of the last frame.
    var isReplaced = false
    /// The axes that events have changed since the end of the last frame, as a bit set.
    var changed: UInt16 = 0
    var fate = TouchFate.none
    var image = Image.none
    /// The contact to which `fate` refers; `nil` if it is hidden from the engine.
    var contact: ContactID?
    /// Whether the contact landed in a private region.
    var isPrivate = false
    /// Whether the contact of the image landed in a private region.
    var isImagePrivate = false
    /// The twin's slot that shows the image. It is not the panel's slot if a contact has continued in another one.
    var twinSlot: Int32 = 0
    /// The position at the time when the tracking id changed last. Panels report the id before the position.
    var last: (x: Int32, y: Int32) = (0, 0)
    /// The tracking id with which the application receives the contact.
    var id: Int32 = -1
    /// The landing position, while the contact is held.
    var start: (x: Int32, y: Int32) = (0, 0)
    /// The rest of the image; `nil` if it has moved, or `max_hold` was off when it landed.
    var rest: Rest?
    /// The number of the contact in the order of landings on the twin. Older contacts have lower numbers.
    var order: Int64 = 0

    /// A contact that has not moved since it landed on the twin.
    struct Rest: Sendable {
        /// The time at which it lifts.
        var end: Timestamp
        /// Where it landed.
        var start: (x: Int32, y: Int32)
        /// The distance from there, in millimetres, up to which it has not moved.
        var slop: Double
    }

    /// Whether a contact touches the panel. A contact that hovers above it has a tracking id too.
    var isDown: Bool { trackingID >= 0 && distance <= 0 }

    /// The time at which the image lifts by itself; `nil` if it does not.
    var end: Timestamp? { if case .still(let end) = image { end } else { rest?.end } }

    /// The position as reported by the panel.
    var position: (x: Int32, y: Int32) { (values[Self.placeOfX], values[Self.placeOfY]) }

    /// Returns the held contact in this slot with its last reported values.
    func hold(of contact: ContactID, in slot: Int) -> LiftedHold {
        LiftedHold(contact: contact, slot: slot, id: id, start: start, values: values)
    }

    mutating func set(_ code: UInt16, _ value: Int32) {
        if code == EventCode.absMTTrackingID {
            let new = max(-1, value)
            if new != trackingID { (isReplaced, last) = (true, position) }
            trackingID = new
            return
        }
        if code == EventCode.absMTDistance { distance = value }
        let place = Int(code - Self.axisCodes.lowerBound)
        values[place] = value
        changed |= 1 << UInt16(place)
    }
}

/// A held contact that has lifted.
struct LiftedHold: Sendable {
    var contact: ContactID
    var slot: Int
    var id: Int32
    var start: (x: Int32, y: Int32)
    /// The last values of all axes.
    var values: TwinSlot.Values
}
