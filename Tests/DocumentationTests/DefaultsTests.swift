// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureTestSupport
import Testing

@testable import GestureConfiguration

@Suite("The defaults in docs/gestures.md")
struct DefaultsTests {
    @Test(
        "are those of the code",
        arguments: [
            ("tap", tap), ("long_press", longPress), ("repeat", repeating), ("drag", drag), ("swipe", swipe),
            ("pinch", pinch), ("rotate", rotate), ("pattern", pattern), ("leave", leave), ("filter", filter),
        ])
    func row(gesture: String, defaults: String) throws {
        let page = try #require(Document("docs/gestures.md"))
        let rows = page.text.split(separator: "\n").filter { $0.hasPrefix("| \(gesture) | ") }
        #expect(rows.contains { $0.hasPrefix("| \(gesture) | \(defaults) |") }, "\(gesture): \(defaults)")
    }

    /// A press has no limits.
    @Test("are given for each kind", arguments: GestureType.kinds.filter { $0 != .press })
    func kind(type: GestureType) throws {
        let page = try #require(Document("docs/gestures.md")).text
        let heading = try #require(page.firstRange(of: "\n## Defaults\n"))
        let table = page[heading.upperBound...].prefix { $0 != "#" }
        #expect(table.contains("\n| \(type.rawValue) | "))
    }

    private static var tap: String {
        let tap = TapSettings()
        return "slop \(mm(tap.slop)), max_time \(ms(tap.maxTime)), group \(ms(tap.group)), gap \(ms(tap.gap)), "
            + "min_gap \(ms(tap.minGap)), bounce_distance \(mm(tap.bounceDistance)), distance \(mm(tap.distance)), "
            + "max_lift_spread \(tap.maxLiftSpread.map(ms) ?? "off"), inside \(tap.staysInside ? "on" : "off")"
    }

    private static var longPress: String {
        let longPress = LongPressSettings()
        return "delay \(ms(longPress.delay)), slop \(mm(longPress.slop)), "
            + "inside \(longPress.staysInside ? "on" : "off"), cancel_slop \(longPress.cancelSlop.map(mm) ?? "off")"
    }

    private static var repeating: String {
        let settings = RepeatSettings()
        return "delay \(ms(settings.delay)), interval \(ms(settings.interval)), accelerate \(settings.accelerate), "
            + "min_interval \(ms(settings.minInterval)), max_duration \(seconds(settings.maxDuration))"
    }

    private static var drag: String {
        let drag = DragSettings()
        return "start \(mm(drag.start)), axis \(drag.axis), from \(drag.from), lock \(drag.isLocked ? "on" : "off"), "
            + "step \(mm(drag.step)), zoom \(drag.zoom ? "on" : "off")"
    }

    private static var swipe: String {
        let swipe = SwipeSettings()
        let deviation = swipe.maxDeviation.map { "\($0)°" } ?? "off"
        let directions = swipe.directions.map { "\($0)" }.joined(separator: " ")
        return "min_distance \(mm(swipe.minDistance)), max_time \(ms(swipe.maxTime)), "
            + "min_velocity \(mm(swipe.minVelocity))/s, max_deviation \(deviation), rest \(ms(swipe.rest)), "
            + "group \(ms(swipe.group)), directions \(directions), when \(swipe.when)"
    }

    private static var pinch: String {
        let pinch = PinchSettings()
        let directions = pinch.directions.map { "\($0)" }.joined(separator: " ")
        return
            "start \(mm(pinch.start)), min_span \(mm(pinch.minSpan)), directions \(directions), step \(mm(pinch.step))"
    }

    private static var rotate: String {
        let rotate = RotateSettings()
        let directions = rotate.directions.map { $0 == .clockwise ? "cw" : "ccw" }.joined(separator: " ")
        return "start \(Int(rotate.start))°, directions \(directions), step \(Int(rotate.step))°"
    }

    private static var pattern: String {
        let pattern = PatternSettings()
        return "max_gap \(seconds(pattern.maxGap)), timeout \(seconds(pattern.timeout)), "
            + "attempts \(pattern.attempts), lockout \(seconds(pattern.lockout))"
    }

    private static var leave: String { "outside \(mm(ReadmeExample.regions.first?.leaveDistance))" }

    private static var filter: String {
        let filter = FilterSettings()
        let palm = filter.palmCancels ? "cancel" : "ignore"
        let storm = filter.storm.map { "\($0.contactsPerSecond) contacts a second and \(seconds($0.quiet)) quiet" }
        return "palm \(palm), max_touch \(mm(filter.maxTouch)), "
            + "max_contact_age \(filter.maxContactAge.map(seconds) ?? "off"), storm \(storm ?? "off")"
    }

    private static func mm(_ length: Double?) -> String { length.map { "\(Int($0)) mm" } ?? "off" }
    private static func ms(_ interval: Interval) -> String { "\(interval.wholeMilliseconds) ms" }
    private static func seconds(_ interval: Interval) -> String { "\(Int(interval.seconds)) s" }
}
