// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine

/// A device and its events.
///
/// A recording made by this project also contains the id of the panel, and the ids that the daemon would have assigned
/// next. With these, a replay prints the same lines as the daemon.
package struct Recording: Hashable, Sendable {
    /// An event of the device, or something that happened to the device or the machine.
    package enum Entry: Hashable, Sendable {
        case event(KernelEvent)
        /// The events up to the next `SYN_REPORT` are not changes. They are the whole slot table, read after the kernel's
        /// buffer had overflowed (see `SlotTable`).
        case resynchronized
        /// The machine was suspended. The time is the last one at which the machine is known to have been awake.
        case suspended(Timestamp)
        /// The panel was unplugged.
        case removed(Timestamp)
    }

    package var description: DeviceDescription
    /// The id of the panel in the daemon's lines; `nil` in a recording of another program.
    package var device: String?
    /// The id of the first contact that lands.
    package var nextContact: Int64
    /// The id of the first sequence that begins.
    package var nextSequence: Int64
    /// The corresponding ids in private regions, without the minus sign.
    package var nextPrivateContact: Int64 = 1
    package var nextPrivateSequence: Int64 = 1
    /// The last position in each slot when the recording began, including empty slots. The kernel does not repeat a
    /// coordinate that did not change, so the first event of the next contact may contain only one of them. If the list is
    /// empty, the positions are the values of the axes.
    package var slots: [SlotState]
    package var entries: [Entry]

    package init(
        description: DeviceDescription, device: String? = nil, nextContact: Int64 = 1, nextSequence: Int64 = 1,
        slots: [SlotState] = [], entries: [Entry] = []
    ) {
        self.description = description
        self.device = device
        self.nextContact = nextContact
        self.nextSequence = nextSequence
        self.slots = slots
        self.entries = entries
    }

    /// The ids of the first contact and the first sequence.
    package var identifiers: Identifiers {
        Identifiers(
            contacts: .init(open: nextContact, hidden: nextPrivateContact),
            sequences: .init(open: nextSequence, hidden: nextPrivateSequence))
    }

    /// The kernel's events, without the other entries.
    package var events: [KernelEvent] {
        entries.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    /// A frame that moves all slots to their initial positions; empty if they are there. A new device needs it, because
    /// it has all slots at 0, and recordings do not repeat positions that did not change.
    package var startFrame: [KernelEvent] {
        let slotAxis = description.axis(EventCode.absMTSlot)
        let current = slotAxis?.value ?? 0
        let moved = slots.enumerated().filter { $0.element.x != 0 || $0.element.y != 0 }
        guard let time = events.first?.time, !moved.isEmpty || current != 0 else { return [] }
        let codes = description.positionCodes
        var frame: [KernelEvent] = []
        for (number, slot) in moved where slotAxis != nil || number == 0 {
            if slotAxis != nil { frame.append(.axis(EventCode.absMTSlot, Int32(clamping: number), at: time)) }
            frame.append(.axis(codes[0], slot.x, at: time))
            frame.append(.axis(codes[1], slot.y, at: time))
        }
        if slotAxis != nil { frame.append(.axis(EventCode.absMTSlot, current, at: time)) }
        return frame + [.report(at: time)]
    }
}

/// The error for bytes that are not a recording.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of mistake.
    package enum Code: Hashable, Sendable {
        case tooLarge, unknownLine, badNumber, outOfRange, wrongOrder, noDescription, unsupportedVersion, badSyntax,
            wrongType, missingKey
    }

    package var code: Code
    /// The line number, counted from 1; 0: the error concerns the whole file.
    package var line: Int
    /// The column, counted from 1; 0: the error concerns the whole line.
    package var column: Int
    /// The mistake, and after a semicolon the remedy.
    package var message: String

    package init(_ code: Code, line: Int, column: Int = 0, _ message: String) {
        self.code = code
        self.line = line
        self.column = column
        self.message = message
    }

    /// The message with its line: `line 12: "0003 0g39" is not a hexadecimal number; evemu writes type and code
    /// as four digits`.
    package var description: String { line > 0 ? "line \(line): \(message)" : message }
}
