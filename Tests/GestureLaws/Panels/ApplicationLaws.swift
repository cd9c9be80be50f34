// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import TouchSharing

/// The laws of the application's filter (`[device.application]`) and of the display (`wake`) on a shared panel:
///
/// - `max_contacts`: if a contact lands on the twin, the twin has at most this many contacts, without palms.
/// - `filter`: the twin has no contact that a filter hides from gestures.
/// - `min_gap`: no contact lands on the twin that has landed on the panel sooner than this after a lift near it, on the
///   same side of private regions.
/// - `max_hold`: a contact that has landed on the twin, and has not moved there, lifts there at this time after its
///   landing, and only then. A contact that has moved does not lift because of it.
/// - `bridge`: a contact lifts on the twin exactly when it no longer waits to land again.
/// - `reason`: a rule hides a contact only if the rule is broken.
/// - `wake`: while the display is off, nobody receives a contact that lands, wherever others are down, and neither does
///   anybody until all of them have lifted and the guard has passed, unless the guard has given up. Otherwise no contact is
///   hidden because of the display.
///
/// `filter` holds for contacts that have landed while it was on, the others for contacts that have landed since the
/// application's filter was last changed.
struct ApplicationLaws {
    struct Problem {
        var law: String
        var text: String
    }

    private struct Lift {
        var time: Timestamp
        var position: Point
        var isPrivate: Bool
        /// Whether the filter has changed since.
        var isOld = false
    }

    /// A contact on the twin that has not moved there since it landed.
    private struct Rest {
        var start: (x: Int32, y: Int32)
        var end: Timestamp
        var slop: Double
    }

    /// A contact that has lifted on the panel while the application had it.
    private struct Waiting {
        var contact: ContactID
        var takenCount: Int64
        /// Whether it must go on as long as it is held.
        var isCertain: Bool
    }

    private(set) var filter: ApplicationFilter
    var isDisplayOff: Bool?
    /// Contacts that must not land on the twin, by the panel's tracking id, with the law that says so.
    private(set) var forbidden: [Int32: String] = [:]
    var tally = SharedTally()
    private var before: [Int32: PanelView.Contact] = [:]
    private var countBefore = 0
    private var takenBefore: Int64 = 0
    /// Contacts that have landed since the filter was last changed.
    private var current: Set<Int32> = []
    private var lifts: [Lift] = []
    private var waiting: [Int32: Waiting] = [:]
    /// By the panel's first tracking id.
    private var rests: [Int32: Rest] = [:]
    /// Contacts that have lifted on the twin in time for `max_hold`.
    private var expired: Set<Int32> = []
    /// Contacts that go on for the application in this frame, by their former ids.
    private var continued: Set<Int32> = []
    /// Their new ids.
    private var heirs: Set<Int32> = []
    /// Contacts that have landed while `filter` was on.
    private var filtered: Set<Int32> = []
    /// All contacts so far, and those that a rule has hidden.
    private var known: Set<ContactID> = []
    private var hidden: Set<ContactID> = []
    /// Contacts that are held, until the application receives them or not.
    private var held: Set<ContactID> = []
    /// The greatest number of contacts on the twin since the last frame of the panel.
    private var peak = 0
    private var countOnTwin = 0

    // The display.
    private var dark: Set<Int32> = []
    private var firstDark: Timestamp?
    private var lastDark = Timestamp(microseconds: 0)
    private var darkEnd: Timestamp?

    init(_ filter: ApplicationFilter) { self.filter = filter }

    mutating func setFilter(_ filter: ApplicationFilter, _ contacts: PanelView, at time: Timestamp) -> [Problem] {
        guard filter != self.filter else { return [] }
        var problems: [Problem] = []
        // The former filter may have hidden contacts since the last frame.
        for contact in contacts.list where before[contact.id] != nil {
            check(contact, isLanding: false, at: time, &problems)
            before[contact.id] = contact
        }
        self.filter = filter
        current = []
        for place in lifts.indices { lifts[place].isOld = true }
        for id in waiting.keys { waiting[id]?.isCertain = false }
        return problems
    }

    /// Forgets what came before all contacts of the application have lifted.
    mutating func interrupt() {
        waiting = [:]
        for place in lifts.indices { lifts[place].isOld = true }
    }

    // MARK: The twin

    /// Counts the contacts on the twin at the end of one of its frames.
    /// - Parameter range: the least and the greatest number, without palms.
    mutating func endTwinFrame(_ range: ClosedRange<Int>, hasLanding: Bool) -> String? {
        countOnTwin = range.upperBound
        peak = max(peak, range.upperBound)
        guard hasLanding, let most = filter.maxContacts, range.lowerBound > most else { return nil }
        return "\(range.lowerBound) contacts are down instead of \(most)"
    }

