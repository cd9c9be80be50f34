// SPDX-License-Identifier: MIT
import CEvdev
package import ContactTracking
import GestureEngine
import LinuxSystem

/// Reads the slot table from the kernel instead of deriving it from events.
extension InputDevice {
    /// Returns the slot table for `SlotTracker.setInitial`; `nil` if the kernel does not provide it. Events that are
    /// read afterwards are newer than the table.
    package func initialTable() -> SlotTable? {
        if case .table(let table, _) = settledTable() { table } else { nil }
    }

    /// Reports the kernel's slot table after events were lost, the machine slept, or the panel was silent for a long
    /// time.
    ///
    /// If the axes have changed in the meantime (`EVIOCSABS`), the device is stopped instead, because it must be opened
    /// again.
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

    /// Returns the kernel's value, for each slot, of an axis that `SlotTable` does not contain; `nil` if the kernel
    /// does not provide them.
    package func slotValues(of code: UInt16) -> [Int32]? {
        guard let slots = description.axis(EventCode.absMTSlot), slots.maximum >= 0 else { return nil }
        var values = [Int32](repeating: 0, count: min(Int(slots.maximum) + 1, Admission.maximumSlots))
        let count = CInt(values.count)
        return evdev_slot_values(descriptor.rawValue, UInt32(code), &values, count) < 0 ? nil : values
    }

    /// Whether the slot table contains all contacts. This is not the case with protocol A, which has no slots.
    package var hasFullTable: Bool {
        description.axis(EventCode.absMTSlot) != nil || !description.hasMultitouchPositions
    }

    /// Whether the ranges of the position axes are the same as when the device was opened. A range that the kernel does
    /// not provide is treated as unchanged.
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
        /// The table, and the time for which it is valid. Events that are read afterwards are later.
        case table(SlotTable, Timestamp)
        /// The kernel does not provide the table.
        case unknown(Timestamp)
        case gone
    }

    /// The maximum number of fetches. A fetch takes microseconds, so even a fast panel does not send a frame during
    /// each of four fetches.
    private static var mostFetches: Int { 4 }

    /// Fetches the slot table and discards older events.
    ///
    /// A fetch takes several system calls. If a frame arrived between them, the table would contain a part of it, and
    /// its events would be read afterwards, so that a contact would jump or land twice. Therefore, the fetch is
    /// repeated until no event arrives during it.
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

    /// Reports the loss of events instead of a table, so that the tracker cancels all contacts.
    private func reportUnknownState(at time: Timestamp) {
        let dropped = KernelEvent(time: time, type: EventCode.evSyn, code: EventCode.synDropped, value: 0)
        delegate?.inputDevice(self, received: [dropped, .report(at: time)])
    }
}
