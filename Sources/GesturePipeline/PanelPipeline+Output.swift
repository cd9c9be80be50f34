// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureProtocol
import TouchSharing

/// What a panel sends: the lines of its engine, and those about the panel itself.
extension PanelPipeline {
    /// Sends and forgets the engine's events.
    mutating func sendEvents(_ sink: Sink) {
        if transitionLog != nil { logTransitions() }
        guard !events.isEmpty else { return }
        for i in events.indices {
            if case .update = events[i].phase {
                guard interest.updates else { continue }
            } else {
                tally(events[i])
                if case .failed = events[i].detail, !interest.failures { continue }
            }
            encoder.encode(events[i], number: numbers.number(of: events[i]), into: &line)
            if case .gesture = line.event { counts[isPrivate: line.audience == .insiders].events &+= 1 }
            sink(line)
        }
        events.removeAll(keepingCapacity: true)
    }

    /// The log is for everybody.
    private func logTransitions() {
        for transition in engine.takeTransitions() where !setup.regions[transition.region].isPrivate {
            transitionLog?(TransitionText.text(transition, setup))
        }
    }

    private mutating func tally(_ event: GestureEvent) {
        guard let tallies else { return }
        if case .failed(let failure) = event.detail {
            return tallies.entry(setup.regions[event.region]).failed(failure.code).add()
        }
        switch event.phase {
        case nil, .begin: counter(event.region, event.gesture, tallies).add()
        case .update, .end, .cancel: break
        }
    }

    private mutating func counter(_ region: Int, _ gesture: GestureIndex, _ tallies: RegionTallies)
        -> RegionTallies.Counter
    {
        if counters.isEmpty { counters = Array(repeating: [], count: setup.regions.count) }
        if counters[region].isEmpty {
            counters[region] = Array(repeating: nil, count: setup.regions[region].gestures.count)
        }
        if let counter = counters[region][gesture.raw] { return counter }
        let region = (index: region, value: setup.regions[region])
        let counter = tallies.entry(region.value).recognized(region.value.word(ofGesture: gesture))
        counters[region.index][gesture.raw] = counter
        return counter
    }

    mutating func reportFailures() {
        engine.reportsFailures = interest.failures || tallies != nil
    }

    func countLandings() {
        guard let touchMap else { return }
        for change in tracker.frame.changes where change.kind == .landed && !change.id.isPrivate {
            touchMap.count(change.position)
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

/// What one side of a panel (`Sides`) has sent.
package struct LineCounts: Hashable, Sendable, Summable {
    /// Frames that held a change. One that held a change outside of private regions is none of theirs.
    package var frames: Int64 = 0
    /// Gesture lines.
    package var events: Int64 = 0

    package init() {}

    package mutating func add(_ other: Self) {
        frames &+= other.frames
        events &+= other.events
    }
}