    /// The panel's new id of a contact that goes on in the twin's slot, after the panel has lost it; `nil` if there is
    /// none.
    mutating func heir(of id: Int32, _ contacts: PanelView) -> Int32? {
        guard contacts[id] == nil, let contact = before[id]?.contact ?? waiting[id]?.contact,
            let heir = contacts.list.first(where: { $0.contact == contact && before[$0.id] == nil })
        else { return nil }
        waiting[id] = nil
        rests[heir.id] = rests.removeValue(forKey: id)
        continued.insert(id)
        heirs.insert(heir.id)
        if filtered.contains(id) { filtered.insert(heir.id) }
        tally.bridged += 1
        return heir.id
    }

    /// Whether a contact that has lifted on the panel may still be down on the twin.
    func mayWait(_ id: Int32, _ contacts: PanelView) -> Bool {
        guard let entry = waiting[id] else { return false }
        return contacts.held.contains(entry.contact)
    }

    /// Whether a contact that has waited must have lifted on the twin.
    func mustLift(_ id: Int32, _ contacts: PanelView) -> Bool {
        guard let entry = waiting[id] else { return false }
        return !contacts.held.contains(entry.contact) && entry.takenCount == contacts.takenCount
    }

    /// Follows a contact on the twin at the end of one of its frames.
    /// - Parameter position: in units of the panel; `nil` if the contact has lifted on the twin.
    mutating func followRest(
        _ id: Int32, at time: Timestamp, _ position: (x: Int32, y: Int32)?, isLanding: Bool, _ mapping: AxisMapping
    ) {
        if isLanding, let position, let maxHold = filter.maxHold {
            rests[id] = Rest(start: position, end: time + maxHold, slop: filter.holdSlop)
        }
        guard let rest = rests[id] else { return }
        guard let position else {
            rests[id] = nil
            guard time == rest.end else { return }
            expired.insert(id)
            if let contact = before[id]?.contact ?? waiting[id]?.contact { hidden.insert(contact) }
            return
        }
        let way = mapping.point(x: position.x, y: position.y) - mapping.point(x: rest.start.x, y: rest.start.y)
        if way.length.exceeds(rest.slop) { rests[id] = nil }
    }

    /// Whether a contact on the twin must have lifted because of `max_hold`.
    func isOverdue(_ id: Int32, at time: Timestamp) -> Bool { rests[id].map { time >= $0.end } == true }

    // MARK: The panel

    /// Follows a frame of the panel.
    /// - Parameter shown: the panel's ids of the contacts that are down on the twin. An heir has its first id.
    mutating func follow(_ contacts: PanelView, shown: Set<Int32>, at time: Timestamp) -> [Problem] {
        var problems: [Problem] = []
        let landed = contacts.list.filter { before[$0.id] == nil }
        let ended = before.values.filter { contacts[$0.id] == nil }
        checkWaiting(ended, contacts, shown, &problems)
        for contact in ended {
            lifts.append(Lift(time: time, position: contact.position, isPrivate: contact.isPrivate))
        }
        followDisplay(landed, ended, contacts, at: time, &problems)
        current.formUnion(landed.lazy.map { $0.id })
        let inherited = heirs
        if filter.filter { filtered.formUnion(landed.map { $0.id }.filter { !inherited.contains($0) }) }
        heirs = []
        for contact in landed { checkBounce(contact, at: time, shown, &problems) }
        for contact in contacts.list { check(contact, isLanding: before[contact.id] == nil, at: time, &problems) }
        before = [:]
        for contact in contacts.list { before[contact.id] = contact }
        for contact in contacts.list {
            guard let id = contact.contact else { continue }
            if contact.fate == .held { held.insert(id) } else { held.remove(id) }
        }
        known.formUnion(contacts.list.compactMap { $0.contact })
        (countBefore, takenBefore) = (contacts.count, contacts.takenCount)
        peak = countOnTwin
        return problems
    }

    private mutating func checkWaiting(
        _ ended: [PanelView.Contact], _ contacts: PanelView, _ shown: Set<Int32>, _ problems: inout [Problem]
    ) {
        for (id, entry) in waiting where entry.isCertain && entry.takenCount == contacts.takenCount {
            if contacts.held.contains(entry.contact), !shown.contains(id) {
                problems.append(Problem(law: "bridge", text: "\(id) has lifted early"))
            }
            if contacts.list.contains(where: { $0.contact == entry.contact }) {
                problems.append(Problem(law: "bridge", text: "\(id) has landed again, and does not go on"))
            }
        }
        for id in waiting.keys where !shown.contains(id) { waiting[id] = nil }
        for contact in ended where filter.bridge && !contact.fate.isFinal && !continued.contains(contact.id) {
            guard let id = contact.contact else { continue }
            let isCertain = current.contains(contact.id) && contact.fate == .forwarded
            if shown.contains(contact.id) {
                waiting[contact.id] = Waiting(contact: id, takenCount: takenBefore, isCertain: isCertain)
            } else if isCertain, contacts.takenCount == takenBefore,
                contacts.held.contains(id) || contacts.list.contains(where: { $0.contact == id })
            {
                problems.append(Problem(law: "bridge", text: "\(contact.id) has lifted at once"))
            }
        }
        continued = []
    }

