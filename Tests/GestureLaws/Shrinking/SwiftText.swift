// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport

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

    /// The settings by the keys that are set: `.standard(.tap).with("slop", .number(4.2))`.
    private static func settings(_ settings: GestureSettings) -> String {
        let keys = settings.kind.row.differences(settings).map { ".with(\"\($0.name)\", \(value($0.get(settings))))" }
        return ".standard(.\(settings.kind))" + keys.joined()
    }

    private static func value(_ value: SettingValue) -> String {
        switch value {
        case .off: ".off"
        case .flag(let flag): ".flag(\(flag))"
        case .count(let count): ".count(\(count))"
        case .number(let number): ".number(\(number))"
        case .time(let time): ".time(Interval(microseconds: \(time.microseconds)))"
        case .counts(let range): ".counts(\(range.lowerBound)...\(range.upperBound))"
        case .words(let words): ".words(\(words))"
        case .templates(let templates):
            ".templates([\(list(templates) { "StrokeTemplate([\(list($0.points, point))])" })])"
        case .steps(let steps):
            ".steps([\(list(steps) { ".init(gesture: \"\($0.gesture)\", region: \"\($0.region)\")" })])"
        }
    }

    private static func list<Element>(_ elements: [Element], _ text: (Element) -> String) -> String {
        elements.map(text).joined(separator: ", ")
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
