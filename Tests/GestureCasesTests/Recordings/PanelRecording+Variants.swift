// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// Variants of a recording that must have the same gestures.
extension PanelRecording {
    private var codes: (x: [UInt16], y: [UInt16]) {
        ([EventCode.absX, EventCode.absMTPositionX], [EventCode.absY, EventCode.absMTPositionY])
    }

    private func mapEvents(_ change: (KernelEvent) -> KernelEvent) -> PanelRecording {
        var copy = self
        copy.events = events.map(change)
        return copy
    }

    private func range(_ code: UInt16) -> AxisRange { description.axis(code) ?? AxisRange(minimum: 0, maximum: 0) }

    /// The position as measured from the other end of the axis.
    private static func reversed(_ value: Int32, _ range: AxisRange) -> Int32 {
        Int32(clamping: Int64(range.minimum) + Int64(range.maximum) - Int64(value))
    }

    private func reversedRange(_ code: UInt16) -> AxisRange {
        var range = range(code)
        range.value = Self.reversed(range.value, range)
        return range
    }

    /// Rotates the device by another quarter turn and adapts the calibration matrix, so that the gestures do not
    /// change.
    var turned: PanelRecording {
        var copy = mapEvents { event in
            guard event.type == EventCode.evAbs else { return event }
            var event = event
            if let i = codes.x.firstIndex(of: event.code) {
                event.value = Self.reversed(event.value, range(event.code))
                event.code = codes.y[i]
            } else if let i = codes.y.firstIndex(of: event.code) {
                event.code = codes.x[i]
            }
            return event
        }
        for (x, y) in zip(codes.x, codes.y) where description.axis(x) != nil && description.axis(y) != nil {
            copy.description.axes[Int(y)] = reversedRange(x)
            copy.description.axes[Int(x)] = range(y)
        }
        // u' = v and v' = 1 - 1/n - u, so u = 1 - 1/n - v' and v = u'.
        let count = Double((description.positionAxes?.x.count).map { $0 } ?? 1)
        let m = calibration
        let back = 1 - 1 / count
        copy.calibration = AffineMatrix(m.b, -m.a, m.c + m.a * back, m.e, -m.d, m.f + m.d * back)
        return copy
    }

    /// The recording of a device with `factor` units for each unit of this one.
    func scaled(by factor: Int32) -> PanelRecording {
        func scale(_ value: Int32, _ range: AxisRange) -> Int32 {
            range.minimum &+ (value &- range.minimum) &* factor
        }
        var copy = mapEvents { event in
            var event = event
            if event.type == EventCode.evAbs, (codes.x + codes.y).contains(event.code) {
                event.value = scale(event.value, range(event.code))
            } else if event.type == EventCode.evAbs, event.code == EventCode.absMTTouchMajor {
                event.value = event.value &* factor
            }
            return event
        }
        for code in codes.x + codes.y {
            guard var axis = description.axis(code) else { continue }
            axis.value = scale(axis.value, axis)
            axis.maximum = axis.minimum &+ Int32(clamping: axis.count) &* factor &- 1
            axis.resolution = axis.resolution &* factor
            copy.description.axes[Int(code)] = axis
        }
        if var major = description.axis(EventCode.absMTTouchMajor) {
            major.maximum = major.maximum &* factor
            major.resolution = major.resolution &* factor
            copy.description.axes[Int(EventCode.absMTTouchMajor)] = major
        }
        return copy
    }

    func shifted(by interval: Interval) -> PanelRecording {
        mapEvents { event in
            var event = event
            event.time = event.time + interval
            return event
        }
    }

    /// Reverses the slots and gives every contact another tracking id. The order of the ids stays the same.
    var renumbered: PanelRecording {
        guard case .slots(let count) = touchProtocol else { return self }
        let last = Int32(count - 1)
        var copy = mapEvents { event in
            var event = event
            guard event.type == EventCode.evAbs else { return event }
            if event.code == EventCode.absMTSlot { event.value = last - event.value }
            if event.code == EventCode.absMTTrackingID, event.value >= 0 { event.value = event.value &+ 60_123 }
            return event
        }
        // The first events of a device belong to the slot that its description selects.
        copy.description.axes[Int(EventCode.absMTSlot)]?.value = last - range(EventCode.absMTSlot).value
        return copy
    }

