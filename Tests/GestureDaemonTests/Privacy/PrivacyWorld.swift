// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport

/// Configurations that differ only in private regions, all of which lie left of x = 880 px.
enum PrivacyWorld: CaseIterable {
    case none, pad, vault

    /// The part that is the same in all configurations.
    private static let open =
        TestConfiguration.panel + """
            [[region]]
            id = "list"
            shape = "full"
            z = -1
            gestures = ["press", "tap", "drag"]
            [[region]]
            id = "ok"
            shape = { rect = ["0%", "0%", "50%", "100%"] }
            gestures = ["press", "tap"]
            [[region]]
            id = "web"
            shape = { rect = ["50%", "50%", "50%", "50%"] }
            [[region]]
            id = "screen"
            shape = "full"
            pass = true
            gestures = ["double_tap", { type = "pattern", name = "service", steps = ["tap ok", "tap list"] }]
            [[scene]]
            id = "night"
            regions = ["list", "web", "screen"]
            [[scene]]
            id = "day"
            regions = ["*"]

            """

    /// Ids of private regions in some of the configurations. Clients may define regions with these ids, too.
    static let names = [
        "pad", "pad.1", "pad.2", "vault", "vault_keypad", "app.secret", "screen_lock", "oka", "List", "late.1",
        "late.2",
    ]

    private var hidden: String {
        switch self {
        case .none: ""
        case .pad:
            """
            [[region]]
            id = "pad"
            parent = "list"
            shape = { rect = ["50%", "0%", "35%", "50%"] }
            private = true
            [[region]]
            id = "pad.1"
            parent = "pad"
            shape = { rect = ["0%", "0%", "50%", "50%"] }
            gestures = ["press", "tap"]
            [[region]]
            id = "pad.2"
            parent = "pad"
            shape = { rect = ["50%", "0%", "50%", "50%"] }
            gestures = ["press", { type = "pattern", name = "code", steps = ["tap pad.1", "tap pad.3"] }]
            [[region]]
            id = "app.secret"
            shape = { rect = [0, 0, 300, 300] }
            private = true
            [[region]]
            id = "oka"
            parent = "web"
            shape = { rect = ["-20%", "0%", "50%", "50%"] }
            private = true

            """
        case .vault:
            """
            [[region]]
            id = "vault"
            shape = { rect = ["10mm", "10mm", "80mm", "90mm"] }
            z = 7
            private = true
            [[region]]
            id = "vault_keypad"
            parent = "vault"
            shape = { rect = ["0%", "50%", "100%", "50%"] }
            margin = "5mm"
            gestures = ["tap", "double_tap"]
            [[region]]
            id = "screen_lock"
            shape = { rect = [0, 0, 880, 1024] }
            z = 9
            pass = true
            private = true
            gestures = ["swipe"]
            [[region]]
            id = "List"
            shape = { rect = [600, 600, 50, 50] }
            private = true

            """
        }
    }

    fileprivate var hiddenNames: [String] {
        switch self {
        case .none: ["-"]
        case .pad: ["pad", "pad.1", "pad.2", "app.secret", "oka"]
        case .vault: ["vault", "vault_keypad", "screen_lock", "List"]
        }
    }

    func configuration(_ access: String) -> String { Self.open + hidden + "[access]\n" + access }
}

/// Random requests of a client without the right `private`.
struct PrivacyRequests {
    private var random: SeededRandom
    /// Whether it has the right `control`; otherwise it has `define`.
    private let controls: Bool
    private static let own = ["mine", "mine.a", "app.a", "app.b", "app.c", "late"]
    private static let open = ["ok", "list", "web", "screen", "default", "night", "day"]

    init(seed: UInt64, controls: Bool) {
        random = SeededRandom(seed)
        self.controls = controls
    }

    mutating func next() -> String {
        switch random.below(controls ? 20 : 17) {
        case 0: return #"{"cmd":"status"}"#
        case 1: return #"{"cmd":"devices"}"#
        case 2: return random.chance(40) ? #"{"cmd":"regions"}"# : #"{"cmd":"regions","region":"\#(glob())"}"#
        case 3: return #"{"cmd":"state"}"#
        case 4: return #"{"cmd":"at","x":\#(random.below(1024)),"y":\#(random.below(1024))}"#
        case 5: return #"{"cmd":"\#(random.pick(["clients", "counts", "touch_map"]))"}"#
        case 6:
            let globs = #""regions":["\#(glob())","\#(glob())","*"],"names":["\#(glob())","*"]"#
            return #"{"cmd":"subscribe","events":["gesture","failed","device","config","idle"],\#(globs)}"#
        case 7: return #"{"cmd":"cancel","region":"\#(glob())"}"#
        case 8:
            let regions = random.chance(50) ? "\"\(glob())\"" : "[\"\(glob())\",\"\(glob())\"]"
            return #"{"cmd":"set_region","region":\#(regions),"enabled":\#(random.chance(60))}"#
        case 9: return #"{"cmd":"remove_region"\#(lease()),"region":"\#(name())"\#(wait())}"#
        case 10, 11:
            let regions = (0..<random.below(4)).map { _ in region() }.joined(separator: ",")
            return #"{"cmd":"define_regions"\#(lease()),"regions":[\#(regions)]\#(wait())}"#
        case 12, 13, 14, 15, 16:
            let below = random.chance(15) ? ",\"below\":\"\(name())\"" : ""
            return #"{"cmd":"put_region"\#(lease()),"region":\#(region())\#(below)\#(wait())}"#
        case 17: return #"{"cmd":"set_scene","scene":"\#(name())"}"#
        case 18: return #"{"cmd":"reload"}"#
        default: return #"{"cmd":"set_region","region":"*","enabled":true}"#
        }
    }

