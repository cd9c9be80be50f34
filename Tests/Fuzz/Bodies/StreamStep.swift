// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// A step on a panel: a kernel event, or an action of the daemon or of a client.
enum StreamStep {
    case event(KernelEvent)
    case resynchronize(SlotTable)
    case cancel(CancelReason)
    case remove
    /// A client cancels the gestures of one region.
    case cancelRegion(Int, CancelReason)
    /// The other set of regions replaces the current one.
    case replace(CancelReason)
    /// The bits select the lines that clients subscribe to: updates, touches, frames and failures.
    case interest(UInt8)
    case advance
}

/// Derives steps from bytes. Most are touches; some are events that no panel should send.
struct StreamMaker {
    struct Timed {
        var step: StreamStep
        var time: Timestamp
    }

    private(set) var steps: [Timed] = []
    /// Whether times have never decreased.
    private(set) var isMonotonic = true
    private(set) var time = Timestamp(microseconds: 1_000_000)
    private let device: DeviceDescription
    private let isSingleTouch: Bool
    private let isUnslotted: Bool
    private var nextTracking: Int32 = 1

    private static let waits: [Int64] = [
        8_333, 0, 1, 1_000, 16_000, 39_999, 40_000, 84_000, 100_000, 149_000, 151_000, 299_000, 300_000, 301_000,
        499_999, 500_000, 1_000_000, 3_000_000, 61_000_000,
    ]

    init(_ device: DeviceDescription) {
        self.device = device
        isSingleTouch = !device.hasMultitouchPositions
        isUnslotted = !isSingleTouch && device.axis(EventCode.absMTSlot) == nil
    }

    mutating func step(_ bytes: inout FuzzBytes) {
        let kind = bytes.byte() & 31
        switch kind {
        case 0...3: land(&bytes)
        case 4, 5: lift(&bytes)
        case 6...9: move(&bytes)
        case 10...15: report(&bytes)
        case 16: add(EventCode.evAbs, EventCode.absMTSlot, Int32(Int8(bitPattern: bytes.byte())))
        case 17: add(EventCode.evAbs, EventCode.absMTTrackingID, Int32(bytes.int16()))
        case 18: add(EventCode.evAbs, bytes.flip() ? codes.x : codes.y, bytes.int32())
        case 19: add(EventCode.evKey, EventCode.btnTouch, Int32(bytes.below(3)))
        case 20, 21: width(&bytes)
        case 22: add(EventCode.evSyn, EventCode.synDropped, 0)
        case 23: add(UInt16(bytes.below(24)), UInt16(bitPattern: bytes.int16()), bytes.int32())
        case 24: resynchronize(&bytes)
        case 25: cancel(&bytes)
        case 26: append(.replace(bytes.pick([.reload, .client])))
        case 27: append(.interest(bytes.byte()))
        case 28: append(.remove)
        case 29: goBack(&bytes)
        default:
            wait(&bytes)
            append(.advance)
        }
    }

    /// Ends all contacts, either with events or with a cancel or a removal of the panel.
    mutating func end(_ way: UInt8) {
        add(EventCode.evSyn, EventCode.synReport, 0)
        switch way & 3 {
        case 0: append(.cancel(.suspend))
        case 1: append(.remove)
        default:
            for slot in 0..<Int32(64) {
                add(EventCode.evAbs, EventCode.absMTSlot, slot)
                add(EventCode.evAbs, EventCode.absMTTrackingID, -1)
            }
            add(EventCode.evKey, EventCode.btnTouch, 0)
            add(EventCode.evSyn, EventCode.synReport, 0)
        }
    }

    // MARK: Touches

    private mutating func land(_ bytes: inout FuzzBytes) {
        select(bytes.byte())
        if isSingleTouch {
            add(EventCode.evKey, EventCode.btnTouch, 1)
        } else {
            add(EventCode.evAbs, EventCode.absMTTrackingID, nextTracking)
            nextTracking += 1
        }
        position(&bytes)
    }

    private mutating func lift(_ bytes: inout FuzzBytes) {
        select(bytes.byte())
        if isSingleTouch {
            add(EventCode.evKey, EventCode.btnTouch, 0)
        } else if isUnslotted {
            // In protocol A, a contact that has lifted is no longer listed.
            endContact()
        } else {
            add(EventCode.evAbs, EventCode.absMTTrackingID, -1)
        }
    }

    private mutating func move(_ bytes: inout FuzzBytes) {
        select(bytes.byte())
        if isUnslotted { add(EventCode.evAbs, EventCode.absMTTrackingID, Int32(bytes.byte() % 8)) }
        position(&bytes)
    }

    private mutating func endContact() { add(EventCode.evSyn, EventCode.synMTReport, 0) }

    private mutating func report(_ bytes: inout FuzzBytes) {
        add(EventCode.evSyn, EventCode.synReport, 0)
        wait(&bytes)
    }

    private mutating func width(_ bytes: inout FuzzBytes) {
        let code = bytes.pick([EventCode.absMTTouchMajor, EventCode.absMTToolType, EventCode.absMTDistance])
        add(EventCode.evAbs, code, Int32(bytes.byte()))
    }

    private mutating func resynchronize(_ bytes: inout FuzzBytes) {
        var slots: [SlotState] = []
        for slot in 0..<bytes.below(12) {
            let id = bytes.byte()
            // The tracking id is usually that of the contact in the slot, but sometimes a different one.
            let tracking = id & 1 == 0 ? Int32(slot) + nextTracking - 10 : Int32(id) - 9
            slots.append(
                SlotState(trackingID: tracking, x: coordinate(&bytes, codes.x), y: coordinate(&bytes, codes.y)))
        }
        append(.resynchronize(SlotTable(slots: slots, current: bytes.flip() ? bytes.below(12) : nil)))
    }

    private mutating func select(_ byte: UInt8) {
        if !isSingleTouch { add(EventCode.evAbs, EventCode.absMTSlot, Int32(byte % 6)) }
    }

    private var codes: (x: UInt16, y: UInt16) {
        let codes = device.positionCodes
        return (codes[0], codes[1])
    }

    private mutating func position(_ bytes: inout FuzzBytes) {
        add(EventCode.evAbs, codes.x, coordinate(&bytes, codes.x))
        add(EventCode.evAbs, codes.y, coordinate(&bytes, codes.y))
        if isUnslotted { endContact() }
    }

    /// A coordinate in steps of 1/256 of the axis.
    private func coordinate(_ bytes: inout FuzzBytes, _ code: UInt16) -> Int32 {
        let axis = device.axis(code) ?? AxisRange(minimum: 0, maximum: 0)
        return Int32(clamping: Int64(axis.minimum) + axis.count * Int64(bytes.byte()) / 256)
    }

    private mutating func cancel(_ bytes: inout FuzzBytes) {
        let reason = bytes.pick(CancelReason.allCases)
        append(bytes.flip() ? .cancel(reason) : .cancelRegion(bytes.below(6), reason))
    }

    // MARK: Time

    private mutating func wait(_ bytes: inout FuzzBytes) {
        time = time + Interval(microseconds: bytes.pick(Self.waits))
    }

    private mutating func goBack(_ bytes: inout FuzzBytes) {
        isMonotonic = false
        time = Timestamp(microseconds: max(0, time.microseconds - bytes.pick(Self.waits)))
    }

    private mutating func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        append(.event(KernelEvent(time: time, type: type, code: code, value: value)))
    }

    private mutating func append(_ step: StreamStep) {
        steps.append(Timed(step: step, time: time))
    }
}
