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
    private var pointers: [String: (pointer: VirtualPointer, space: PointerSpace)] = [:]

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
    func makePointers(_ spaces: [String: PointerSpace]) throws(SystemError) {
        pointers = pointers.filter { spaces[$0.key] == $0.value.space }
        for (panel, space) in spaces where pointers[panel] == nil {
            let pointer = try VirtualPointer(
                name: "gestured pointer \(panel)", phys: "gestured/pointer", width: space.width, height: space.height)
            pointers[panel] = (pointer, space)
        }
    }

    /// Does what the mapper has decided. Each device gets its frames with one system call.
    func perform(_ strokes: [Stroke]) throws(SystemError) {
        guard !strokes.isEmpty else { return }
        let time = Timestamp(microseconds: MonotonicClock.now())
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
        guard let (pointer, space) = pointers[panel] else { return }
        let place = space.place(point)
        pointer.move(x: place.x, y: place.y, at: time)
    }
}
