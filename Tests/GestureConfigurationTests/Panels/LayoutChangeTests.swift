// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureProtocol
import GestureTestSupport
import Testing

/// A layout that is made with an earlier one is the same as one that is made from nothing.
@Suite("Layouts of configurations that change")
struct LayoutChangeTests {
    private static let panel = PanelSize(
        widthPixels: 1000, heightPixels: 500, widthMillimeters: 200, heightMillimeters: 100)

    private static let files = """
        version = 1
        [[device]]
        id = "panel"
        match = { name = "*" }
        [[region]]
        id = "list"
        shape = { rect = [0, 0, 400, 400] }
        gestures = ["drag", { type = "pattern", steps = ["tap app.1", "tap app.2"] },
            { type = "long_press", after = ["pattern"], unless = ["press"] }, "press"]
        [[region]]
        id = "item"
        parent = "list"
        shape = { rect = ["10%", "10%", "20%", "120%"] }
        gestures = ["tap", { type = "tap", name = "patient", wait = true }]
        [[region]]
        id = "pin"
        private = true
        shape = { rect = [600, 100, 100, 100] }
        gestures = ["press"]
        [[region]]
        id = "elsewhere"
        device = "other*"
        shape = "full"
        [[scene]]
        id = "some"
        regions = ["list", "app.*"]
        [[scene]]
        id = "other"
        regions = ["item", "app.3"]
        """

    private static let filesWithoutScenes = files.replacing(/\[\[scene\]\][^\[]*\[[^\]]*\]\n?/, with: "")

