// SPDX-License-Identifier: MIT
import GestureClient
import GestureEngine
import GestureKeys
import GestureProtocol
import LinuxSystem
import TouchInput

/// The virtual keyboard, and a pointer for each panel whose gestures need one.
final class VirtualDevices {
    private static let keyboardName = "gestured keys"

    private var keyboard: VirtualKeyboard?
    private var pointers: [String: (pointer: VirtualPointer, panel: PointerPanel)] = [:]

    /// Makes the keyboard, unless it exists with the same keys. A new device is not heard before applications have opened
    /// it.
    func makeKeyboard(_ codes: [UInt16]) throws(SystemError) {
        guard keyboard?.codes ?? [] != codes else { return }
        keyboard = nil
        if !codes.isEmpty {
            keyboard = try VirtualKeyboard(name: Self.keyboardName, phys: "gestured/keys", codes: codes)
        }
    }

    /// Makes the pointers of these panels, and removes all others.
    func makePointers(_ panels: [PointerPanel]) throws(SystemError) {
        pointers = pointers.filter { panels.contains($0.value.panel) }
        for panel in panels where pointers[panel.device] == nil {
            // A udev rule reads the panel's seat from this.
            let node = panel.node.split(separator: "/").last ?? ""
            let pointer = try VirtualPointer(
                name: "gestured pointer \(panel.device)", phys: "gestured/\(node)/pointer", width: panel.space.width,
                height: panel.space.height)
            pointers[panel.device] = (pointer, panel)
        }
    }

    /// Does what the mapper has decided. Each device gets its frames with one system call.
    /// - Parameter time: the time in microseconds on the monotonic clock.
    func perform(_ strokes: [Stroke], at time: Int64) throws(SystemError) {
        guard !strokes.isEmpty else { return }
        let time = Timestamp(microseconds: time)
        for stroke in strokes {
            switch stroke {
            case .press(let codes): keyboard?.add(codes, isDown: true, at: time)
            case .release(let codes): keyboard?.add(codes, isDown: false, at: time)
            case .move(let panel, let point): move(panel, to: point, at: time)
            case .click(let button, let panel, let point):
                move(panel, to: point, at: time)
                pointers[panel]?.pointer.click(button.rawValue, at: time)
            case .turn(let turn, let panel):
                pointers[panel]?.pointer.turn(
                    x: turn.x, y: turn.y, stepsX: turn.stepsX, stepsY: turn.stepsY, at: time)
            }
        }
        try keyboard?.flush()
        for entry in pointers.values { try entry.pointer.flush() }
    }

    private func move(_ panel: String, to point: GestureClient.Point, at time: Timestamp) {
        guard let (pointer, panel) = pointers[panel] else { return }
        let place = panel.space.place(point)
        pointer.move(x: place.x, y: place.y, at: time)
    }
}
