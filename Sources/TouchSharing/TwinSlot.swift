// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// Where the contact in a slot goes, on a panel that is shared with an application.
///
///     none ──lands──▶ forwarded ──a gesture takes it──▶ kept ──lifts──▶ none
///       ├──lands──▶ held ──all gestures have failed──▶ forwarded
///       │             └──one was recognized──▶ kept
///       └──lands──▶ kept
package enum TouchFate: Hashable, Sendable {
    case none
    /// To the application.
    case forwarded
    /// Not decided: the application does not have it yet.
    case held
    /// Never to the application, or taken from it.
    case kept
}

/// One slot: what the panel says of it, and what the application has been told.
struct TwinSlot: Sendable {
    /// The application's view of the slot.
    enum Image: Hashable, Sendable {
        case none
        /// The contact, as the panel says.
        case live
        /// A contact that was taken from it, where it was then. It lifts a little later.
        case still(until: Timestamp)
        /// A contact that was taken from it, as a palm. It lifts when the contact does.
        case palm
    }

    /// The axes that each contact has. Their places in `values` are those in this range.
    // Computed, here and below: what is stored is looked up at each use.
    static var axisCodes: ClosedRange<UInt16> { EventCode.absMTTouchMajor...EventCode.absMTLast }
    static var placeOfX: Int { Int(EventCode.absMTPositionX - EventCode.absMTTouchMajor) }
    static var placeOfY: Int { Int(EventCode.absMTPositionY - EventCode.absMTTouchMajor) }
    static var placeOfTool: Int { Int(EventCode.absMTToolType - EventCode.absMTTouchMajor) }
    static var placeOfID: Int { Int(EventCode.absMTTrackingID - EventCode.absMTTouchMajor) }
    /// The panel's value of each of them.
    typealias Values = [14 of Int32]

    /// The panel's tracking id.
    var trackingID: Int32 = -1
    var distance: Int32 = 0
    var values = Values(repeating: 0)
    /// A contact was down at the end of the last frame.
    var wasDown = false
    /// Its tracking id has changed since.
    var isReplaced = false
    /// The axes that events have said something about since, by their places.
    var changed: UInt16 = 0
    var fate = TouchFate.none
    var image = Image.none
    /// The contact that `fate` is about; `nil`: the engine does not see it.
    var contact: ContactID?
    /// Its tracking id, with which the application gets it.
    var id: Int32 = -1
    /// Where it landed, while it is held.
    var start: (x: Int32, y: Int32) = (0, 0)
    /// The application knows of contacts with lower numbers for longer.
    var order: Int64 = 0

    /// Whether a contact touches the panel. One that hovers above it has a tracking id too.
    var isDown: Bool { trackingID >= 0 && distance <= 0 }

    /// Where the panel says that the contact is.
    var position: (x: Int32, y: Int32) { (values[Self.placeOfX], values[Self.placeOfY]) }

    /// A held contact as the panel has reported it last.
    func hold(of contact: ContactID, in slot: Int) -> LiftedHold {
        LiftedHold(contact: contact, slot: slot, id: id, start: start, values: values)
    }

    /// Takes what the panel says of an axis.
    mutating func set(_ code: UInt16, _ value: Int32) {
        if code == EventCode.absMTTrackingID {
            let new = max(-1, value)
            if new != trackingID { isReplaced = true }
            trackingID = new
            return
        }
        if code == EventCode.absMTDistance { distance = value }
        let place = Int(code - Self.axisCodes.lowerBound)
        values[place] = value
        changed |= 1 << UInt16(place)
    }
}

/// A contact that was held and has lifted.
struct LiftedHold: Sendable {
    var contact: ContactID
    var slot: Int
    var id: Int32
    var start: (x: Int32, y: Int32)
    /// The last values of all axes.
    var values: TwinSlot.Values
}