    private static func definition(_ id: String, _ random: inout SeededRandom) -> JSONValue {
        func pick(_ words: [String]) -> String { words.randomElement(using: &random) ?? "" }
        // Few places, so that some cover others, and some stay as they were.
        let place = pick([
            "0,0,400,400", "0,0,200,400", "200,0,200,400", "40,40,90,90", "900,0,200,90", "600,100,99,99",
        ])
        let more = pick([
            "", #","parent":"list""#, #","parent":"app.0""#, #","z":1"#, #","pass":true"#, #","device":"other""#,
            #","margin":"3mm""#, #","contacts":"each""#,
        ])
        let gestures = pick([
            #""tap""#, #"{"type":"tap","wait":true},"double_tap""#, #"{"type":"swipe","min_distance":"90mm"}"#,
            #"{"type":"pattern","steps":["tap item","drag list"]}"#, #""pinch""#,
        ])
        return json(#"{"id":"\#(id)","shape":{"rect":[\#(place)]},"gestures":[\#(gestures)]\#(more)}"#)
    }

    @Test("are the same as new ones", arguments: 0..<8)
    func same(seed: UInt64) throws {
        var random = SeededRandom(seed)
        // Without scenes, what is known about a region is found out when it gets a child.
        let text = seed % 2 == 0 ? Self.files : Self.filesWithoutScenes
        let files = try #require(ConfigurationReader.read(text).configuration)
        try #require(files.sceneIDs.count == (seed % 2 == 0 ? 3 : 1))
        let guest = GuestRules(AccessSettings(), own: ["app.0"])
        var runtime = RuntimeState()
        var last: PanelLayout?
        var before = files
        var (warnings, kept) = (Set<String>(), 0)
        for _ in 0..<400 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: runtime.scene = files.sceneIDs.randomElement(using: &random) ?? "default"
            case 1:
                let id = files.regions.randomElement(using: &random)?.id ?? ""
                if runtime.switchedOff.remove(id) == nil { runtime.switchedOff.insert(id) }
            case 2: runtime.definitions.shuffle(using: &random)
            default:
                let ids = (0..<6).filter { _ in Bool.random(using: &random) }.map { "app.\($0)" }
                let values = ids.map { Self.definition($0, &random) }
                let definer = Definer(
                    guest: Bool.random(using: &random) ? guest : nil, seesPrivate: Bool.random(using: &random))
                let found = files.readDefinitions(values, file: "regions", by: definer)
                guard let rules = found.rules else { continue }
                // Some stay as they were, also in another order.
                let others = runtime.definitions.filter { !ids.contains($0.name) && Bool.random(using: &random) }
                runtime.definitions = Bool.random(using: &random) ? others + rules : rules + others
            }
            let configuration = files.applying(runtime, since: before)
            try #require(configuration == files.applying(runtime))
            before = configuration
            let isSizeKnown = Bool.random(using: &random)
            let expected = configuration.layout(for: Self.panel, name: "panel", isSizeKnown: isSizeKnown)
            let found = configuration.layout(for: Self.panel, name: "panel", isSizeKnown: isSizeKnown, since: last)
            try #require(found.regions == expected.regions)
            try #require(found.diagnostics == expected.diagnostics)
            warnings.formUnion(found.diagnostics.map { "\($0.code)" })
            if last?.regions.isEmpty == false { kept += 1 }
            last = found
        }
        #expect(kept > 100)
        #expect(warnings.isSuperset(of: ["neverHit", "outside", "noEffect", "tooLong", "waits", "unknownSize"]))
    }

    /// Each of the patterns ends with one of the region before, and waits for all before it.
    @Test("one region among many patterns of patterns of a guest")
    func manyPatterns() throws {
        let plain = (0..<1000).map { json(#"{"id":"r\#($0)","shape":"full"}"#) }
        let patterns = (0..<16).map { region in
            let gestures = (0..<40).map { number in
                let last = region > 0 ? "a\(number) app.p\(region - 1)" : "tap r999"
                let unless = (0..<number).map { "\"a\($0)\"" }.joined(separator: ",")
                return """
                    {"type":"pattern","name":"a\(number)","steps":["tap r999","\(last)"],"unless":[\(unless)]}
                    """
            }
            return json(#"{"id":"app.p\#(region)","shape":"full","gestures":[\#(gestures.joined(separator: ","))]}"#)
        }
        var runtime = RuntimeState()
        let guest = GuestRules(AccessSettings(), own: [])
        runtime.definitions = try #require(Configuration().readDefinitions(plain, file: "f").rules)
        let around = Configuration().applying(runtime)
        runtime.definitions += try #require(
            around.readDefinitions(patterns, file: "f", by: Definer(guest: guest, seesPrivate: false)).rules)
        let old = Configuration().applying(runtime)
        let layout = old.layout(for: Self.panel)
        runtime.definitions += try #require(old.readDefinitions([json(#"{"id":"n","shape":"full"}"#)], file: "f").rules)
        let new = Configuration().applying(runtime, since: old)
        var warnings: [Diagnostic] = []
        let seconds = processorSeconds { warnings = new.layout(for: Self.panel, since: layout).diagnostics }
        #expect(warnings == new.layout(for: Self.panel).diagnostics)
        #expect(seconds < 0.5)
    }

    @Test("of another panel, or with other scenes, take nothing over")
    func incomparable() throws {
        let files = try #require(ConfigurationReader.read(Self.files).configuration)
        let old = files.layout(for: Self.panel, name: "panel")
        var other = Self.panel
        other.widthPixels = 500
        #expect(files.layout(for: other, since: old).regions == files.layout(for: other).regions)
        let text = Self.files.replacing("\"app.3\"", with: "\"list\"")
        let changed = try #require(ConfigurationReader.read(text).configuration)
        #expect(changed.layout(for: Self.panel, since: old).regions == changed.layout(for: Self.panel).regions)
        #expect(changed.layout(for: Self.panel, since: old).diagnostics == changed.layout(for: Self.panel).diagnostics)
    }

    @Test("suggestions for what a client defines are few: each takes as long as there are regions")
    func suggestions() throws {
        let files = try #require(ConfigurationReader.read(Self.files).configuration)
        let values = (0..<20).map { json(#"{"id":"a\#($0)","shape":"full","parent":"lisd"}"#) }
        let found = files.readDefinitions(values, file: "regions").diagnostics
        #expect(found.count == 20)
        #expect(found.compactMap { $0.suggestion } == Array(repeating: "list", count: 8))
    }
}