    private mutating func checkBounce(
        _ contact: PanelView.Contact, at time: Timestamp, _ shown: Set<Int32>, _ problems: inout [Problem]
    ) {
        // A held contact that the panel loses for a moment has not landed for the application yet.
        let isHeld = contact.contact.map { held.contains($0) } == true
        guard let gap = filter.minGap, !isHeld else { return }
        lifts.removeAll { time - $0.time >= .milliseconds(1000) }
        guard lifts.contains(where: { !$0.isOld && isNear($0, contact, gap, at: time) }) else { return }
        forbidden[contact.id] = "min_gap"
        if shown.contains(contact.id) {
            problems.append(Problem(law: "min_gap", text: "\(contact.id) has landed, but is a bounce"))
        }
    }

    private func isNear(_ lift: Lift, _ contact: PanelView.Contact, _ gap: Interval, at time: Timestamp) -> Bool {
        time - lift.time < gap && lift.isPrivate == contact.isPrivate
            && !(contact.position - lift.position).length.exceeds(filter.bounceDistance)
    }

    /// Checks the receiver of a contact.
    private mutating func check(
        _ contact: PanelView.Contact, isLanding: Bool, at time: Timestamp, _ problems: inout [Problem]
    ) {
        if contact.filter != nil, filtered.contains(contact.id) {
            if isLanding { forbidden[contact.id] = "filter" }
            if !contact.fate.isFinal {
                problems.append(Problem(law: "filter", text: "\(contact.id) is \(contact.fate)"))
            }
        }
        guard case .hidden(let rule) = contact.fate else { return }
        // A contact that goes on after the panel had lost it may have been hidden before, or while it was lost.
        let isFormer = isLanding && contact.contact.map { hidden.contains($0) || held.contains($0) } == true
        if let id = contact.contact { hidden.insert(id) }
        guard before[contact.id]?.fate != contact.fate else { return }
        tally.hidden[rule, default: 0] += 1
        let isDue =
            switch rule {
            case .filter: filtered.contains(contact.id) && contact.filter != nil
            case .minGap:
                filter.minGap.map { gap in lifts.contains { isNear($0, contact, gap, at: time) } } == true && isLanding
            case .maxHold: expired.contains(contact.id)
            case .maxContacts: filter.maxContacts.map { peak >= $0 } == true
            }
        if !isDue, !isFormer { problems.append(Problem(law: "reason", text: "\(rule) hides \(contact.id)")) }
    }

    // MARK: The display

    private mutating func followDisplay(
        _ landed: [PanelView.Contact], _ ended: [PanelView.Contact], _ contacts: PanelView, at time: Timestamp,
        _ problems: inout [Problem]
    ) {
        guard let isDisplayOff else { return }
        let wasDark = !dark.isEmpty
        for contact in ended { dark.remove(contact.id) }
        // Contacts that land in the frame in which the last one lifts still belong to the wake.
        let isWaking = wasDark || darkEnd.map { time < $0 } ?? false
        let hasPatience = firstDark.map { time < $0 + WakeSettings.usualPatience } ?? true
        let isSure = hasPatience && (!wasDark || time < lastDark + .milliseconds(60_000))
        for contact in landed {
            let isHidden = contact.filter == .wake
            if isWaking || isDisplayOff, isSure, let id = contact.contact, !known.contains(id) {
                problems.append(Problem(law: "wake", text: "gestures receive \(contact.id)"))
            }
            if isHidden, !isWaking, !isDisplayOff {
                problems.append(Problem(law: "wake", text: "\(contact.id) is hidden, but the display is on"))
            }
            guard isHidden else { continue }
            forbidden[contact.id] = "wake"
            tally.dark += 1
            dark.insert(contact.id)
            (firstDark, lastDark) = (firstDark ?? time, time)
            if contact.fate != .kept {
                problems.append(Problem(law: "wake", text: "\(contact.id) is \(contact.fate)"))
            }
        }
        if wasDark, dark.isEmpty { darkEnd = time + WakeSettings().quiet }
    }
}
