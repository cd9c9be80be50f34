// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import TouchSharing

/// The contacts of a shared panel at the end of a frame.
struct PanelView {
    /// A contact that touches the panel.
    struct Contact {
        /// The panel's tracking id.
        var id: Int32
        var slot: Int
        var state: SlotState
        /// The contact as gestures know it; `nil` if they do not receive it.
        var contact: ContactID?
        var position: Point
        var isPrivate: Bool
        var filter: ContactFilter?
        var fate: TouchFate
    }

    let list: [Contact]
    /// The contacts that have lifted but may land again.
    let held: Set<ContactID>
    /// The number of contacts that gestures receive, including those of `held`.
    let count: Int
    /// The number of contacts that were taken from the application so far.
    let takenCount: Int64

    init(_ panel: SlotTable, _ pipeline: borrowing PanelPipeline) {
        var list: [Contact] = []
        for (slot, state) in panel.slots.enumerated() where state.isTouching {
            let contact = pipeline.tracker.contact(in: slot)
            list.append(
                Contact(
                    id: state.trackingID, slot: slot, state: state, contact: contact,
                    position: pipeline.tracker.position(of: slot),
                    isPrivate: contact?.isPrivate ?? pipeline.tracker.isPrivate(slot),
                    filter: pipeline.tracker.filter(in: slot), fate: pipeline.fate(ofSlot: slot)))
        }
        self.list = list
        held = Set(pipeline.tracker.contacts.map { $0.id }.filter { pipeline.tracker.isHeld($0) })
        count = pipeline.tracker.contactCount
        let counts = pipeline.shareCounts.sum(seesPrivate: true)
        takenCount = counts.cancelled + ApplicationFilter.Rule.allCases.reduce(0) { $0 + counts[$1] }
    }

    subscript(id: Int32) -> Contact? { list.first { $0.id == id } }

    /// Whether the panel still has a contact. It may hover.
    func isDown(_ id: Int32) -> Bool { self[id] != nil }
}
