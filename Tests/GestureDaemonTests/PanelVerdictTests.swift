// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// Every touch device has a row in `devices`, which states the reason if it is not used.
@Suite("Daemon: which devices are panels")
struct PanelVerdictTests {
    static let refusals: [(commands: String, reason: String)] = [
        ("noprop 1\nkey 0x145", "it is a touchpad, not a touchscreen; match it in a [[device]] to use it anyway"),
        ("key 0x140", "it is a tablet, not a touchscreen; match it in a [[device]] to use it anyway"),
        ("axis 47 0 64 0 0 0", "it announces 65 slots; 1 to 64 are supported"),
        // The daemon must refuse these devices before libevdev opens them, because libevdev would write out
        // of bounds.
        ("axis 47 0 2147483647 0 0 0", "it announces 2147483648 slots; 1 to 64 are supported"),
        ("axis 47 0 306783378 0 0 0", "it announces 306783379 slots; 1 to 64 are supported"),
        ("axis 47 0 -3 0 0 0", "it announces -2 slots; 1 to 64 are supported"),
        (
            "axis 53 7 7 0 0 0",
            "its x axis has the empty range 7 to 7; correct it with a udev hwdb entry (EVDEV_ABS)"
        ),
        (
            "axis 54 100 0 0 0 0",
            "its y axis has the empty range 100 to 0; correct it with a udev hwdb entry (EVDEV_ABS)"
        ),
        ("noaxis 0\nnoaxis 53", "it has no pair of position axes, so fingers cannot be located"),
        (
            "noaxis 47\nnoaxis 57\nnoaxis 53\nnoaxis 54\nnokey 330",
            "it has neither slots nor BTN_TOUCH, so touches cannot be detected"
        ),
    ]

    /// A configuration that matches any name, so that every device is listed. A refused device stays refused
    /// despite the match.
    private static let anyDevice = TestConfiguration.button.replacing("name = \"Fake Panel\"", with: "name = \"*\"")

    @Test("refused, with the reason", arguments: refusals)
    func refused(commands: String, reason: String) throws {
        let harness = try PanelHarness(Self.anyDevice, waitsFor: nil) {
            try $0.commands(commands + (reason.contains("not a") ? kind(reason) : ""))
            try $0.add()
        }
        let devices = try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        #expect(devices.map { $0["state"] } == ["refused"])
        #expect(devices.map { $0["reason"] } == [reason])
        #expect(harness.daemon.log.contains("refused: " + reason))
    }

    private func kind(_ reason: String) -> String {
        let word = reason.hasPrefix("it is a touchpad") ? "TOUCHPAD" : "TABLET"
        return "\nproperty ID_INPUT_TOUCHSCREEN=\nproperty ID_INPUT_\(word)=1"
    }

    @Test(
        "used if a [[device]] table accepts it by name",
        arguments: [
            "noprop 1\nkey 0x145\nproperty ID_INPUT_TOUCHSCREEN=\nproperty ID_INPUT_TOUCHPAD=1",
            "key 0x140\nproperty ID_INPUT_TOUCHSCREEN=\nproperty ID_INPUT_TABLET=1", "noprop 1",
            "noprop 1\nproperty ID_INPUT_TOUCHSCREEN=", "noaxis 0\nnoaxis 1",
            "axis 53 0 4095 0 0 0\naxis 54 0 4095 0 0 0", "axis 53 0 4095 0 0 1\naxis 54 0 4095 0 0 9999",
        ])
    func used(commands: String) throws {
        let harness = try PanelHarness(prepare: {
            try $0.commands(commands)
            try $0.add()
        })
        #expect(try harness.press(x: 400, y: 800).number("x") == 100)
    }

