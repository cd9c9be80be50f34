// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
import TouchSharing

/// What there is to know of a panel, and what was counted.
extension PanelPipeline {
    /// Calls `body`.
    /// - Returns: `nextDeadline` after that. To ask a pipeline in an object for it, Swift would copy the whole pipeline.
    package mutating func run(_ body: (inout Self) -> Void) -> Timestamp? {
        body(&self)
        return nextDeadline
    }

    /// The contacts so far.
    package var contactCounts: Sides<ContactCounts> { tracker.counts }

    /// The server's number of this panel's first gesture.
    package var subjectBase: Int {
        get { encoder.subjectBase }
        set { encoder.subjectBase = newValue }
    }

    /// The gestures of this panel, by their number less `subjectBase`.
    package var subjectIndex: SubjectIndex { encoder.subjectIndex }

    /// The server's number of the panel as a whole: the one before its first gesture; without a server, everybody's.
    package var panelSubject: Int { subjectBase - 1 }

    /// How many contacts are down.
    /// - Parameter seesPrivate: otherwise those in private regions are not counted.
    package func contactCount(seesPrivate: Bool) -> Int {
        let contacts = tracker.contacts
        return seesPrivate ? contacts.count : contacts.count { !$0.id.isPrivate }
    }

    /// The region that owns a contact.
    package func owner(of contact: ContactID) -> Int? { engine.owner(of: contact) }

    /// Whether no contact is down and no deadline pending, so that a recording that begins now is complete.
    package var isIdle: Bool { engine.isIdle && tracker.contactCount == 0 }

    /// When `advance(to:)` must next be called, or `nil` while nothing is pending.
    @inline(__always) package var nextDeadline: Timestamp? {
        var next = tracker.nextDeadline ?? .never
        if let deadline = engine.nextDeadline, deadline < next { next = deadline }
        if let deadline = idle?.nextDeadline, deadline < next { next = deadline }
        if let deadline = sharing.nextDeadline, deadline < next { next = deadline }
        return next < .never ? next : nil
    }

    /// Calls `body` with each continuous gesture that has begun and not ended.
    /// - Parameter seesPrivate: whether those in private regions count.
    package func forEachActive(
        seesPrivate: Bool, _ body: (_ region: Int, _ gesture: GestureIndex, _ sequence: SequenceID) -> Void
    ) {
        engine.forEachActive { region, gesture, sequence in
            if setup.regions[region].isVisible(seesPrivate: seesPrivate) { body(region, gesture, sequence) }
        }
    }

    /// The regions that would get a contact at `point`: the owner and its ancestors, and those that pass.
    /// - Parameter seesPrivate: otherwise as if there were no private regions.
    package func route(at point: Point, seesPrivate: Bool) -> (owner: Int?, route: [Int]) {
        engine.route(at: point, seesPrivate: seesPrivate)
    }
}
