// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol

/// Encodes the lines of one panel, one after the other, in reused memory.
struct PanelLines: ~Copyable {
    var encoder: GestureEncoder
    private var numbers: GestureNumbers
    var line = EventLine()
    /// The kernel events of the current frame; empty while no client records.
    var rawFrame = RawFrame()
    /// The contacts, as told last.
    var touches = TouchesReport()
    /// Identifies the panel's `touches` lines among those of all panels, including removed ones.
    let panel: Int

    init(_ setup: PanelSetup, _ identifiers: Identifiers) {
        panel = identifiers.takePanel()
        encoder = GestureEncoder(setup.regions, size: setup.size, device: setup.device)
        numbers = GestureNumbers(identifiers)
    }

    /// Sends the line of an event of the engine, if any client has subscribed to such lines.
    /// - Returns: whether the event is counted. Updates without a subscriber are not.
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
}
