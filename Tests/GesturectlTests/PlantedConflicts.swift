// SPDX-License-Identifier: MIT
import Testing

/// A configuration with one conflict, and a change that removes it.
struct PlantedConflict: Sendable, CustomTestStringConvertible {
    let name: String
    /// The code, and the gestures that lose and win, as in the output of `check --conflicts --json`.
    let code: String
    let loser: String
    let winner: String?
    /// The beginning of the cure.
    let cure: String
    /// The configuration without its head.
    let text: String
    /// A part of the text, and what removes the conflict in its place.
    let change: (from: String, to: String)

    var testDescription: String { name }

    static let head = """
        version = 1
        [[device]]
        id = "panel"
        match = { name = "*" }
        output = { size = [1280, 800], size_mm = [256, 160] }

        """

    private init(
        _ name: String, _ code: String, _ loser: String, _ winner: String?, cure: String, _ text: String,
        _ from: String, _ to: String
    ) {
        (self.name, self.code, self.loser, self.winner, self.cure) = (name, code, loser, winner, cure)
        (self.text, change) = (text, (from, to))
    }

    /// - Parameters:
    ///   - shape: the value of `shape`.
    ///   - more: further lines.
    private static func region(_ id: String, _ shape: String, _ gestures: String, more: String = "") -> String {
        "[[region]]\nid = \"\(id)\"\nshape = \(shape)\n\(more)\ngestures = [\(gestures)]\n"
    }

    private static let full = "\"full\""
    private static let button = "{ rect = [100, 100, 300, 200] }"
    private static func inside(_ parent: String) -> String { "parent = \"\(parent)\"" }

    /// The kinds of conflicts.
    static let all: [PlantedConflict] = nested + regions + inOne + times + filters + places