    private mutating func lease() -> String { random.chance(controls ? 50 : 95) ? #","lease":true"# : "" }
    private mutating func wait() -> String { random.chance(30) ? #","wait":true"# : "" }

    /// The id of a region in one of the worlds, or a similar one.
    private mutating func name() -> String {
        let pool = random.chance(50) ? PrivacyWorld.names : random.chance(60) ? Self.own : Self.open
        var name = Array(random.pick(pool))
        guard random.chance(35), name.count > 2 else { return String(name) }
        let place = 1 + random.below(name.count - 1)
        switch random.below(3) {
        case 0: name.remove(at: place)
        case 1: name.insert("x", at: place)
        default: name.swapAt(place, place - 1)
        }
        return String(name)
    }

    private mutating func glob() -> String {
        let name = name()
        switch random.below(5) {
        case 0: return String(name.prefix(2)) + "*"
        case 1: return "*" + String(name.suffix(2))
        case 2: return String(name.dropLast()) + "?"
        default: return name
        }
    }

    private mutating func region() -> String {
        let prefix = controls || random.chance(10) ? "" : "app."
        let id = random.chance(15) ? "app.secret" : prefix + name()
        var members = [#""id":"\#(id)""#]
        let (x, y) = (random.below(1000) - 100, random.below(1000) - 100)
        members.append(
            random.chance(15)
                ? #""shape":"full""#
                : #""shape":{"rect":[\#(x),\#(y),\#(random.below(700)),\#(random.below(700))]}"#)
        if random.chance(35) { members.append(#""parent":"\#(name())""#) }
        if random.chance(20) { members.append(#""z":\#(random.below(20) - 5)"#) }
        if random.chance(20) { members.append(#""margin":"\#(random.below(9))mm""#) }
        if random.chance(8) { members.append(#""pass":true"#) }
        if random.chance(5) { members.append(#""private":true"#) }
        if random.chance(10) { members.append(#""capture":"follow""#) }
        var gestures = ["\"press\"", "\"tap\""]
        if random.chance(40) {
            gestures.append(
                #"{"type":"pattern","name":"p","steps":["tap \#(name())","press \#(name())","tap ok"]}"#)
        }
        if random.chance(20) { gestures.append(#"{"type":"double_tap"}"#) }
        members.append(#""gestures":[\#(gestures.joined(separator: ","))]"#)
        return "{\(members.joined(separator: ","))}"
    }

    /// A point outside all private regions, in units of the panel.
    mutating func openPoint() -> (x: Int, y: Int) { (4 * (890 + random.below(130)), 4 * random.below(1020)) }

    /// A point that a private region may contain, in units of the panel.
    mutating func hiddenPoint() -> (x: Int, y: Int) { (4 * random.below(880), 4 * random.below(1020)) }

    /// Changes to private regions, made by a client with all rights.
    mutating func insider(in world: PrivacyWorld) -> String? {
        let id = "late.\(1 + random.below(2))"
        let (x, y) = (random.below(650), random.below(900))
        let requests = [
            #"{"cmd":"put_region","lease":true,"region":{"id":"\#(id)","private":true,"shape":{"rect":[\#(x),\#(y),200,200]},"gestures":["tap"]}}"#,
            #"{"cmd":"put_region","region":{"id":"in.\#(id)","private":true,"parent":"list","shape":{"rect":[\#(x),\#(y),200,200]}}}"#,
            #"{"cmd":"remove_region","lease":true,"region":"\#(id)"}"#,
            #"{"cmd":"remove_region","region":"in.\#(id)"}"#,
            #"{"cmd":"set_region","region":"\#(random.pick(world.hiddenNames))","enabled":\#(random.chance(50))}"#,
        ]
        let chosen = random.pick(requests)
        return world == .none ? nil : chosen
    }
}
