// SPDX-License-Identifier: MIT
import CEvdev
package import ContactTracking
import GestureEngine
import LinuxSystem

/// Reading the slot table from the kernel instead of following the events.
extension InputDevice {
    /// The slot table for `SlotTracker.setInitial`: events that are read afterwards are later. `nil` when the kernel
    /// does not say.
    package func initialTable() -> SlotTable? {
        if case .table(let table, _) = settledTable() { table } else { nil }
    }

    /// Reports the kernel's slot table: after events were lost, the machine slept, or the panel was silent for long.
    ///
    /// A device whose axes have changed meanwhile (`EVIOCSABS`) is stopped instead: it must be opened again.
    package func resynchronize() {
        guard isStarted else { return }
        guard isAsDescribed else {
            let delegate = self.delegate
            stop()
            delegate?.inputDeviceHasOtherAxes(self)
            return
        }
        switch settledTable() {
        case .table(let table, let time): delegate?.inputDevice(self, resynchronized: table, at: time)
        case .unknown(let time): reportUnknownState(at: time)
        case .gone: lose()
        }
    }

    /// The kernel's values of an axis that `SlotTable` does not hold, by slot; `nil` when the kernel does not say.
    package func slotValues(of code: UInt16) -> [Int32]? {
        guard let slots = description.axis(EventCode.absMTSlot), slots.maximum >= 0 else { return nil }
        var values = [Int32](repeating: 0, count: min(Int(slots.maximum) + 1, Admission.maximumSlots))
        let count = CInt(values.count)
        return evdev_slot_values(descriptor.rawValue, UInt32(code), &values, count) < 0 ? nil : values
    }

    /// Whether the slot table holds all contacts; protocol A has no slots.
    package var hasFullTable: Bool {
        description.axis(EventCode.absMTSlot) != nil || !description.hasMultitouchPositions
    }

    /// Whether the ranges of its position axes are those that it was opened with. Where the kernel does not say, they
    /// count as unchanged.
    package var isAsDescribed: Bool {
        guard evdev != nil else { return true }
        for code in description.positionCodes {
            var now = input_absinfo()
            guard let axis = description.axis(code), evdev_axis(descriptor.rawValue, UInt32(code), &now) >= 0 else {
                continue
            }
            let isSame = now.minimum == axis.minimum && now.maximum == axis.maximum
            guard isSame, now.resolution == axis.resolution else { return false }
        }
        return true
    }

    private enum Settled {
        /// As of a time; events that are read next are later.
        case table(SlotTable, Timestamp)
        /// The kernel does not say.
        case unknown(Timestamp)
        case gone
    }

    /// A fetch takes microseconds; no panel reports so often that a frame comes during each of four.
    private static var mostFetches: Int { 4 }

    /// Fetches the slot table and throws away events that are older.
    ///
    /// It takes several calls. Of a frame that comes between them the table holds a part, and its events would be read
    /// afterwards: a contact would jump, or land twice. So the table is fetched again until nothing came meanwhile.
    private func settledTable() -> Settled {
        var result = Settled.gone
        for _ in 0..<Self.mostFetches {
            guard reader.discard(from: descriptor.rawValue) else { return .gone }
            let time = Timestamp(microseconds: MonotonicClock.now())
            result = slotTable().map { .table($0, time) } ?? .unknown(time)
            if !hasMore { break }
        }
        return result
    }

    /// Reports the loss of events itself: the tracker then cancels all contacts.
    private func reportUnknownState(at time: Timestamp) {
        let dropped = KernelEvent(time: time, type: EventCode.evSyn, code: EventCode.synDropped, value: 0)
        delegate?.inputDevice(self, received: [dropped, .report(at: time)])
    }
}
