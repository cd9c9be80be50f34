// SPDX-License-Identifier: MIT
import BridgeProgram
import GestureClient
import GestureConfiguration
import GestureProtocol
import Testing

@testable import GestureKeys

/// Reads the text of a `keys.toml` without its first line.
func read(_ text: String) -> (settings: KeysSettings?, headlines: [String]) {
    let (settings, diagnostics) = KeysSettings.read(Array(("version = 1\n" + text).utf8), path: "keys.toml")
    return (settings, diagnostics.map { $0.headline })
}

@Suite("keys.toml")
struct SettingsTests {
    @Test("All keys")
    func all() throws {
        let (read, headlines) = read(
            """
            socket = "/run/other.sock"
            [[pointer]]
            device = "left*"
            layout = [3840, 1080]
            area = [1920, 0, 1920, 1080]
            [[binding]]
            gesture = "back"
            region = "edge.*"
            device = ["left", "right"]
            scene = "shop"
            keys = ["leftalt+left", "esc"]
            [[binding]]
            gesture = ["tap", "menu"]
            click = "right"
            [[binding]]
            gesture = "scroll"
            wheel = { x = true, y = true, step = 40 }
            [[binding]]
            gesture = "press"
            hold = "space"
            [[binding]]
            gesture = "dial"
            steps = { cw = "leftctrl+kpplus" }
            """)
        #expect(headlines == [])
        let settings = try #require(read)
        #expect(settings.socket == "/run/other.sock")
        #expect(
            settings.pointers == [
                PointerRule(devices: ["left*"], layout: [3840, 1080], area: [1920, 0, 1920, 1080])
            ])
        var wheel = Wheel()
        (wheel.x, wheel.y, wheel.step) = (true, true, 40)
        var steps = StepKeys()
        steps.clockwise = Chord([29, 78])
        #expect(
            settings.bindings.map { $0.action } == [
                .keys([Chord([56, 105]), Chord([1])]), .click(.right), .wheel(wheel), .hold(Chord([57])),
                .steps(steps),
            ])
        let first = settings.bindings[0]
        #expect(first.gestures == ["back"] && first.regions == ["edge.*"] && first.scenes == ["shop"])
        #expect(first.devices == ["left", "right"] && first.location.line == 7)
        #expect(settings.bindings[1].gestures == ["tap", "menu"] && settings.bindings[1].regions == nil)
    }

    @Test("A panel's keyboard has the keys that its gestures press")
    func keyboards() throws {
        let text = """
            [[binding]]
            gesture = "back"
            device = "left"
            keys = ["leftalt+left", "esc"]
            [[binding]]
            gesture = "press"
            hold = "space"
            """
        let settings = try #require(read(text).settings)
        let panels = try [("left", "ready"), ("right", "ready"), ("broken", "refused")].map { device, state in
            let line = #"{"device":"\#(device)","node":"/dev/input/\#(device)","state":"\#(state)"}"#
            return GestureClient.Device(try #require(JSONValue(parsing: Array(line.utf8))))
        }
        #expect(
            settings.keyboardPanels(panels) == [
                KeyboardPanel(device: "left", node: "/dev/input/left", codes: [1, 56, 57, 105]),
                KeyboardPanel(device: "right", node: "/dev/input/right", codes: [57]),
            ])
    }

    static let mistakes: [(text: String, message: String)] = [
        ("keys = \"volumup\"", "4:8: error: keys: there is no key \"volumup\"; did you mean \"volumeup\"?"),
        ("keys = [\"a\", \"Ctrl+x\"]", "4:14: error: keys: there is no key \"Ctrl\"; did you mean \"leftctrl\"?"),
        ("keys = \"KEY_A\"", "4:8: error: keys: there is no key \"KEY_A\"; did you mean \"a\"?"),
        ("keys = \"a+\"", "4:8: error: keys: \"a+\" has an empty name of a key; the key + itself is kpplus"),
        ("keys = \"a+a\"", "4:8: error: keys: \"a+a\" has the key a twice; remove one"),
        ("keys = \"btn_left\"", "4:8: error: keys: there is no key \"btn_left\""),
        ("keys = \"max\"", "4:8: error: keys: there is no key \"max\""),
        ("keys = \"reserved\"", "4:8: error: keys: there is no key \"reserved\""),
        ("keys = []", "4:8: error: keys presses 0 keys; use 1 to 12"),
        (
            "keys = [\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\",\"k\",\"l\",\"m\"]",
            "4:8: error: keys presses 13 keys; use 1 to 12"
        ),
        ("keys = 5", "4:8: error: keys must be a string, not an integer"),
        ("hold = [\"a\"]", "4:8: error: hold must be a string, not an array"),
        ("click = \"x\"", "4:9: error: click cannot be \"x\"; use one of \"left\", \"right\", \"middle\""),
        ("wheel = { x = false }", "4:9: error: wheel turns in no direction; add x = true or y = true"),
        ("wheel = { x = 1 }", "4:15: error: x must be true or false, not an integer"),
        ("wheel = { z = true }", "4:11: error: unknown key \"z\" in wheel"),
        ("wheel = true", "4:9: error: wheel must be a table, not a boolean"),
        ("steps = {}", "4:9: error: steps has no keys; add cw = \"volumeup\" or ccw = \"volumedown\""),
        ("steps = { up = \"a\" }", "4:11: error: unknown key \"up\" in steps"),
        ("kyes = \"a\"", "4:1: error: unknown key \"kyes\" in [[binding]]; did you mean \"keys\"?"),
        ("button = \"right\"", "4:1: error: unknown key \"button\" in [[binding]]"),
        ("wheel = {}", "4:9: error: wheel turns in no direction; add x = true or y = true"),
        ("wheel = { y = true, momentum = 0 }", "4:32: error: momentum is 0; it must be 1 to 50"),
        ("wheel = { y = true, momentum = \"fast\" }", "4:32: error: momentum must be true or false, not a string"),
        ("wheel = { y = true, step = 0 }", "4:28: error: step is 0; it must be 1 to 1000"),
        (
            "keys = \"a\"\nhold = \"b\"",
            "2:1: error: [[binding]] has keys and hold, but a gesture causes one action; remove the others"
        ),
        ("", "2:1: error: [[binding]] has no action; add keys, click, wheel, hold or steps"),
        ("region = []\nkeys = \"a\"", "4:10: error: region has 0 globs; use 1 to 64"),
        ("colour = 1\nkeys = \"a\"", "4:1: error: unknown key \"colour\" in [[binding]]"),
        (
            "keys = \"a\"\n[[pointer]]\nlayout = [10, 10]",
            "5:1: error: [[pointer]] has no area; add area = [left, top, width, height]"
        ),
        (
            "keys = \"a\"\n[[pointer]]\narea = [0, 0, 1, 1]",
            "5:1: error: [[pointer]] has no layout; add layout = [width, height]"
        ),
        (
            "keys = \"a\"\n[[pointer]]\nlayout = [10, 10]\narae = [0, 0, 1, 1]",
            "7:1: error: unknown key \"arae\" in [[pointer]]; did you mean \"area\"?"
        ),
        (
            "keys = \"a\"\n[[pointer]]\nlayout = [10, 10]\narea = [5, 0, 6, 1]",
            "7:8: error: left + width of area is 11; it must be at most 10, the width of layout"
        ),
        (
            "keys = \"a\"\n[[pointer]]\nlayout = [10, 10]\narea = [0, 9, 1, 2]",
            "7:8: error: top + height of area is 11; it must be at most 10, the height of layout"
        ),
        (
            "keys = \"a\"\n[[pointer]]\nlayout = [10, 10]\narea = [0, 0, 1, 0]",
            "7:18: error: height is 0; it must be 1 to 65536"
        ),
        (
            "keys = \"a\"\n[[pointer]]\nlayout = [10, 10]\narea = [0, -1, 1, 1]",
            "7:12: error: top is -1; it must be 0 to 65536"
        ),
        (
            "keys = \"a\"\n[[pointer]]\nlayout = [10]\narea = [0, 0, 1, 1]",
            "6:10: error: layout must be [width, height], not 1 values"
        ),
    ]

    @Test("A mistake is reported with its place and a remedy", arguments: mistakes)
    func mistake(text: String, message: String) {
        let (settings, headlines) = read("[[binding]]\ngesture = \"tap\"\n" + text)
        #expect(settings == nil)
        #expect(headlines == ["keys.toml:" + message])
    }

    @Test(
        "Other words for keys are understood",
        arguments: [
            ("ctrl", "leftctrl"), ("alt", "leftalt"), ("Shift", "leftshift"), ("super", "leftmeta"),
            ("cmd", "leftmeta"),
            ("windows", "leftmeta"), ("Control_L", "leftctrl"), ("rctrl", "rightctrl"), ("Enter", "enter"),
            ("KEY_ENTER", "enter"), ("KEY_CTRL", "leftctrl"), ("ArrowLeft", "left"), ("Page_Up", "pageup"),
            ("spacebar", "space"), (" ", "space"), ("-", "minus"), ("leftctrl ", "leftctrl"), ("Ctrl-C", "leftctrl+c"),
            ("alt-left", "leftalt+left"), ("back-space", "backspace"), ("volumup", "volumeup"), ("!", nil), ("--", nil),
        ])
    func words(word: String, name: String?) {
        #expect(KeyNames.suggestion(for: word) == name)
    }

    @Test("Every name that is suggested is one of a key")
    func suggestions() {
        for word in KeyNames.otherWords {
            #expect(KeyNames.code(of: KeyNames.suggestion(for: word) ?? "") != nil, "\(word)")
            #expect(KeyNames.code(of: word) == nil, "\(word) is itself a key")
        }
    }

    @Test("A table that is none, and a misspelt gesture, cause one error")
    func oneError() {
        #expect(
            read("binding = [5]").headlines == ["keys.toml:2:12: error: [[binding]] must be a table, not an integer"])
        #expect(
            read("[[binding]]\ngestur = \"a\"\nkeys = \"a\"").headlines == [
                "keys.toml:3:1: error: unknown key \"gestur\" in [[binding]]; did you mean \"gesture\"?"
            ])
    }

    @Test("A binding needs a gesture, and there are at most 256")
    func limits() {
        #expect(
            read("[[binding]]\nkeys = \"a\"").headlines == [
                "keys.toml:2:1: error: [[binding]] has no gesture; add the name or the kind of a gesture"
            ])
        let many = String(repeating: "[[binding]]\ngesture = \"x\"\nkeys = \"a\"\n", count: 257)
        #expect(read(many).headlines.first?.hasSuffix("there are 257 bindings; at most 256 are supported") == true)
    }

    @Test("The subscription selects regions and updates only as far as needed")
    func subscription() throws {
        let keys = try #require(read("[[binding]]\ngesture = \"a\"\nregion = [\"b\", \"c*\"]\nkeys = \"x\"").settings)
        #expect(keys.subscription.regions == ["b", "c*"])
        #expect(keys.subscription.phases == [.begin, .end, .cancel])
        let wheel = try #require(read("[[binding]]\ngesture = \"a\"\nwheel = { y = true }").settings)
        let steps = try #require(read("[[binding]]\ngesture = \"a\"\nsteps = { cw = \"x\" }").settings)
        #expect(steps.subscription.phases == wheel.subscription.phases)
        #expect(wheel.subscription.regions == nil)
        let list = "[[binding]]\ngesture = \"a\"\nregion = \"list\"\nwheel = { y = true, momentum = "
        #expect(read(list + "false }").settings?.subscription.regions == ["list"])
        // A finger may land in any region.
        #expect(try #require(read(list + "true }").settings).subscription.regions == nil)
        #expect(wheel.subscription.phases == [.begin, .update, .end, .cancel])
    }
}
