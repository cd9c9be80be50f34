// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine
package import GestureProtocol

/// The rules that hide contacts of a shared panel from the application (`[device.application]`). Gestures receive these
/// contacts.
package struct ApplicationFilter: Hashable, Sendable {
    /// A rule that hides a contact. The raw value is its key in the configuration and its word on the wire.
    package enum Rule: String, Hashable, Sendable, CaseIterable {
        case maxContacts = "max_contacts"
        case minGap = "min_gap"
        case maxHold = "max_hold"
        case filter
    }

    /// The maximum number of contacts that the application has at the same time; `nil`: no limit.
    package var maxContacts: Int?
    /// Whether contacts that `FilterSettings` hide from gestures are hidden from the application too.
    package var filter = false
    /// A contact that lands sooner than this after a lift near it is a bounce; `nil` disables this.
    package var minGap: Interval?
    /// The maximum distance in millimetres between a bounce and the lift.
    package var bounceDistance = 8.0
    /// A contact that has not moved lifts for the application after this time; `nil` disables this.
    package var maxHold: Interval?
    /// The distance in millimetres up to which a contact has not moved for `maxHold`: that of programs that wait for a
    /// long press, or more. Chromium allows 15 pixels, which are 4 mm at 96 dpi.
    package var holdSlop = 5.0
    /// Whether a contact that `FilterSettings.bridge` continues does not lift for the application either.
    package var bridge = false

    package init() {}
}

/// The receiver of a contact on a shared panel, for `touches` lines.
package struct TouchReceiver: Hashable, Sendable {
    /// The word of the protocol.
    package var word: String
    /// The key of `[device.application]` that hides the contact from the application; `nil` if there is none.
    package var kept: String?

    package init(word: String, kept: String?) { (self.word, self.kept) = (word, kept) }

    /// Writes the members `to` and `kept`.
    package func write(into json: inout JSONWriter) {
        json.member("to", word)
        if let kept { json.member("kept", kept) }
    }
}

/// The last lifts on a panel, with which bounces are found.
struct LiftLog: Sendable {
    private struct Lift {
        var time: Timestamp
        var position: Point
        var isPrivate: Bool
    }

    private var lifts: [Lift] = []

    /// Records a lift. More than `Admission.maximumSlots` lifts within the gap, on one side of the border of private
    /// regions, are not all recorded.
    mutating func add(at time: Timestamp, _ position: Point, isPrivate: Bool) {
        if lifts.count(where: { $0.isPrivate == isPrivate }) >= Admission.maximumSlots,
            let oldest = lifts.firstIndex(where: { $0.isPrivate == isPrivate })
        {
            lifts.remove(at: oldest)
        }
        lifts.append(Lift(time: time, position: position, isPrivate: isPrivate))
    }

    /// Whether a landing is a bounce. Lifts in private regions count only for landings there.
    ///
    /// Lifts before the gap are kept, because it may be longer at the next landing, which must not depend on this one if
    /// only one of them is in a private region.
    func isBounce(
        _ position: Point, at time: Timestamp, isPrivate: Bool, _ gap: Interval, within distance: Double
    ) -> Bool {
        lifts.contains {
            $0.isPrivate == isPrivate && time - $0.time < gap && !(position - $0.position).length.exceeds(distance)
        }
    }

    mutating func removeAll() { lifts.removeAll(keepingCapacity: true) }
}

/// Applies the application's filter.
extension TouchSharing {
    /// Returns the rule that hides a contact which the application would receive now; `nil` if there is none.
    mutating func rule(hiding slot: Int, isPrivate: Bool, _ tracker: borrowing SlotTracker) -> ApplicationFilter.Rule? {
        if filter.filter, tracker.filter(in: slot) != nil { return .filter }
        if let gap = filter.minGap {
            let (position, distance) = (tracker.position(of: slot), filter.bounceDistance)
            if lifts.isBounce(position, at: frames.frame.time, isPrivate: isPrivate, gap, within: distance) {
                return .minGap
            }
        }
        return makesRoom(isPrivate: isPrivate, isHeld: false) ? nil : .maxContacts
    }

    /// Whether the application may have one more contact.
    ///
    /// Contacts that were taken from the application, and stand still, make room. Contacts in private regions make room,
    /// too, so that clients cannot infer them from a contact elsewhere: the application loses the one that landed last.
    /// - Parameter isHeld: whether the contact was held. The application receives it before others lift in this frame.
    mutating func makesRoom(isPrivate: Bool, isHeld: Bool) -> Bool {
        guard let most = filter.maxContacts else { return true }
        var shown = frames.shown(includesEnding: isHeld)
        while shown.nonzeroBitCount >= most {
            let still = frames.still(shown)
            let isOpen = !isPrivate && frames.open(shown).nonzeroBitCount < most
            guard let slot = still != 0 ? still.trailingZeroBitCount : isOpen ? frames.newestPrivate(shown) : nil else {
                return false
            }
            if frames.makeRoom(in: slot, by: .maxContacts) { counts.hidden.hide(by: .maxContacts) }
            shown &= ~(1 << UInt64(slot))
        }
        return true
    }

    /// Takes contacts from the application that a filter has hidden from gestures after they had landed.
    mutating func hideFiltered(_ tracker: borrowing SlotTracker) {
        for slot in tracker.slotNumbers where frames.filtered >> UInt64(slot) & 1 == 1 {
            guard tracker.filter(in: slot) != nil, frames.frame.landed >> UInt64(slot) & 1 == 0,
                frames.hide(slot, by: .filter)
            else { continue }
            counts[isPrivate: frames.slots[slot].isPrivate].hide(by: .filter)
            holds.removeAll { $0.id == frames.slots[slot].contact }
        }
    }

    /// Counts the contacts that `maxHold` has lifted.
    mutating func countExpired() {
        for slot in frames.slots.indices where frames.expired >> UInt64(slot) & 1 == 1 {
            counts[isPrivate: frames.slots[slot].isImagePrivate].hide(by: .maxHold)
        }
        frames.expired = 0
    }

    mutating func recordLifts(_ tracker: borrowing SlotTracker) {
        frames.forEachEnded { position, isPrivate in
            lifts.add(
                at: frames.frame.time, tracker.mapping.point(x: position.x, y: position.y), isPrivate: isPrivate)
        }
    }
}

extension TouchFate {
    /// The rule of the application's filter that hides the contact; `nil` if there is none.
    var rule: ApplicationFilter.Rule? { if case .hidden(let rule) = self { rule } else { nil } }
}
