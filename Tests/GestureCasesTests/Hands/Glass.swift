// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureEngine
import GesturePipeline
import GestureTestSupport
import Recordings

/// A panel of 344 x 194 mm that reports the width of each contact, and which of them are palms.
enum Glass {
    static let bounds = Rectangle(minX: 0, minY: 0, maxX: 344, maxY: 194)
    private static let unitsPerMillimeter = 40.0
    fileprivate static let slots = 10

    static let description: DeviceDescription = {
        let position = { AxisRange(minimum: 0, maximum: Int32($0 * unitsPerMillimeter) - 1, resolution: 40) }
        var axes: [Int: AxisRange] = [:]
        axes[Int(EventCode.absMTSlot)] = AxisRange(minimum: 0, maximum: Int32(slots - 1))
        axes[Int(EventCode.absMTTrackingID)] = AxisRange(minimum: 0, maximum: 65535)
        axes[Int(EventCode.absMTPositionX)] = position(bounds.maxX)
        axes[Int(EventCode.absMTPositionY)] = position(bounds.maxY)
        axes[Int(EventCode.absMTTouchMajor)] = position(100)
        axes[Int(EventCode.absMTToolType)] = AxisRange(minimum: 0, maximum: 2)
        return DeviceDescription(name: "Glass", properties: [1], keys: [Int(EventCode.btnTouch)], axes: axes)
    }()

    /// The contacts of a recording.
    static func contacts(of recording: Recording) -> [GlassContact] {
        let mapping = AxisMapping(recording.description, output: OutputSettings())
        var tracker = SlotTracker(
            recording.description, protocol: .slots(count: slots), mapping: mapping, filter: FilterSettings())
        let start = recording.events.first?.time ?? Timestamp(microseconds: 0)
        var reports: [ContactID: [(time: Double, position: Point)]] = [:]
        var contacts: [GlassContact] = []
        for event in recording.events where tracker.feed(event) {
            let time = 1000 * (tracker.frame.time - start).seconds
            for change in tracker.frame.changes {
                switch change.kind {
                case .lifted:
                    contacts.append(GlassContact(reports: reports[change.id] ?? [], lift: time))
                default: reports[change.id, default: []].append((time, change.position))
                }
            }
        }
        return contacts.sorted { $0.landing < $1.landing }
    }

    /// The gestures and the ends of gestures that a panel reports for contacts.
    static func play(_ contacts: [GlassContact], _ setup: PanelSetup, seed: UInt64) -> [GestureEvent] {
        var tracker = SlotTracker(
            description, protocol: setup.touchProtocol, mapping: setup.mapping, filter: setup.filter)
        var engine = GestureEngine(setup.regions, arbitration: setup.arbitration, bounds: setup.size.bounds)
        engine.reportsUpdates = false
        tracker.isPrivate = engine.isPrivate
        var events: [GestureEvent] = []
        func advance(to time: Timestamp) {
            while let deadline = tracker.nextDeadline, deadline <= time {
                if tracker.advance(to: deadline) { engine.process(tracker.frame, into: &events) }
            }
        }
        var writer = GlassWriter()
        for time in times(of: contacts, seed: seed) {
            for event in writer.frame(contacts, at: time) {
                advance(to: event.time)
                if tracker.feed(event) { engine.process(tracker.frame, into: &events) }
            }
        }
        while let deadline = engine.nextDeadline { engine.advance(to: deadline, into: &events) }
        return events
    }

    /// The times of the panel's reports. While only contacts that rest are down, four in a second are enough.
    private static func times(of contacts: [GlassContact], seed: UInt64) -> [Double] {
        var random = SeededRandom(seed + 9000)
        let interval = 1000 / random.pick([64.0, 80, 100, 120, 133])
        let busy = contacts.filter(\.isBusy).map { (from: $0.landing - 100, to: $0.lift + 100) }
        let (first, last) = (contacts.map(\.landing).min() ?? 0, contacts.map(\.lift).max() ?? 0)
        var (time, times) = (first, [Double]())
        while time < last {
            times.append(time)
            let isBusy = busy.contains { $0.from <= time && time <= $0.to }
            let next = busy.filter { $0.from > time }.map(\.from).min() ?? .infinity
            time = isBusy ? time + interval * random.number(0.96, 1.04) : min(time + 250, next)
        }
        return times + [last, last + interval]
    }
}

/// Writes the events that a panel's driver and the kernel would report, without repeating unchanged values.
private struct GlassWriter {
    /// The time of the hand's landing, in milliseconds.
    private static let start = 30_000.0
    private static let codes = [
        EventCode.absMTTrackingID, EventCode.absMTPositionX, EventCode.absMTPositionY, EventCode.absMTTouchMajor,
        EventCode.absMTToolType,
    ]
    /// The contact in each slot, and the slot of each contact that has landed.
    private var contacts = [Int?](repeating: nil, count: Glass.slots)
    private var places: [Int: Int] = [:]
    /// The last value of each code in each slot.
    private var values = [[Int32]](repeating: [-1, 0, 0, 0, 0], count: Glass.slots)
    private var current = 0
    private var events: [KernelEvent] = []

    mutating func frame(_ contacts: [GlassContact], at time: Double) -> [KernelEvent] {
        let stamp = Timestamp(microseconds: Int64((Self.start + time) * 1000))
        events.removeAll(keepingCapacity: true)
        for slot in self.contacts.indices {
            guard let contact = self.contacts[slot], contacts[contact].lift <= time else { continue }
            self.contacts[slot] = nil
            set(0, -1, in: slot, stamp)
        }
        for (number, contact) in contacts.enumerated() where contact.landing <= time {
            // A contact that is shorter than a frame is reported once.
            if places[number] == nil, let free = self.contacts.firstIndex(of: nil) {
                places[number] = free
                self.contacts[free] = number
            }
            guard let slot = places[number], self.contacts[slot] == number else { continue }
            let position = contact.path(time)
            set(0, Int32(100 + number), in: slot, stamp)
            set(1, Self.units(position.x, Glass.bounds.maxX), in: slot, stamp)
            set(2, Self.units(position.y, Glass.bounds.maxY), in: slot, stamp)
            set(3, Self.units(contact.width(time), 100), in: slot, stamp)
            set(4, (contact.palmFrom ?? .infinity) <= time ? EventCode.mtToolPalm : 0, in: slot, stamp)
        }
        if !events.isEmpty { events.append(.report(at: stamp)) }
        return events
    }

    /// Writes the value of one of the `codes`, unless it is the same as before.
    private mutating func set(_ code: Int, _ value: Int32, in slot: Int, _ time: Timestamp) {
        guard values[slot][code] != value else { return }
        values[slot][code] = value
        if slot != current { events.append(.axis(EventCode.absMTSlot, Int32(slot), at: time)) }
        current = slot
        events.append(.axis(Self.codes[code], value, at: time))
    }

    private static func units(_ millimeters: Double, _ most: Double) -> Int32 {
        Int32(min(max(millimeters, 0), most - 0.03) * 40)
    }
}
