// SPDX-License-Identifier: MIT
package import GestureEngine

/// Plays a touch script to an engine on a panel of 200 x 100 mm, and returns its events as text.
///
/// Each event is a line `TIME_MS NAME [PHASE] [DETAILS]`; if there are several regions, the name is `REGION.NAME`.
/// After the script, time passes until nothing is pending.
///
/// - Parameters:
///   - failures: whether the text includes failures.
///   - others: the sets of regions that `reload 1`, `reload 2`, … switch to; `reload 0` is `regions`.
package func simulate(
    _ regions: [Region], _ script: String, arbitration: ArbitrationSettings = ArbitrationSettings(),
    updates: Bool = true, failures: Bool = false, others: [[Region]] = []
) -> String {
    var engine = GestureEngine(
        regions, arbitration: arbitration, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
    engine.reportsUpdates = updates
    return simulate(&engine, failures ? "failures on; \(script)" : script, others: others)
}

/// Plays a touch script on an engine that the caller examines afterwards.
package func simulate(_ engine: inout GestureEngine, _ script: String, others: [[Region]] = []) -> String {
    let script = TouchScript(script)
    let sets = [engine.regions] + others
    var lines = script.mistakes.map { "cannot read: \($0)" }
    var time = Timestamp(microseconds: 0)
    for step in script.steps {
        let regions = engine.regions
        var events: [GestureEvent] = []
        switch step {
        case .wait(let interval): time = time + interval
        case .frame(let changes): engine.process(TouchFrame(time: time, changes: changes), into: &events)
        case .advance: engine.advance(to: time, into: &events)
        case .reload(let set):
            engine.replaceRegions(sets[min(max(set, 0), sets.count - 1)], at: time, into: &events)
        case .updates(let isOn): engine.reportsUpdates = isOn
        case .failures(let isOn): engine.reportsFailures = isOn
        }
        lines += events.map { describe($0, regions) }
    }
    var events: [GestureEvent] = []
    while let deadline = engine.nextDeadline { engine.advance(to: deadline, into: &events) }
    lines += events.map { describe($0, engine.regions) }
    return lines.joined(separator: "\n")
}

/// A region for a test that covers the whole panel.
package func region(_ gestures: [GestureSettings]) -> Region {
    region("r", gestures)
}

package func region(_ id: String, pass: Bool = false, _ gestures: [GestureSettings]) -> Region {
    region(id, (0, 0, 200, 100), pass: pass, gestures)
}

/// Lets tests write the index of a region as a number.
extension RegionIndex: ExpressibleByIntegerLiteral {
    package init(integerLiteral raw: Int) { self.init(raw: raw) }
}

/// A rectangular region for a test.
package func region(
    _ id: String, _ box: (x: Double, y: Double, width: Double, height: Double), parent: RegionIndex? = nil,
    pass: Bool = false, _ gestures: [GestureSettings]
) -> Region {
    let box = Rectangle(minX: box.x, minY: box.y, maxX: box.x + box.width, maxY: box.y + box.height)
    return Region(
        id: id, shape: .rectangle(box), bounds: box, clip: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100),
        parent: parent, pass: pass,
        gestures: gestures.map { Gesture(name: kindWord($0), word: kindWord($0), settings: $0) })
}

/// A region for a test whose gestures have rules.
package func region(
    _ id: String = "r", _ box: (x: Double, y: Double, width: Double, height: Double) = (0, 0, 200, 100),
    parent: RegionIndex? = nil, pass: Bool = false, rules gestures: [Gesture]
) -> Region {
    var region = region(id, box, parent: parent, pass: pass, [])
    region.gestures = gestures
    return region
}

/// A tap with settings that differ from the defaults.
package func tap(
    fingers: Int = 1, count: Int = 1, wait: Bool = false, _ change: (inout TapSettings) -> Void = { _ in }
) -> GestureSettings {
    var settings = TapSettings()
    settings.fingers = fingers
    settings.count = count
    settings.wait = wait
    change(&settings)
    return .tap(settings)
}

package func longPress(fingers: Int = 1, _ change: (inout LongPressSettings) -> Void = { _ in }) -> GestureSettings {
    var settings = LongPressSettings()
    settings.fingers = fingers
    change(&settings)
    return .longPress(settings)
}

package func repeating(_ change: (inout RepeatSettings) -> Void = { _ in }) -> GestureSettings {
    var settings = RepeatSettings()
    change(&settings)
    return .repeat(settings)
}

package func drag(fingers: Int = 1, _ change: (inout DragSettings) -> Void = { _ in }) -> GestureSettings {
    var settings = DragSettings()
    settings.fingers = fingers
    change(&settings)
    return .drag(settings)
}

package func swipe(fingers: Int = 1, _ change: (inout SwipeSettings) -> Void = { _ in }) -> GestureSettings {
    var settings = SwipeSettings()
    settings.fingers = fingers
    change(&settings)
    return .swipe(settings)
}

package func chain(_ path: [SwipeDirection], _ change: (inout ChainSettings) -> Void = { _ in }) -> GestureSettings {
    var settings = ChainSettings()
    settings.path = path
    change(&settings)
    return .chain(settings)
}

package func pinch(_ change: (inout PinchSettings) -> Void = { _ in }) -> GestureSettings {
    var settings = PinchSettings()
    change(&settings)
    return .pinch(settings)
}

package func rotate(_ change: (inout RotateSettings) -> Void = { _ in }) -> GestureSettings {
    var settings = RotateSettings()
    change(&settings)
    return .rotate(settings)
}

package func dial(_ change: (inout DialSettings) -> Void = { _ in }) -> GestureSettings {
    var settings = DialSettings()
    change(&settings)
    return .dial(settings)
}

