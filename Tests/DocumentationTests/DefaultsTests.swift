// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

@testable import GestureConfiguration

@Suite("The defaults in docs/configuration.md")
struct DefaultsTests {
    /// A table in docs/configuration.md, and the default values of its keys.
    struct Defaults: CustomTestStringConvertible {
        let table: String
        let values: KeyValuePairs<String, String>
        var testDescription: String { table }
    }

    @Test(
        "are those of the code",
        arguments: [
            tap, longPress, repeating, drag, swipe, pinch, rotate, dial, chain, stroke, pattern, leave, filter, storm,
            wake,
        ])
    func table(defaults: Defaults) throws {
        let page = try #require(Document("docs/configuration.md")).text
        let section = try #require(page.components(separatedBy: "\n### `\(defaults.table)`\n").last)
        let rows = section.components(separatedBy: "\n#")[0].split(separator: "\n")
        #expect(!defaults.values.isEmpty)
        for (key, value) in defaults.values {
            let row = try #require(rows.first { $0.hasPrefix("| `\(key)` |") }, "\(defaults.table) has no \(key)")
            #expect(row.filter { !"`\"".contains($0) }.hasSuffix(" | \(value) |"), "\(key): \(value)")
        }
    }

    private static var tap: Defaults {
        let tap = TapSettings()
        return Defaults(
            table: "tap",
            values: [
                "slop": mm(tap.slop), "max_time": time(tap.maxTime), "group": time(tap.group), "gap": time(tap.gap),
                "min_gap": time(tap.minGap), "bounce_distance": mm(tap.bounceDistance), "distance": mm(tap.distance),
                "max_lift_spread": tap.maxLiftSpread.map(time) ?? "off", "inside": "\(tap.staysInside)",
            ])
    }

    private static var longPress: Defaults {
        let longPress = LongPressSettings()
        return Defaults(
            table: "long_press",
            values: [
                "delay": time(longPress.delay), "slop": mm(longPress.slop), "inside": "\(longPress.staysInside)",
                "cancel_slop": mm(longPress.cancelSlop),
            ])
    }

    private static var repeating: Defaults {
        let settings = RepeatSettings()
        return Defaults(
            table: "repeat",
            values: [
                "delay": time(settings.delay), "interval": time(settings.interval),
                "accelerate": "\(settings.accelerate)", "min_interval": time(settings.minInterval),
                "max_duration": time(settings.maxDuration),
            ])
    }

    private static var drag: Defaults {
        let drag = DragSettings()
        return Defaults(
            table: "drag",
            values: [
                "start": mm(drag.start), "axis": "\(drag.axis)", "from": "\(drag.from)", "lock": "\(drag.isLocked)",
                "step": mm(drag.step), "zoom": "\(drag.zoom)", "min_fingers": "\(drag.minFingers)",
            ])
    }

    private static var swipe: Defaults {
        let swipe = SwipeSettings()
        #expect(swipe.directions == [.left, .right, .up, .down])
        return Defaults(
            table: "swipe",
            values: [
                "min_distance": mm(swipe.minDistance), "max_time": time(swipe.maxTime),
                "min_velocity": "\(mm(swipe.minVelocity))/s",
                "max_deviation": swipe.maxDeviation.map { "\($0)" } ?? "off",
                "rest": time(swipe.rest), "group": time(swipe.group), "directions": "the first four",
                "when": "\(swipe.when)",
            ])
    }

    private static var pinch: Defaults {
        let pinch = PinchSettings()
        #expect(pinch.directions == [.in, .out])
        return Defaults(
            table: "pinch",
            values: [
                "start": mm(pinch.start), "min_span": mm(pinch.minSpan), "directions": "both", "step": mm(pinch.step),
            ])
    }

    private static var rotate: Defaults {
        let rotate = RotateSettings()
        #expect(rotate.directions == [.clockwise, .counterclockwise])
        return Defaults(
            table: "rotate",
            values: ["start": "\(Int(rotate.start))", "directions": "both", "step": "\(Int(rotate.step))"])
    }

    private static var dial: Defaults {
        let dial = DialSettings()
        #expect(dial.directions == [.clockwise, .counterclockwise])
        return Defaults(
            table: "dial",
            values: [
                "center": "\(dial.center)", "start": "\(Int(dial.start))", "directions": "both",
                "step": "\(Int(dial.step))", "min_radius": mm(dial.minRadius),
            ])
    }

    private static var chain: Defaults {
        let chain = ChainSettings()
        return Defaults(
            table: "chain",
            values: [
                "path": "required", "min_segment": mm(chain.minSegment), "max_time": time(chain.maxTime),
                "when": "\(chain.when)",
            ])
    }

    private static var stroke: Defaults {
        let stroke = StrokeSettings()
        return Defaults(
            table: "stroke",
            values: [
                "points": "required", "min_score": "\(stroke.minScore)", "rotation": "\(Int(stroke.rotation))",
                "closed": "\(stroke.closed)", "min_length": mm(stroke.minLength),
            ])
    }

    private static var pattern: Defaults {
        let pattern = PatternSettings()
        return Defaults(
            table: "pattern",
            values: [
                "max_gap": time(pattern.maxGap), "timeout": time(pattern.timeout), "attempts": "\(pattern.attempts)",
                "lockout": time(pattern.lockout),
            ])
    }

    private static var leave: Defaults {
        Defaults(table: "leave", values: ["outside": mm(ReadmeExample.regions.first?.leaveDistance)])
    }

    private static var filter: Defaults {
        let filter = FilterSettings()
        return Defaults(
            table: "[filter]",
            values: [
                "palm": filter.palmCancels ? "cancel" : "ignore", "max_touch": mm(filter.maxTouch),
                "max_contact_age": filter.maxContactAge.map(time) ?? "off", "storm": filter.storm == nil ? "off" : "on",
                "bridge": filter.bridge.map(time) ?? "off",
            ])
    }

    private static var storm: Defaults {
        let storm = FilterSettings().storm
        return Defaults(
            table: "storm",
            values: [
                "contacts_per_second": storm.map { "\($0.contactsPerSecond)" } ?? "off",
                "quiet": storm.map { time($0.quiet) } ?? "off",
            ])
    }

    private static var wake: Defaults {
        let wake = WakeSettings()
        return Defaults(
            table: "wake",
            values: [
                "display": wake.display ?? "auto", "guard": time(wake.quiet), "key": wake.key.map { "\($0)" } ?? "none",
                "give_up": wake.patience.map { time($0) } ?? "off",
            ])
    }

    private static func mm(_ length: Double?) -> String { length.map { "\(Int($0))mm" } ?? "off" }

    private static func time(_ interval: Interval) -> String {
        let milliseconds = interval.wholeMilliseconds
        return milliseconds >= 1000 && milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}
