// SPDX-License-Identifier: MIT
package import GestureEngine

/// Plays a touch script to an engine on a panel of 200 x 100 mm, and writes down what it says.
///
/// One line an event: `TIME_MS NAME [PHASE] [DETAILS]`; with several regions `REGION.NAME`.
/// After the script, time goes on until nothing is pending.
package func simulate(
    _ regions: [Region], arbitration: ArbitrationSettings = ArbitrationSettings(), _ script: String,
    updates: Bool = true
) -> String {
    let simulation = Simulation(
        regions, arbitration: arbitration, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100),
        reportsUpdates: updates, script: script)
    let transcript = simulation.run()
    guard let journal = SimulationJournal.shared, !journal.append(simulation, transcript) else { return transcript }
    return "cannot write to \(journal.path) what can be read again\n" + transcript
}

/// The same, on an engine that the caller looks at afterwards; no journal knows of it.
package func simulate(_ engine: inout GestureEngine, _ script: String) -> String {
    let script = TouchScript(script)
    var time = Timestamp(microseconds: 0)
    var events: [GestureEvent] = []
    for step in script.steps {
        switch step {
        case .wait(let interval): time = time + interval
        case .frame(let changes): engine.process(TouchFrame(time: time, changes: changes), into: &events)
        case .advance: engine.advance(to: time, into: &events)
        case .reload: engine.replaceRegions(engine.regions, at: time, into: &events)
        case .updates(let isOn): engine.reportsUpdates = isOn
        case .failures(let isOn): engine.reportsFailures = isOn
        }
    }
    while let deadline = engine.nextDeadline { engine.advance(to: deadline, into: &events) }
    let lines = script.mistakes.map { "cannot read: \($0)" } + events.map { describe($0, engine.regions) }
    return lines.joined(separator: "\n")
}

/// A region of a test that is the whole panel.
package func region(_ gestures: [GestureSettings]) -> Region {
    region("r", gestures)
}

package func region(_ id: String, pass: Bool = false, _ gestures: [GestureSettings]) -> Region {
    region(id, (0, 0, 200, 100), pass: pass, gestures)
}

/// A rectangular region of a test.
package func region(
    _ id: String, _ box: (x: Double, y: Double, width: Double, height: Double), parent: Int? = nil,
    pass: Bool = false, _ gestures: [GestureSettings]
) -> Region {
    let box = Rectangle(minX: box.x, minY: box.y, maxX: box.x + box.width, maxY: box.y + box.height)
    return Region(
        id: id, shape: .rectangle(box), bounds: box, clip: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100),
        parent: parent, pass: pass,
        gestures: gestures.map { Gesture(name: word($0), word: word($0), settings: $0) })
}

/// A tap with other numbers than the default's.
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

package let press = GestureSettings.press(PressSettings())

private func word(_ settings: GestureSettings) -> String {
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
    case .cancel(let reason): words.append("cancel \(reason.caseName)")
    }
    switch event.detail {
    case .press(let inside, let held):
        if event.phase != .begin { words.append(inside ? "inside" : "outside") }
        if let held { words.append("held \(milliseconds(held.microseconds))") }
    case .tap(_, let duration): words.append("after \(milliseconds(duration.microseconds))")
    case .longPress(let held): if let held { words.append("held \(milliseconds(held.microseconds))") }
    case .repeat(let n, let held): words.append("\(n) held \(milliseconds(held.microseconds))")
    case .drag(let translation, _, _, _): words.append("\(tenth(translation.dx)),\(tenth(translation.dy))")
    case .swipe(let swipe): words.append("\(swipe.direction.caseName) \(tenth(swipe.distance)) mm")
    case .pinch(let scale): words.append("x\(thousandth(scale))")
    case .rotate(let rotation): words.append("\(tenth(rotation))°")
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

/// `moved 4.1 > 3.0`: the code, and what was measured beside its limit.
private func describe(_ failure: GestureFailure) -> String {
    if case .cancelled(let reason) = failure.code { return reason.caseName }
    return failure.value == 0 && failure.limit == 0
        ? failure.code.caseName : "\(failure.code.caseName) \(tenth(failure.value)) / \(tenth(failure.limit))"
}

private func milliseconds(_ microseconds: Int64) -> String {
    microseconds % 1000 == 0 ? "\(microseconds / 1000)" : "\(Double(microseconds) / 1000)"
}
