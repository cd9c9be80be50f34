// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureProtocol

/// Makes the lines of one panel, one after the other in memory that is used again.
struct PanelLines: ~Copyable {
    var encoder: GestureEncoder
    private var numbers: GestureNumbers
    /// The line that is being made.
    var line = EventLine()
    /// The kernel's events of the frame that is under way; empty while no client records.
    var rawFrame = RawFrame()
    /// Memory for `touches` lines.
    var contacts: [PanelContact] = []
    var filtered: [FilteredContact] = []
    /// Distinguishes the panel's `touches` lines from those of all other panels, also of those that are gone.
    let panel: Int

    init(_ setup: PanelSetup, _ identifiers: Identifiers) {
        panel = identifiers.takePanel()
        encoder = GestureEncoder(setup.regions, size: setup.size, device: setup.device)
        numbers = GestureNumbers(identifiers)
    }

    /// Sends the line of an event of the engine, if clients want such lines.
    /// - Returns: whether the event counts; updates that nobody wants do not.
    mutating func send(_ event: GestureEvent, _ interest: LineInterest, _ sink: PanelPipeline.Sink) -> Bool {
        if case .update = event.phase {
            guard interest.updates else { return false }
        } else if case .failed = event.detail, !interest.failures {
            return true
        }
        encoder.encode(event, number: numbers.number(of: event), into: &line)
        sink(line)
        return true
    }

    /// Sends and forgets changes of idle times.
    mutating func send(_ changes: inout [IdleWatch.Change], _ sink: PanelPipeline.Sink) {
        guard !changes.isEmpty else { return }
        for change in changes {
            change.encode(into: &line)
            sink(line)
        }
        changes.removeAll(keepingCapacity: true)
    }

    /// Sends and forgets the raw frame.
    mutating func sendRawFrame(
        _ device: String, at time: Timestamp, mark: RawFrame.Mark? = nil, _ sink: PanelPipeline.Sink
    ) {
        rawFrame.encode(device: device, subject: encoder.panelSubject, at: time, mark: mark, into: &line)
        rawFrame.removeAll()
        sink(line)
    }
}