    @Test("protocol A: contacts without slots")
    func unslotted() throws {
        let harness = try PanelHarness(prepare: {
            try $0.commands("noaxis 47\nnoaxis 57")
            try $0.add()
        })
        try harness.panel.command("frame 3 53 400 3 54 800 0 2 0 1 330 1")
        #expect(try harness.client.wait(for: "gesture press begin ok").number("x") == 100)
        try harness.panel.command("frame 0 2 0 1 330 0")
        try harness.client.wait(for: "gesture press end ok")
        // Lost events cancel the contacts that are down; they are ignored until they lift.
        try harness.panel.command("frame 3 53 400 3 54 800 0 2 0 1 330 1")
        try harness.client.wait(for: "gesture press begin ok")
        try harness.panel.command("drop")
        try harness.client.wait(for: "gesture press cancel sync_lost ok")
        try harness.panel.command("frame 3 53 404 3 54 800 0 2 0")
        try harness.panel.command("frame 0 2 0 1 330 0")
        try harness.panel.command("frame 3 53 800 3 54 800 0 2 0 1 330 1")
        #expect(try harness.client.wait(for: "gesture press begin ok").number("x") == 200)
        try harness.panel.remove()
        try harness.client.wait(for: "gesture press cancel device_removed ok")
    }

    @Test("the positions of its corners")
    func corners() throws {
        let harness = try PanelHarness(prepare: {
            try $0.command("property LIBINPUT_CALIBRATION_MATRIX=0 -1 1 2 0 -0.5 0 0 1")
            try $0.add()
        })
        let corners = try harness.row().object("output")?.objects("corners") ?? []
        #expect(corners.map { $0.number("x") } == [1024, 1024, 0, 0])
        #expect(corners.map { $0.number("y") } == [-512, 1536, 1536, -512])
        #expect(corners.map { $0.number("x_mm") } == [200, 200, 0, 0])
        #expect(corners.map { $0.number("y_mm") } == [-100, 300, 300, -100])
    }

    @Test("a rule changes the matrix under a finger: the press is cancelled, and the next one is at the new position")
    func laterMatrix() throws {
        let harness = try PanelHarness()
        #expect(try harness.press(x: 400, y: 800).number("y") == 200)
        // A property that the daemon does not use.
        try harness.panel.commands("property ID_WHATEVER=1\nchange")
        try harness.panel.commands("property LIBINPUT_CALIBRATION_MATRIX=1 0 0 0 1 0.5\nchange")
        #expect(
            try harness.client.summaries(to: "device added")
                == ["gesture press cancel reload ok", "device removed", "device added"])
        try harness.panel.lift()
        #expect(try harness.press(id: 2, x: 400, y: 800).number("y") == 712)
    }

    @Test("an invalid matrix is reported and not used")
    func matrix() throws {
        let harness = try PanelHarness(prepare: {
            try $0.command("property LIBINPUT_CALIBRATION_MATRIX=1 0 0 nan 1 0")
            try $0.add()
        })
        #expect(harness.daemon.log.contains("its LIBINPUT_CALIBRATION_MATRIX must be six usable numbers"))
        #expect(try harness.press(x: 400, y: 800).number("y") == 200)
    }

    @Test("each panel has its own output")
    func outputs() throws {
        let text = """
            version = 1
            [[device]]
            id = "panel"
            match = { name = "Fake Panel" }
            output = { size = [1024, 1024] }
            [[device]]
            id = "side"
            match = { name = "Other*" }
            output = { size = [600, 800], rotation = 180 }
            [[region]]
            id = "ok"
            shape = "full"
            gestures = ["press"]
            """
        let harness = try PanelHarness(
            text,
            prepare: {
                try $0.add()
                try $0.command("name Other Panel")
                try $0.add(1)
            })
        try harness.panel.command("select 1")
        let begin = try harness.press(x: 1024, y: 1024)
        #expect(begin["device"] == "side")
        #expect(begin.number("x") == 450 && begin.number("y") == 600)
        try harness.panel.command("select 0")
        let other = try harness.press(x: 1024, y: 1024)
        #expect(other["device"] == "panel")
        #expect(other.number("x") == 256 && other.number("y") == 256)
    }

    @Test("a warning about a region is logged once for all panels")
    func warnedOnce() throws {
        let odd = TestConfiguration.button.replacing("\"50%\", \"100%\"", with: "\"150%\", \"100%\"")
        let harness = try PanelHarness(
            prepare: {
                try $0.add()
                try $0.command("parent 1")
                try $0.add(1)
            })
        try harness.daemon.configure(odd)
        #expect(try harness.client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == true)
        #expect(try harness.client.request(#"{"cmd":"status","id":2}"#).object("devices")?.number("ready") == 2)
        #expect(harness.daemon.log.split(separator: "\n").count { $0.contains("region \"ok\" lies 33 % outside") } == 1)
    }
}