    private static let nested: [PlantedConflict] = [
        PlantedConflict(
            "a list takes the swipes of its rows", "claimed", "row.delete", "list.scroll",
            cure: "axis = \"vertical\" in gesture \"scroll\" of region \"list\"",
            region("list", full, #"{ type = "drag", name = "scroll" }"#)
                + region(
                    "row", button, #""button", { type = "swipe", name = "delete", directions = ["left"] }"#,
                    more: inside("list")),
            #"name = "scroll""#, #"name = "scroll", axis = "vertical""#),
        PlantedConflict(
            "a drag that begins at the landing takes the taps of its buttons", "claimed", "undo.tap", "canvas.draw",
            cure: "start = \"5mm\" in gesture \"draw\" of region \"canvas\"",
            region("canvas", full, #"{ type = "drag", name = "draw", start = "0mm" }"#)
                + region("undo", button, #""tap""#, more: inside("canvas")),
            #"start = "0mm""#, #"start = "5mm""#),
        PlantedConflict(
            "a list takes the touches of a finger that trembles", "claimed", "ok.long_press", "list.drag",
            cure: "start = \"5mm\" in gesture \"drag\" of region \"list\"",
            region("list", full, #"{ type = "drag", start = "0.5mm" }"#)
                + region("ok", button, #""long_press""#, more: inside("list")),
            #"start = "0.5mm""#, #"start = "3mm""#),
        PlantedConflict(
            "a shape is a drag of the list around it", "claimed", "pad.vee", "list.scroll",
            cure: "[arbitration] simultaneous = [[\"pad.vee\", \"list.scroll\"]]",
            region("list", full, #"{ type = "drag", name = "scroll", axis = "vertical" }"#)
                + region(
                    "pad", "{ rect = [200, 100, 800, 600] }",
                    #"{ type = "stroke", name = "vee", points = [[0, 0], [1, 2], [2, 0]] }"#, more: inside("list")),
            "[[region]]\nid = \"pad\"",
            "[arbitration]\nsimultaneous = [[\"pad.vee\", \"list.scroll\"]]\n[[region]]\nid = \"pad\""),
        PlantedConflict(
            "priority puts the list before its row", "claimed", "row.delete", "list.scroll",
            cure: "[arbitration] without priority",
            "[arbitration]\npriority = [\"drag\"]\n"
                + region("list", full, #"{ type = "drag", name = "scroll", start = "9.9mm" }"#)
                + region(
                    "row", "{ rect = [0, 0, 1280, 200] }",
                    #"{ type = "swipe", name = "delete", when = "threshold" }"#, more: inside("list")),
            #"priority = ["drag"]"#, "priority = []"),
        PlantedConflict(
            "a row has the swipe of its page", "claimed", "pages.next", "row.delete",
            cure: "[arbitration] simultaneous = [[\"pages.next\", \"row.delete\"]]",
            region("pages", full, #"{ type = "swipe", name = "next", directions = ["left", "right"] }"#)
                + region(
                    "row", "{ rect = [100, 100, 800, 150] }",
                    #"{ type = "swipe", name = "delete", directions = ["left"] }"#, more: inside("pages")),
            #"["left"]"#, #"["up"]"#),
        PlantedConflict(
            "a map takes the swipes of its page", "claimed", "pages.next", "map.drag",
            cure: "axis = \"vertical\" in gesture \"drag\" of region \"map\"",
            region("pages", full, #"{ type = "swipe", name = "next", directions = ["left", "right"] }"#)
                + region("map", "{ rect = [0, 0, 1000, 700] }", #""drag""#, more: inside("pages")),
            #""drag""#, #"{ type = "drag", axis = "vertical" }"#),
        PlantedConflict(
            "buttons fill their page and have its tap", "shadowed", "page.tap", "right.tap", cure: "leave room",
            region("page", "{ rect = [100, 100, 800, 400] }", #""tap""#)
                + region("left", "{ rect = [0, 0, 400, 400] }", #""tap""#, more: inside("page"))
                + region("right", "{ rect = [400, 0, 400, 400] }", #""tap""#, more: inside("page")),
            "[400, 0, 400, 400]", "[400, 0, 300, 400]"),
    ]

    private static let regions: [PlantedConflict] = [
        PlantedConflict(
            "a circle covers a button", "covered", "ok.button", "dial", cure: "z = 1 in region \"ok\"",
            region("ok", "{ rect = [500, 300, 120, 100] }", #""button""#)
                + region("dial", "{ circle = { center = [560, 350], radius = \"40mm\" } }", #""dial""#),
            "id = \"ok\"", "id = \"ok\"\nz = 1"),
        PlantedConflict(
            "two buttons overlap", "overlap", "yes.button", "no.button", cure: "z = 1 in region \"yes\"",
            region("yes", "{ rect = [100, 300, 300, 200] }", #""button""#)
                + region("no", "{ rect = [220, 300, 300, 250] }", #""button""#),
            "[220, 300, 300, 250]", "[400, 300, 300, 250]"),
        PlantedConflict(
            "one of two fingers lands on the region above", "covered", "photo.two_finger_tap", "bar",
            cure: "z = 1 in region \"photo\"",
            region("photo", "{ rect = [100, 100, 300, 300] }", #""two_finger_tap""#)
                + region(
                    "bar",
                    "{ polygon = [[140, 100], [600, 100], [600, 600], [100, 600], [100, 140], [140, 140]] }", #""tap""#),
            "id = \"photo\"", "id = \"photo\"\nz = 1"),
        PlantedConflict(
            "a scene puts a page over a button", "covered", "pay.button", "help.tap", cure: "z = 1 in region \"pay\"",
            region("pay", "{ circle = { center = [640, 400], radius = \"20mm\" } }", #""button""#)
                + region("help", full, #""tap""#)
                + "[[scene]]\nid = \"start\"\nregions = [\"pay\"]\n"
                + "[[scene]]\nid = \"helping\"\nregions = [\"pay\", \"help\"]\n",
            #"["pay", "help"]"#, #"["help"]"#),
        PlantedConflict(
            "a swipe slides off to a key", "handover", "dock.home", "keys.press",
            cure: "capture = \"implicit\" in region \"dock\"",
            region(
                "dock", "{ edge = \"bottom\", width = \"8mm\" }",
                #"{ type = "swipe", name = "home", directions = ["up"] }"#,
                more: "capture = \"follow\"")
                + region("keys", "{ rect = [0, 300, 1280, 460] }", #""press""#),
            "capture = \"follow\"", ""),
    ]

    private static let inOne: [PlantedConflict] = [
        PlantedConflict(
            "an exclusive drag ends swipes", "exclusive", "map.next", "map.pan",
            cure: "exclusive = false in gesture \"pan\" of region \"map\"",
            region(
                "map", full, #"{ type = "drag", name = "pan", exclusive = true }, { type = "swipe", name = "next" }"#),
            "exclusive = true", "exclusive = false"),
        PlantedConflict(
            "an exclusive tap ends rows of taps", "exclusive", "ok.double_tap", "ok.tap",
            cure: "exclusive = false in gesture \"tap\" of region \"ok\"",
            region("ok", button, #"{ type = "tap", exclusive = true }, "double_tap""#), "exclusive = true",
            "exclusive = false"),
        PlantedConflict(
            "each swipe is a drag that it waits for", "unless", "pages.next", "pages.drag",
            cure: "unless without \"drag\"",
            region("pages", full, #""drag", { type = "swipe", name = "next", unless = ["drag"] }"#),
            #", unless = ["drag"]"#, ""),
        PlantedConflict(
            "a long swipe is a short one too", "both", "pages.archive", "pages.next",
            cure: "unless = [\"archive\"] in gesture \"next\" of region \"pages\"",
            region(
                "pages", full,
                #"{ type = "swipe", name = "next" }, { type = "swipe", name = "archive", min_distance = "50mm" }"#),
            #"name = "next""#, #"name = "next", unless = ["archive"]"#),
        PlantedConflict(
            "a pinch begins before a drag of the same fingers", "multi_touch", "photo.pan", "photo.pinch",
            cure: "[arbitration] simultaneous = [[\"photo.pan\", \"photo.pinch\"]]",
            region(
                "photo", full,
                #"{ type = "drag", name = "pan", fingers = "1..3", min_fingers = 2 }, { type = "pinch", start = "0mm" }"#
            ),
            #"start = "0mm""#, #"start = "5mm""#),
        PlantedConflict(
            "two drags begin at once", "both", "map.scroll", "map.pan",
            cure: "unless = [\"scroll\"] in gesture \"pan\" of region \"map\"",
            region(
                "map", full, #"{ type = "drag", name = "pan" }, { type = "drag", name = "scroll", axis = "vertical" }"#),
            #"name = "pan""#, #"name = "pan", axis = "horizontal""#),
    ]

    private static let times: [PlantedConflict] = [
        PlantedConflict(
            "a hold comes before the end of a long tap", "long_press", "order.tap", "order.menu",
            cure: "delay = \"1.5s\" in gesture \"menu\" of region \"order\"",
            region(
                "order", button,
                #"{ type = "tap", max_time = "1.5s" }, { type = "long_press", name = "menu", delay = "400ms" }"#),
            "400ms", "2s"),
        PlantedConflict(
            "a hold comes before the end of a press of a button", "long_press", "order.button", "order.menu",
            cure: "delay = \"500ms\" in gesture \"menu\" of region \"order\"",
            region("order", button, #""button", { type = "long_press", name = "menu", delay = "200ms" }"#),
            "200ms", "500ms"),
        PlantedConflict(
            "a hold comes before the least time of a tap", "long_press", "order.tap", "order.long_press",
            cure: "delay = \"700ms\"",
            region("order", button, #"{ type = "tap", min_time = "600ms", max_time = "1s" }, "long_press""#),
            #""long_press""#, #"{ type = "long_press", delay = "1s" }"#),
        PlantedConflict(
            "between a tap and a hold is nothing", "gap", "order.tap", nil,
            cure: "max_time = \"500ms\" in gesture \"tap\" of region \"order\"",
            region("order", button, #""press", { type = "tap", max_time = "150ms" }, "long_press""#), "150ms", "500ms"),
        PlantedConflict(
            "a step of a pattern takes too long", "unreachable", "b.service", nil, cure: "max_gap = \"5s\"",
            region("a", "{ rect = [0, 0, 200, 200] }", #""tap""#)
                + region(
                    "b", "{ rect = [1000, 0, 200, 200] }",
                    #"{ type = "long_press", name = "hold", delay = "3s" }, "#
                        + #"{ type = "pattern", name = "service", steps = ["tap a", "hold b"] }"#),
            #"["tap a", "hold b"]"#, #"["tap a", "hold b"], max_gap = "6s""#),
    ]

    private static let filters: [PlantedConflict] = [
        PlantedConflict(
            "a mask hides a button", "filter", "ok.button", nil, cure: "[filter] mask",
            "[filter]\nmask = [[0, 0, 500, 800]]\n" + region("ok", button, #""button""#), "[[0, 0, 500, 800]]",
            "[[600, 0, 500, 800]]"),
        PlantedConflict(
            "a contact is too old for a hold", "filter", "ok.reset", nil, cure: "[filter] max_contact_age",
            "[filter]\nmax_contact_age = \"5s\"\n"
                + region("ok", button, #"{ type = "long_press", name = "reset", delay = "10s" }"#), "\"5s\"", "\"20s\""),
        PlantedConflict(
            "two taps are a storm", "filter", "ok.double_tap", nil, cure: "[filter] storm",
            "[filter]\nstorm = { contacts_per_second = 1 }\n" + region("ok", button, #""double_tap""#),
            "contacts_per_second = 1", "contacts_per_second = 20"),
        PlantedConflict(
            "two taps are one contact", "lost", "ok.double_tap", nil, cure: "[filter] bridge",
            "[filter]\nbridge = \"400ms\"\n" + region("ok", button, #""double_tap""#), "400ms", "40ms"),
    ]

    private static let places: [PlantedConflict] = [
        PlantedConflict(
            "a swipe leads off the panel", "unreachable", "menu.open", nil, cure: "directions = [\"left\"]",
            region(
                "menu", "{ edge = \"right\", width = \"8mm\" }",
                #"{ type = "swipe", name = "open", directions = ["right"] }"#),
            #"directions = ["right"]"#, #"directions = ["left"]"#),
        PlantedConflict(
            "two fingers do not fit", "unreachable", "bar.two_finger_tap", nil, cure: "give it a larger region",
            region("bar", "{ rect = [600, 300, 40, 40] }", #""two_finger_tap""#), "[600, 300, 40, 40]",
            "[600, 300, 200, 200]"),
    ]
}