/// A stroke with one template, given as the coordinates of its points.
package func stroke(_ points: [(Double, Double)], _ change: (inout StrokeSettings) -> Void = { _ in })
    -> GestureSettings
{
    var settings = StrokeSettings()
    settings.templates = [StrokeTemplate(points.map { Point(x: $0.0, y: $0.1) })]
    change(&settings)
    return .stroke(settings)
}

/// A pattern with a step such as `tap corner_tl` for each gesture and region.
package func pattern(_ steps: [String], _ change: (inout PatternSettings) -> Void = { _ in }) -> GestureSettings {
    var settings = PatternSettings()
    settings.steps = steps.map {
        let words = $0.split(separator: " ").map(String.init)
        return PatternSettings.Step(gesture: words.first ?? "", region: words.last ?? "")
    }
    change(&settings)
    return .pattern(settings)
}

package let press = GestureSettings.press(PressSettings())

extension Gesture {
    /// A gesture for a test, with rules, and with a name if it differs from the word of its kind.
    package init(
        _ settings: GestureSettings, name: String? = nil, after: [String] = [], unless: [String] = [],
        exclusive: Bool = false
    ) {
        self.init(name: name ?? kindWord(settings), word: kindWord(settings), settings: settings)
        self.after = after
        self.unless = unless
        self.exclusive = exclusive
    }
}

extension ArbitrationSettings {
    /// Creates settings in which neither gesture of a pair such as `list.drag & slider.drag` cancels the other.
    package init(simultaneous pairs: [String] = [], priority: [GestureKind] = []) {
        self.init()
        simultaneous = pairs.compactMap { pair in
            let names = pair.split { " &.".contains($0) }.map(String.init)
            guard names.count == 4 else { return nil }
            return Pair(
                Reference(region: names[0], gesture: names[1]), Reference(region: names[2], gesture: names[3]))
        }
        self.priority = priority
    }
}

private func kindWord(_ settings: GestureSettings) -> String {
    switch settings {
    case .press: return "press"
    case .tap(let tap):
        let count = tap.count == 1 ? "tap" : tap.count == 2 ? "double_tap" : "tap\(tap.count)"
        return tap.fingers == 1 ? count : "\(tap.fingers)-finger \(count)"
    case .longPress(let longPress):
        return longPress.fingers == 1 ? "long_press" : "\(longPress.fingers)-finger long_press"
    case .repeat: return "repeat"
    case .drag(let drag): return drag.fingers == 1 ? "drag" : "\(drag.fingers)-finger drag"
    case .swipe(let swipe): return swipe.fingers == 1 ? "swipe" : "\(swipe.fingers)-finger swipe"
    case .pinch: return "pinch"
    case .rotate: return "rotate"
    case .dial: return "dial"
    case .chain: return "chain"
    case .stroke: return "stroke"
    case .pattern: return "pattern"
    }
}

private func describe(_ event: GestureEvent, _ regions: [Region]) -> String {
    let region = regions[event.region]
    var words = [milliseconds(event.time.microseconds)]
    words.append((regions.count > 1 ? region.id + "." : "") + region.gestures[event.gesture].name)
    switch event.phase {
    case nil: break
    case .begin: words.append("begin")
    case .update: words.append("update")
    case .end: words.append("end")
    case .cancel(let reason): words.append("cancel \(reason)")
    }
    switch event.detail {
    case .press(let inside, let held):
        if event.phase != .begin { words.append(inside ? "inside" : "outside") }
        if let held { words.append("held \(milliseconds(held.microseconds))") }
    case .tap(_, let duration): words.append("after \(milliseconds(duration.microseconds))")
    case .longPress(let held): if let held { words.append("held \(milliseconds(held.microseconds))") }
    case .repeat(let n, let held): words.append("\(n) held \(milliseconds(held.microseconds))")
    case .drag(let translation, _, _, _, let scale):
        words.append("\(tenth(translation.dx)),\(tenth(translation.dy))")
        if let scale { words.append("x\(thousandth(scale))") }
    case .swipe(let swipe): words.append("\(swipe.direction) \(tenth(swipe.distance)) mm")
    case .pinch(let scale): words.append("x\(thousandth(scale))")
    case .rotate(let rotation): words.append("\(tenth(rotation))°")
    case .dial(let rotation, let steps, _):
        words.append("\(tenth(rotation))°")
        if let steps { words.append("\(steps) steps") }
    case .chain(let duration, _): words.append("after \(milliseconds(duration.microseconds))")
    case .stroke(let score, let duration, _):
        words.append("score \(thousandth(score)) after \(milliseconds(duration.microseconds))")
    case .pattern(let steps, let duration): words.append("\(steps) steps in \(milliseconds(duration.microseconds))")
    case .failed(let failure): words.append("failed: \(describe(failure))")
    }
    return words.joined(separator: " ")
}

private func tenth(_ value: Double) -> String {
    let rounded = (value * 10).rounded() / 10
    return "\(rounded == 0 ? 0 : rounded)"
}

private func thousandth(_ value: Double) -> String {
    "\((value * 1000).rounded() / 1000)"
}

/// The code and, if there are any, the measured value and its limit, such as `moved 4.1 / 3.0`.
private func describe(_ failure: GestureFailure) -> String {
    if case .cancelled(let reason) = failure.code { return "\(reason)" }
    return failure.value == 0 && failure.limit == 0
        ? "\(failure.code)" : "\(failure.code) \(tenth(failure.value)) / \(tenth(failure.limit))"
}

private func milliseconds(_ microseconds: Int64) -> String {
    microseconds % 1000 == 0 ? "\(microseconds / 1000)" : "\(Double(microseconds) / 1000)"
}
