// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline

/// Plays a fixed series of touches on any regions: taps, a long press, a drag across the panel, a swipe, and two
/// fingers that pinch and turn.
enum ScriptedTouches {
    static func play(_ configuration: Configuration) -> String? {
        guard case .ready(let setup) = PanelDecision(device, configuration, fallbackName: "panel") else { return nil }
        var player = StreamPlayer(
            setup, [StreamPlayer.RegionSet(regions: setup.regions, arbitration: setup.arbitration)], isPunctual: true)
        for step in script { player.play(step) }
        player.finish()
        return player.laws.complaint
    }

    private static var device: DeviceDescription {
        let position = AxisRange(minimum: 0, maximum: 999, resolution: 5)
        var device = DeviceDescription(name: "Fuzzed Panel", properties: [1])
        device.axes = [
            Int(EventCode.absMTSlot): AxisRange(minimum: 0, maximum: 4),
            Int(EventCode.absMTTrackingID): AxisRange(minimum: 0, maximum: 65535),
            Int(EventCode.absMTPositionX): position, Int(EventCode.absMTPositionY): position,
        ]
        return device
    }

    private static let script: [StreamMaker.Timed] = {
        var script = Script()
        for (x, y) in [(500, 500), (100, 100), (900, 100), (100, 900), (999, 999), (250, 600)] as [(Int32, Int32)] {
            for _ in 0..<2 {
                script.frame(50, (0, 1, x, y))
                script.frame(60, (0, -1, x, y))
            }
        }
        script.frame(400, (0, 1, 480, 520))
        script.frame(700, (0, 0, 480, 520))
        for step in 0...20 as ClosedRange<Int32> { script.frame(8, (0, 0, 480 + 20 * step, 520 - 10 * step)) }
        script.frame(1, (0, -1, 880, 320))
        script.frame(400, (0, 1, 450, 450))
        script.frame(20, (1, 1, 550, 550))
        for step in 0...20 as ClosedRange<Int32> {
            script.frame(8, (0, 0, 450 - 10 * step, 450 - 5 * step), (1, 0, 550 + 10 * step, 550 - 5 * step))
        }
        script.frame(8, (0, -1, 250, 350))
        script.frame(3000, (1, -1, 750, 450))
        return script.steps
    }()

    private struct Script {
        var steps: [StreamMaker.Timed] = []
        private var time = Timestamp(microseconds: 1_000_000)
        private var tracking: Int32 = 0

        /// Adds a frame after `wait` milliseconds. The change of each slot is 1 (landed), 0 (moved) or -1 (lifted).
        mutating func frame(_ wait: Int64, _ slots: (slot: Int32, change: Int32, x: Int32, y: Int32)...) {
            time = time + .milliseconds(wait)
            for slot in slots {
                add(EventCode.evAbs, EventCode.absMTSlot, slot.slot)
                if slot.change != 0 {
                    tracking += 1
                    add(EventCode.evAbs, EventCode.absMTTrackingID, slot.change > 0 ? tracking : -1)
                }
                add(EventCode.evAbs, EventCode.absMTPositionX, slot.x)
                add(EventCode.evAbs, EventCode.absMTPositionY, slot.y)
            }
            add(EventCode.evSyn, EventCode.synReport, 0)
        }

        private mutating func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
            let event = KernelEvent(time: time, type: type, code: code, value: value)
            steps.append(StreamMaker.Timed(step: .event(event), time: time))
        }
    }
}
