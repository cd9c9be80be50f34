// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureTestSupport
import Testing

@testable import gesturectl

/// `gesturectl calibrate --screens`, without a compositor. `Tests/Kernel/test_screens.py` tests it with sway and labwc.
@Suite("Which panel lies on which screen")
struct ScreensTests {
    private func lines(_ names: [String]) -> String {
        ScreenLines.text(
            names.enumerated().map { index, name in
                var screen = WaylandScreens.Screen()
                screen.name = "DSI-\(index + 1)"
                let description = DeviceDescription(
                    name: name, vendor: 0x04D8, product: 10, udev: ["ID_PATH": "usb-\(index)"])
                let table = screen.finding.table(device: "panel\(index)", match: nil)
                return ScreenLines(table: table, finding: screen.finding, description: description)
            })
    }

    @Test("the lines for compositors")
    func compositors() {
        #expect(
            lines([" Goodix é", "A & <B>"]) == #"""
                [[device]]
                id = "panel0"
                output = {  }

                [[device]]
                id = "panel1"
                output = {  }

                # sway
                input "1240:10:Goodix__" map_to_output DSI-1
                input "1240:10:A_&_<B>" map_to_output DSI-2
                # labwc: in <labwc_config> of rc.xml
                <touch deviceName=" Goodix é" mapToOutput="DSI-1" />
                <touch deviceName="A &amp; &lt;B>" mapToOutput="DSI-2" />
                # niri maps all panels to the same output
                # udev: for weston and sway 1.7; wlroots 0.18, of sway 1.10 and labwc 0.8, does not read it
                ACTION!="remove", SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}==" Goodix *", ENV{ID_PATH}=="usb-0", ENV{WL_OUTPUT}="DSI-1"
                ACTION!="remove", SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="A * *B*", ENV{ID_PATH}=="usb-1", ENV{WL_OUTPUT}="DSI-2"

                """#)
        #expect(lines(["One"]).contains("input { touch { map-to-output \"DSI-1\"; }; }\n"))
    }

    @Test(
        "names that compositors cannot tell apart, or that would break their lines, are left to udev",
        arguments: [["Twin", "Twin"], ["One", "a\" exec b"], ["One", "$x"]])
    func names(names: [String]) {
        let text = lines(names)
        #expect(!text.contains("map_to_output") && !text.contains("mapToOutput"))
        #expect(text.contains("# sway and labwc cannot tell these panels apart by their names"))
    }

    @Test("the output is described as it is turned")
    func turned() {
        var screen = WaylandScreens.Screen()
        (screen.name, screen.pixels, screen.rotation) = ("DSI-1", .init(width: 1080, height: 1920), .quarter)
        #expect(screen.finding.key == "output = { size = [1920, 1080], rotation = 90 }")
        (screen.millimeters, screen.rotation) = (.init(width: 68, height: 121), .flippedHalf)
        #expect(
            screen.finding.key == "output = { size = [1080, 1920], size_mm = [68, 121], rotation = \"flipped-180\" }")
    }

    @Test("messages of a compositor that are cut off or lie about their lengths")
    func messages() throws {
        func bytes(_ words: UInt32...) -> [UInt8] { words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } } }
        var stream = bytes(7, 24 << 16 | 4, 3, 0x0062_6100) + bytes(9)
        #expect(WaylandEvent(takingFrom: &stream) == nil && stream.count == 20)
        stream = bytes(7, 20 << 16 | 4, 3, 0x0000_6261, 5) + bytes(9, 3, 8)
        var event = try #require(WaylandEvent(takingFrom: &stream))
        #expect(
            event.object == 7 && event.number == 4 && event.text() == "ab" && event.word() == 5 && event.word() == 0)
        var short = try #require(WaylandEvent(takingFrom: &stream))
        #expect(short.object == 9 && short.number == 3 && short.text() == "" && stream.count == 4)
        stream = bytes(1, 16 << 16, .max, 0x6162_6364)
        var lying = try #require(WaylandEvent(takingFrom: &stream))
        #expect(lying.text() == "dcba" && lying.word() == 0)
    }

    @Test("without a compositor, it says which variable names one", arguments: ["", "/no/compositor"])
    func noCompositor(display: String) throws {
        let tests = try CalibrateTests()
        let outcome = try Tool.run(
            ["calibrate", "--screens", "--socket", tests.daemon.socketPath, "-c", tests.folder("gestured.toml")],
            environment: ["WAYLAND_DISPLAY": display])
        #expect(outcome.status == 69)
        let words = display.isEmpty ? "WAYLAND_DISPLAY=/run/user/1000/wayland-1" : "/no/compositor: no compositor"
        #expect(outcome.errors.replacing("\n", with: " ").contains(words), "\(outcome.errors)")
    }
}
