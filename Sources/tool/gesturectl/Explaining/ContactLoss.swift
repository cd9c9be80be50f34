// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureEngine
import GesturePipeline

extension Explanation {
    /// Returns a text such as `cancelled: another gesture took the contact`; `nil` if the gesture was not cancelled.
    func cancel(of gesture: Recognized) -> String? {
        gesture.cancelled.map { "cancelled: " + (loss($0, gesture.cancelTime) ?? cancelText($0)) }
    }

    /// Returns in words why a gesture would have been cancelled that was not recognized.
    /// - Parameter reason: the word in the protocol.
    func cause(ofLater reason: String) -> String {
        loss(reason, contacts.first { $0.loss != nil }?.lifted) ?? cancelText(reason)
    }

    /// Replaces the messages about contacts that ended without a lift by the causes, where they are known.
    mutating func nameCauses() {
        for index in failed.indices {
            if let cause = loss(failed[index].code, Int64(failed[index].time)) { failed[index].message = cause }
        }
    }

    /// Returns the place in the configuration that a filter's name on the wire stands for.
    static func place(ofFilter word: String) -> String {
        word == ContactFilter.wake.word ? "wake in [[device]]" : "[filter] \(word)"
    }

    /// Returns why a contact ended at this time without a lift; `nil` if that is not known, or if it has another reason.
    func loss(_ reason: String, _ time: Int64?) -> String? {
        guard reason == CancelReason.syncLost.word, let time else { return nil }
        let contact = contacts.first { $0.loss != nil && $0.lifted == time }
        switch contact?.loss {
        case .filter(ContactFilter.maxContactAge.word):
            let held = contact.map { durationText(milliseconds: (time - $0.landed) / 1000) } ?? ""
            return "the contact was down for \(held), see [filter] max_contact_age"
        case .filter(ContactFilter.storm.word): return "the contact was one of many ghost touches, see [filter] storm"
        case .filter(let key): return "the contact was hidden, see [filter] \(key)"
        case .replaced: return "the panel began another contact in its place without a lift"
        case .events: return "events of the panel were lost"
        case nil: return nil
        }
    }
}

/// Returns the reason for a cancel in words, such as `another gesture took the contact`.
/// - Parameter reason: the word in the protocol. It is returned if it is unknown.
func cancelText(_ reason: String) -> String {
    GestureFailure.Code(word: reason).map { FailureWording($0).sentence(GestureFailure($0)) } ?? reason
}

extension Explanation.Loss {
    /// - Parameters:
    ///   - contact: a contact that has ended.
    ///   - touches: the first line without it.
    ///   - wasGap: whether events were lost at that time.
    /// - Returns: `nil` if nothing shows that it did not lift.
    init?(of contact: Explanation.Contact, _ touches: TouchesReport, wasGap: Bool) {
        if let filter = touches.hidden.first(where: { $0.slot == contact.slot })?.filter {
            self = .filter(filter)
        } else if wasGap {
            self = .events
        } else if touches.contacts.contains(where: { $0.slot == contact.slot && $0.id != contact.id }) {
            self = .replaced
        } else {
            return nil
        }
    }
}
