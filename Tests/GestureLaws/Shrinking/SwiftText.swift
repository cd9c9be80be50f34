// SPDX-License-Identifier: MIT
import GestureEngine

/// Prints a run as a test in Swift: the regions as code, the touches as a touch script.
package enum SwiftText {
    /// The source of a test that plays the run.
    package static func test(_ run: LawRun, _ check: LawCheck) -> String {
        var text = "@Test func shrunk() {\n"
        for (i, world) in run.worlds.enumerated() {
            text += "    let world\(i) = LawWorld([\n"
            for region in world.regions { text += Self.region(region) }
            text += "    ]\(arbitration(world.arbitration)))\n"
        }
        text += "    let script = \"\"\"\n"
        for line in script(run).split(separator: "\n") { text += "        \(line)\n" }
        text += "        \"\"\"\n"
        let worlds = run.worlds.indices.map { "world\($0)" }.joined(separator: ", ")
        let size = run.size == Vector(dx: 200, dy: 100) ? "" : ", size: Vector(dx: \(run.size.dx), dy: \(run.size.dy))"
        text += "    #expect(lawViolation([\(worlds)]\(size), script, \(check)) == nil)\n}\n"
        return text
    }

    /// The touches, reloads and waits as a script.
    package static func script(_ run: LawRun) -> String {
        var names: [ContactID: String] = [:]
        return run.steps.map { step in
            switch step {
            case .wait(let microseconds): "+\(number(Double(microseconds) / 1000))ms"
            case .frame(let changes): changes.map { change($0, &names) }.joined(separator: " & ")
            case .advance: "advance"
            case .reload(let world): "reload \(world)"
            case .updates(let isOn): isOn ? "updates on" : "updates off"
            case .failures(let isOn): isOn ? "failures on" : "failures off"
            }
        }.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func change(_ change: ContactChange, _ names: inout [ContactID: String]) -> String {
        if names[change.id] == nil { names[change.id] = name(names.count) }
        let name = names[change.id] ?? ""
        let place = "\(number(change.position.x)),\(number(change.position.y))"
        switch change.kind {
        case .landed: return "down \(name) \(place)"
        case .moved: return "move \(name) \(place)"
        case .resynchronized: return "jump \(name) \(place)"
        case .lifted: return "up \(name)"
        case .cancelled(let reason): return "cancel \(name) \(reason)"
        }
    }

    /// The name of a contact in a script: a … z, then c26, c27, …
    private static func name(_ index: Int) -> String {
        index < 26 ? String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index))) : "c\(index)"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }

    // MARK: Regions

    private static func region(_ region: Region) -> String {
        var text = "        Region(\n            \"\(region.id)\", \(shape(region.shape))"
        if region.bounds != region.shape.boundingBox { text += ", bounds: \(box(region.bounds))" }
        if region.clip != region.shape.boundingBox { text += ", clip: \(box(region.clip))" }
        if let parent = region.parent { text += ", parent: \(parent.raw)" }
        if region.z != 0 { text += ", z: \(region.z)" }
        if region.margin != 0 { text += ", margin: \(region.margin)" }
        if region.pass { text += ", pass: true" }
        if !region.isEnabled { text += ", isEnabled: false" }
        if region.leaveDistance != 4 { text += ", leaveDistance: \(region.leaveDistance)" }
        text += ",\n            ["
        text += region.gestures.map { "\n                \(gesture($0))" }.joined(separator: ",")
        text += "\n            ])"
        if region.capture == .follow { text += ".with { $0.capture = .follow }" }
        if region.contacts != .together { text += ".with { $0.contacts = .\(region.contacts) }" }
        if let restAfter = region.restAfter {
            text += ".with { $0.restAfter = Interval(microseconds: \(restAfter.microseconds)) }"
        }
        return text + ",\n"
    }

    private static func gesture(_ gesture: Gesture) -> String {
        var text = "Gesture(name: \"\(gesture.name)\", word: \"\(gesture.word)\", settings: "
        text += settings(gesture.settings) + ")"
        var changes: [String] = []
        if !gesture.after.isEmpty { changes.append("$0.after = \(gesture.after)") }
        if !gesture.unless.isEmpty { changes.append("$0.unless = \(gesture.unless)") }
        if gesture.exclusive { changes.append("$0.exclusive = true") }
        return changes.isEmpty ? text : text + ".with { \(changes.joined(separator: "; ")) }"
    }

    private static func settings(_ settings: GestureSettings) -> String {
        switch settings {
        case .press(let own): ".press(PressSettings()\(changes(own, PressSettings())))"
        case .tap(let own): ".tap(TapSettings()\(changes(own, TapSettings())))"
        case .longPress(let own): ".longPress(LongPressSettings()\(changes(own, LongPressSettings())))"
        case .repeat(let own): ".repeat(RepeatSettings()\(changes(own, RepeatSettings())))"
        case .drag(let own): ".drag(DragSettings()\(changes(own, DragSettings())))"
        case .swipe(let own): ".swipe(SwipeSettings()\(changes(own, SwipeSettings())))"
        case .pinch(let own): ".pinch(PinchSettings()\(changes(own, PinchSettings())))"
        case .rotate(let own): ".rotate(RotateSettings()\(changes(own, RotateSettings())))"
        case .dial(let own): ".dial(DialSettings()\(changes(own, DialSettings())))"
        case .chain(let own): ".chain(ChainSettings()\(changes(own, ChainSettings())))"
        case .stroke(let own): ".stroke(StrokeSettings()\(changes(own, StrokeSettings())))"
        case .pattern(let own): ".pattern(PatternSettings()\(changes(own, PatternSettings())))"
        }
    }

    /// Assignments of the values that differ from the default.
    private static func changes<Settings: Changeable>(_ own: Settings, _ standard: Settings) -> String {
        let changed = zip(Mirror(reflecting: own).children, Mirror(reflecting: standard).children)
            .compactMap { mine, theirs -> String? in
                let value = self.value(mine.value)
                guard let label = mine.label, value != self.value(theirs.value) else { return nil }
                return "$0.\(label) = \(value)"
            }
        return changed.isEmpty ? "" : ".with { \(changed.joined(separator: "; ")) }"
    }

    private static func value(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { self.value($0.value) } ?? "nil" }
        switch value {
        case let interval as Interval: return "Interval(microseconds: \(interval.microseconds))"
        case let directions as [SwipeDirection]: return words(directions)
        case let directions as [PinchSettings.Direction]: return words(directions)
        case let directions as [RotateSettings.Direction]: return words(directions)
        case let steps as [PatternSettings.Step]:
            let texts = steps.map { ".init(gesture: \"\($0.gesture)\", region: \"\($0.region)\")" }
            return "[\(texts.joined(separator: ", "))]"
        case let templates as [StrokeTemplate]:
            let texts = templates.map { "StrokeTemplate([\($0.points.map { point($0) }.joined(separator: ", "))])" }
            return "[\(texts.joined(separator: ", "))]"
        default: return mirror.displayStyle == .enum ? ".\(value)" : "\(value)"
        }
    }

    private static func words<Word>(_ words: [Word]) -> String {
        "[\(words.map { ".\($0)" }.joined(separator: ", "))]"
    }

    private static func shape(_ shape: Shape) -> String {
        switch shape {
        case .rectangle(Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100)): ".whole"
        case .rectangle(let rectangle): ".rectangle(\(box(rectangle)))"
        case .circle(let center, let radius): ".circle(center: \(point(center)), radius: \(radius))"
        case .polygon(let corners): ".polygon([\(corners.map { point($0) }.joined(separator: ", "))])"
        }
    }

    private static func point(_ point: Point) -> String { "Point(x: \(point.x), y: \(point.y))" }

    private static func box(_ box: Rectangle) -> String {
        "Rectangle(minX: \(box.minX), minY: \(box.minY), maxX: \(box.maxX), maxY: \(box.maxY))"
    }

    private static func arbitration(_ settings: ArbitrationSettings) -> String {
        guard settings != ArbitrationSettings() else { return "" }
        var changes: [String] = []
        if !settings.simultaneous.isEmpty {
            let pairs = settings.simultaneous.map { ".init(\(reference($0.first)), \(reference($0.second)))" }
            changes.append("$0.simultaneous = [\(pairs.joined(separator: ", "))]")
        }
        if !settings.priority.isEmpty {
            changes.append("$0.priority = [\(settings.priority.map { ".\($0)" }.joined(separator: ", "))]")
        }
        return ", arbitration: ArbitrationSettings().with { \(changes.joined(separator: "; ")) }"
    }

    private static func reference(_ reference: ArbitrationSettings.Reference) -> String {
        ".init(region: \"\(reference.region)\", gesture: \"\(reference.gesture)\")"
    }
}
