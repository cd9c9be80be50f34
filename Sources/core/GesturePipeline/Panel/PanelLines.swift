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

    /// Encodes an event of the engine into `line`.
    mutating func encode(_ event: GestureEvent) {
        encoder.encode(event, number: numbers.number(of: event), into: &line)
    }
}
