// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
import ContactTracking
import GestureEngine
import LinuxSystem

/// Asking the kernel how the slots are, instead of following the events.
extension InputDevice {
    /// How its slots are, with nothing left to read that is older, for `SlotTracker.setInitial`; `nil`
    /// when the kernel does not say.
    package func initialTable() -> KernelSlots? {
        if case .table(let table, _) = settledTable() { table } else { nil }
    }

    /// Fetches the slots: after events were lost, after the machine slept, or after a long silence.
    ///
    /// A device whose axes were changed meanwhile (`EVIOCSABS`) is stopped: opened anew, it is described anew.
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

    /// Whether `slotTable()` tells all that events tell: not so with protocol A, which has no slots.
    package var hasFullTable: Bool {
        description.axis(EventCode.absMTSlot) != nil || !description.hasMultitouchPositions
    }

    /// Whether the ranges of its positions are what they were when it was opened. One that does not say
    /// counts as unchanged.
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
        /// As of a time; what is read next is later.
        case table(KernelSlots, Timestamp)
        /// The kernel does not say.
        case unknown(Timestamp)
        case gone
    }

    /// No panel reports so often that a frame comes within the microseconds of each of four.
    private static var mostFetches: Int { 4 }

    /// Fetches the slots and throws away what is older.
    ///
    /// The table comes by several calls. A frame between them is in it by half, and would be read again
    /// afterwards: a contact would jump, or land twice. So it is fetched anew until nothing came meanwhile.
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

    /// The tracker takes a loss that nobody repairs as the end of all contacts.
    private func reportUnknownState(at time: Timestamp) {
        let events = [
            KernelEvent(time: time, type: EventCode.evSyn, code: EventCode.synDropped, value: 0),
            KernelEvent(time: time, type: EventCode.evSyn, code: EventCode.synReport, value: 0),
        ]
        events.withUnsafeBufferPointer { delegate?.inputDevice(self, received: $0) }
    }
}
