// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureProtocol
import TouchSharing

/// What a panel sends: the lines of its engines, and those about the panel itself.
extension PanelPipeline {
    /// Sends the events of `engine`.
    mutating func sendEvents(_ sink: Sink) {
        if transitionLog != nil { log(engine.takeTransitions()) }
        counts.events &+= send(setup.hidesPrivate ? .insiders : .everybody, sink)
    }

    /// Sends the events of `openEngine`.
    mutating func sendOpenEvents(_ sink: Sink) {
        if transitionLog != nil { log(openEngine.takeTransitions()) }
        openCounts.events &+= send(.outsiders, sink)
    }

    private func log(_ transitions: [GestureTransition]) {
        for transition in transitions { transitionLog?(TransitionText.text(transition, setup)) }
    }

    /// Sends and forgets `events`.
    /// - Returns: how many lines of gestures they made.
    private mutating func send(_ audience: EventLine.Audience, _ sink: Sink) -> Int64 {
        guard !events.isEmpty else { return 0 }
        var count: Int64 = 0
        for i in events.indices {
            if case .update = events[i].phase {
                guard interest.updates else { continue }
            } else {
                tally(events[i], for: audience)
                if case .failed = events[i].detail, !interest.failures { continue }
            }
            let number = numbers.number(of: events[i], for: audience)
            encoder.encode(events[i], number: number, to: audience, into: &line)
            if case .gesture = line.event { count += 1 }
            sink(line)
        }
        events.removeAll(keepingCapacity: true)
        return count
    }

    private mutating func tally(_ event: GestureEvent, for audience: EventLine.Audience) {
        guard let tallies else { return }
        if case .failed(let failure) = event.detail {
            return tallies.entry(setup.regions[event.region].id).failed(failure.code).add(for: audience)
        }
        switch event.phase {
        case nil, .begin: counter(event.region, event.gesture, tallies).add(for: audience)
        case .update, .end, .cancel: break
        }
    }

    private mutating func counter(_ region: Int, _ gesture: Int, _ tallies: RegionTallies) -> RegionTallies.Counter {
        if counters.isEmpty { counters = Array(repeating: [], count: setup.regions.count) }
        if counters[region].isEmpty {
            counters[region] = Array(repeating: nil, count: setup.regions[region].gestures.count)
        }
        if let counter = counters[region][gesture] { return counter }
        let region = (index: region, value: setup.regions[region])
        let counter = tallies.entry(region.value.id).recognized(region.value.word(ofGesture: gesture))
        counters[region.index][gesture] = counter
        return counter
    }

    mutating func reportFailures() {
        engine.reportsFailures = interest.failures || tallies != nil
        openEngine.reportsFailures = interest.failures || tallies != nil
    }

    func countLandings() {
        guard let touchMap else { return }
        for change in tracker.frame.changes where change.kind == .landed {
            if !setup.hidesPrivate || openEngine.knows(change.id) { touchMap.count(change.position) }
        }
    }

    mutating func sendIdleChanges(_ sink: Sink) {
        for change in idleChanges {
            change.encode(into: &line)
            sink(line)
        }
        idleChanges.removeAll(keepingCapacity: true)
    }

    /// - Parameter time: `nil`: that of the last frame.
    mutating func sendTouches(at time: Timestamp? = nil, _ sink: Sink) {
        tracker.copyContacts(into: &contacts)
        tracker.copyFiltered(into: &filtered)
        let sharing = isShared ? self.sharing : nil
        TouchesEncoder.encode(
            contacts, filtered, setup, panel: panel, subject: panelSubject, at: time ?? tracker.frame.time,
            given: sharing?.givenLate ?? [], into: &line, owner: { engine.owner(of: $0) },
            receivers: { engine.forEachReceiver(of: $0, $1) },
            receiver: { sharing?.receiver(of: $0, owner: $1) })
        if sharing?.givenLate.isEmpty == false { self.sharing.givenLate = [] }
        sink(line)
    }

    mutating func sendRawFrame(at time: Timestamp, mark: RawFrame.Mark? = nil, _ sink: Sink) {
        rawFrame.encode(device: setup.device, subject: panelSubject, at: time, mark: mark, into: &line)
        rawFrame.removeAll()
        sink(line)
    }
}

/// What a panel has sent.
package struct LineCounts: Hashable, Sendable {
    /// Frames that held a change.
    package var frames: Int64 = 0
    /// Gesture lines.
    package var events: Int64 = 0
    /// Contacts that no filter hid when they landed.
    package var contacts: Int64 = 0

    package init() {}

    package mutating func add(_ other: Self) {
        frames &+= other.frames
        events &+= other.events
        contacts &+= other.contacts
    }
}
