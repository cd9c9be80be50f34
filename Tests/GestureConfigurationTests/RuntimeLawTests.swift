// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

/// Plays random frames, and between them changes scenes, switches and defines regions, and cancels gestures.
@Suite("Laws while regions change")
struct RuntimeLawTests {
    private static let panel = PanelSize(
        widthPixels: 2000, heightPixels: 1000, widthMillimeters: 200, heightMillimeters: 100)

    /// Checks that the phases of each gesture match. A gesture is identified by region, name and sequence.
    private struct Ledger {
        var open: Set<[String]> = []
        var closed: Set<[String]> = []
        var mistakes: [String] = []

        mutating func enter(_ event: GestureEvent, _ regions: [Region]) {
            let region = regions[event.region]
            let key = [region.id, region.gestures[event.gesture].name, "\(event.sequence.rawValue)"]
            // Gestures of other kinds may begin again in the same sequence.
            if closed.contains(key), region.gestures[event.gesture].settings.kind == .press {
                mistakes.append("\(key) continues after its end")
            }
            switch event.phase {
            case .begin:
                if !open.insert(key).inserted { mistakes.append("\(key) begins twice") }
                if !region.isEnabled { mistakes.append("\(key) begins in a region that is off") }
            case .update: if !open.contains(key) { mistakes.append("\(key) continues but has not begun") }
            case .end, .cancel:
                if open.remove(key) == nil { mistakes.append("\(key) ends but has not begun") }
                closed.insert(key)
            case nil: if !region.isEnabled { mistakes.append("\(key) in a region that is off") }
            }
        }
    }

    private static func definitions(_ random: inout SeededRandom, _ files: Configuration) -> [RegionRule] {
        let parents = files.regions.map { $0.id }
        let values = (0..<Int.random(in: 0...3, using: &random)).map { number in
            let box = (0..<4).map { _ in Int64.random(in: 1...1000, using: &random) }
            let capture = Bool.random(using: &random) ? "follow" : "implicit"
            var text = """
                {"id":"new.\(number)","shape":{"rect":\(box)},"gestures":["press","tap","drag","pinch"],\
                "capture":"\(capture)"
                """
            if Bool.random(using: &random), let parent = parents.randomElement(using: &random) {
                text += ",\"parent\":\"\(parent)\""
            }
            return json(text + "}")
        }
        return files.readDefinitions(values, file: "regions").rules ?? []
    }

    private static func change(
        _ runtime: inout RuntimeState, _ files: Configuration, _ random: inout SeededRandom
    ) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: runtime.scene = files.sceneIDs.randomElement(using: &random) ?? "default"
        case 1:
            guard let id = files.regions.randomElement(using: &random)?.id else { return }
            if runtime.switchedOff.remove(id) == nil { runtime.switchedOff.insert(id) }
        default: runtime.definitions = definitions(&random, files)
        }
    }

    /// Returns a frame in which some of at most four contacts land, move or lift.
    private static func frame(
        _ contacts: inout [ContactID], _ next: inout Int64, at time: Timestamp, _ random: inout SeededRandom
    ) -> TouchFrame {
        func place() -> Point {
            Point(x: Double.random(in: 0..<200, using: &random), y: Double.random(in: 0..<100, using: &random))
        }
        var changes: [ContactChange] = []
        for id in contacts {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                changes.append(ContactChange(id: id, kind: .lifted, position: place()))
                contacts.removeAll { $0 == id }
            case 1, 2: changes.append(ContactChange(id: id, kind: .moved, position: place()))
            default: break
            }
        }
        if contacts.count < 4, Bool.random(using: &random) {
            contacts.append(ContactID(next))
            changes.append(ContactChange(id: ContactID(next), kind: .landed, position: place()))
            next += 1
        }
        return TouchFrame(time: time, changes: changes)
    }

    @Test("hold", arguments: 0..<8)
    func hold(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let text = try readText(packageRoot + "/config/examples/terminal.toml")
        let files = try #require(ConfigurationReader.read(text).configuration)
        var engine = GestureEngine(
            files.regions(for: Self.panel).regions, arbitration: files.arbitration, bounds: Self.panel.bounds)
        var runtime = RuntimeState()
        var ledger = Ledger()
        var contacts: [ContactID] = []
        var next: Int64 = 1
        var time = Timestamp(microseconds: 0)
        var events: [GestureEvent] = []
        for _ in 0..<2000 {
            time = time + .milliseconds(Int64.random(in: 0...200, using: &random))
            let regions = engine.regions
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                Self.change(&runtime, files, &random)
                engine.replaceRegions(
                    files.applying(runtime).regions(for: Self.panel).regions, removalReason: .client, at: time,
                    into: &events)
            case 1:
                let isOdd = Bool.random(using: &random)
                engine.cancel(.client, where: { ($0.raw % 2 == 1) == isOdd }, at: time, into: &events)
            default: engine.process(Self.frame(&contacts, &next, at: time, &random), into: &events)
            }
            for event in events { ledger.enter(event, regions) }
            events.removeAll()
        }
        let lifts = contacts.map { ContactChange(id: $0, kind: .lifted, position: Point(x: 1, y: 1)) }
        engine.process(TouchFrame(time: time, changes: lifts), into: &events)
        while let deadline = engine.nextDeadline { engine.advance(to: deadline, into: &events) }
        for event in events { ledger.enter(event, engine.regions) }
        #expect(ledger.mistakes == [])
        #expect(ledger.open.isEmpty)
        #expect(ledger.closed.count > 100)
        let isIdle = engine.isIdle
        #expect(isIdle)
    }
}