    /// Swaps left and right.
    var mirrored: PanelRecording {
        mapEvents { event in
            var event = event
            if event.type == EventCode.evAbs, codes.x.contains(event.code) {
                event.value = Self.reversed(event.value, range(event.code))
            }
            return event
        }
    }

    /// Adds two empty frames after every third frame: one at the same time, and one half a millisecond later.
    var withEmptyFrames: PanelRecording {
        var copy = self
        copy.frames = frames.enumerated().flatMap { index, frame -> [[KernelEvent]] in
            guard index % 3 == 0, let report = frame.last, report.endsFrame else { return [frame] }
            var later = report
            later.time = report.time + Interval(microseconds: 500)
            let isFree = frames.dropFirst(index + 1).first?.first.map { later.time < $0.time } ?? true
            return isFree ? [frame, [report], [later]] : [frame, [report]]
        }
        return copy
    }

    /// Splits each frame in which no contact lands or lifts into two frames with the same time: first the movements
    /// along x, then those along y.
    var split: PanelRecording {
        var copy = self
        var slot = range(EventCode.absMTSlot).value
        copy.frames = frames.flatMap { frame -> [[KernelEvent]] in
            var (first, second) = ([KernelEvent](), [KernelEvent]())
            for event in frame.dropLast() {
                if event.isSlot { slot = event.value }
                guard event.type == EventCode.evAbs, codes.y.contains(event.code) else {
                    first.append(event)
                    continue
                }
                second += [event.naming(slot), event]
            }
            guard let report = frame.last, report.endsFrame, isMovement(frame), !second.isEmpty, !first.isEmpty else {
                return [frame]
            }
            second.append(report.naming(slot))
            return [first + [report], second + [report]]
        }
        return copy
    }

    /// Splits each frame in which no contact lands or lifts into two frames: half of each movement comes halfway
    /// between the previous frame and this one.
    var halved: PanelRecording {
        var copy = self
        var slot = range(EventCode.absMTSlot).value
        var positions: [Place: Int32] = [:]
        var before = start
        copy.frames = frames.flatMap { frame -> [[KernelEvent]] in
            var first: [KernelEvent] = []
            let initial = slot
            for event in frame where event.type == EventCode.evAbs {
                if event.isSlot { slot = event.value }
                guard (codes.x + codes.y).contains(event.code) else { continue }
                let place = Place(slot: slot, code: event.code)
                if let position = positions[place] {
                    var half = event
                    half.value = position &+ (event.value &- position) / 2
                    first += [half.naming(slot), half]
                }
                positions[place] = event.value
            }
            guard let report = frame.last, report.endsFrame else { return [frame] }
            defer { before = report.time }
            let half = Interval(microseconds: (report.time - before).microseconds / 2)
            guard isMovement(frame), !first.isEmpty, half > .milliseconds(0) else { return [frame] }
            let time = before + half
            return [(first + [report.naming(initial), report]).map { $0.at(time) }, frame]
        }
        return copy
    }

    private struct Place: Hashable {
        var slot: Int32
        var code: UInt16
    }

    private func isMovement(_ frame: [KernelEvent]) -> Bool {
        !frame.contains { event in
            event.type == EventCode.evKey || event.code == EventCode.absMTTrackingID
                || event.type == EventCode.evSyn && !event.endsFrame
        }
    }
}

extension KernelEvent {
    fileprivate var isSlot: Bool { type == EventCode.evAbs && code == EventCode.absMTSlot }

    /// An event with the time of this one that selects the slot of the following events.
    fileprivate func naming(_ slot: Int32) -> KernelEvent {
        KernelEvent(time: time, type: EventCode.evAbs, code: EventCode.absMTSlot, value: slot)
    }

    fileprivate func at(_ time: Timestamp) -> KernelEvent {
        var event = self
        event.time = time
        return event
    }
}
