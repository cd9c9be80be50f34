// SPDX-License-Identifier: MIT
import GestureClient
import GestureEngine
import GestureKeys
import GestureProtocol
import LinuxSystem
import TouchInput

/// A keyboard and a pointer for each panel whose gestures need them.
final class VirtualDevices {
    private var keyboards: [String: (keyboard: VirtualKeyboard, panel: KeyboardPanel)] = [:]
    private var pointers: [String: (pointer: VirtualPointer, panel: PointerPanel)] = [:]

    /// Makes the keyboards of these panels, and removes all others. A keyboard that exists with the same keys stays, because
    /// a new device is not heard before applications have opened it.
    func makeKeyboards(_ panels: [KeyboardPanel]) throws(SystemError) {
        keyboards = keyboards.filter { panels.contains($0.value.panel) }
        for panel in panels where keyboards[panel.device] == nil {
            let keyboard = try VirtualKeyboard(
                name: "gestured keys \(panel.device)", phys: Self.phys(panel.node, "keys"), codes: panel.codes)
            keyboards[panel.device] = (keyboard, panel)
        }
    }

    /// Makes the pointers of these panels, and removes all others.
    func makePointers(_ panels: [PointerPanel]) throws(SystemError) {
        pointers = pointers.filter { panels.contains($0.value.panel) }
        for panel in panels where pointers[panel.device] == nil {
            let pointer = try VirtualPointer(
                name: "gestured pointer \(panel.device)", phys: Self.phys(panel.node, "pointer"),
                width: panel.space.width, height: panel.space.height)
            pointers[panel.device] = (pointer, panel)
        }
    }

    /// The physical location of a device, from which a udev rule reads the panel whose seat it gets.
    private static func phys(_ node: String, _ kind: String) -> String {
        "gestured/\(node.split(separator: "/").last ?? "")/\(kind)"
    }

    /// Does what the mapper has decided. Each device gets its frames with one system call.
    /// - Parameter time: the time in microseconds on the monotonic clock.
    func perform(_ strokes: [Stroke], at time: Int64) throws(SystemError) {
        guard !strokes.isEmpty else { return }
        let time = Timestamp(microseconds: time)
        for stroke in strokes {
            switch stroke {
            case .press(let codes, let panel): keyboards[panel]?.keyboard.add(codes, isDown: true, at: time)
            case .release(let codes, let panel): keyboards[panel]?.keyboard.add(codes, isDown: false, at: time)
            case .move(let panel, let point): move(panel, to: point, at: time)
            case .click(let button, let panel, let point):
                move(panel, to: point, at: time)
                pointers[panel]?.pointer.click(button.rawValue, at: time)
            case .turn(let turn, let panel):
                pointers[panel]?.pointer.turn(
                    x: turn.x, y: turn.y, stepsX: turn.stepsX, stepsY: turn.stepsY, at: time)
            }
        }
        for entry in keyboards.values { try entry.keyboard.flush() }
        for entry in pointers.values { try entry.pointer.flush() }
    }

    private func move(_ panel: String, to point: GestureClient.Point, at time: Timestamp) {
        guard let (pointer, panel) = pointers[panel] else { return }
        let place = panel.space.place(point)
        pointer.move(x: place.x, y: place.y, at: time)
    }
}
