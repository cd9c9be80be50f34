// SPDX-License-Identifier: MIT
import Foundation
import GestureClient
import GestureProtocol
import GestureTestSupport
import Testing

@testable import gesturectl

@Suite("Regions as table, tree and picture")
struct RegionTests {
    static let reply =
        #"{"reply":"regions","id":1,"ok":true,"regions":[{"region":"screen","device":"panel","parent":null,"z":0,"shape":{"rect":[0.0,0.0,1920.0,1080.0]},"margin":0.0,"pass":true,"enabled":true,"private":false,"gestures":[{"gesture":"tap","name":"refresh"}]},{"region":"carousel","device":"panel","parent":null,"z":0,"shape":{"rect":[0.0,108.0,1920.0,756.0]},"margin":0.0,"pass":false,"enabled":true,"private":false,"gestures":[{"gesture":"tap","name":"tap"},{"gesture":"swipe","name":"page"}]},{"region":"buy","device":"panel","parent":"carousel","z":1,"shape":{"polygon":[[1.0,2.5],[3.0,4.0],[5.0,6.0]]},"margin":12.5,"pass":false,"enabled":false,"private":false,"gestures":[]},{"region":"ad<min","device":"panel","parent":"carousel","z":100,"shape":{"circle":{"center":[1920.0,0.0],"radius":78.1}},"margin":0.0,"pass":false,"enabled":true,"private":true,"gestures":[{"gesture":"long_press","name":"long_press"}]}]}"#

    static func regions() throws -> [GestureClient.Region] {
        let json = try #require(JSONValue(parsing: Array(reply.utf8)))
        return GestureClient.Region.all(in: json)
    }

    @Test("the table")
    func table() throws {
        #expect(
            Regions.table(try Self.regions()).text(withLegend: true) == """
                REGION    DEVICE  PARENT    Z    SHAPE                 FLAGS                 GESTURES
                screen    panel   -         0    1920x1080+0+0         pass                  tap "refresh"
                carousel  panel   -         0    1920x756+0+108        -                     tap, swipe "page"
                buy       panel   carousel  1    polygon of 3          disabled,margin 12.5
                ad<min    panel   carousel  100  circle 1920,0 r 78.1  private               long_press

                """)
    }

    @Test("the tree starts with the topmost region")
    func tree() throws {
        #expect(
            RegionTree.text(try Self.regions()) == """
                panel
                ├─ carousel  1920x756+0+108  tap, swipe "page"
                │  ├─ ad<min  circle 1920,0 r 78.1  [private]  long_press
                │  └─ buy  polygon of 3  [disabled]  [margin 12.5]
                └─ screen  1920x1080+0+0  [pass]  tap "refresh"

                """)
    }

    @Test("circular and missing parents end the tree and lose no root")
    func strangeTree() throws {
        var regions = try Self.regions()
        regions[0].parent = "gone"
        regions[1].parent = "buy"
        #expect(RegionTree.text(regions) == "panel\n└─ screen  1920x1080+0+0  [pass]  tap \"refresh\"\n")
    }

    @Test("with a configuration, regions and points need no daemon")
    func offline() throws {
        let folder = try ScratchFolder()
        let file = try folder.write(RoundTripTests.configuration, to: "a.toml")
        func run(_ arguments: String...) throws -> Tool.Outcome {
            try Tool.run(arguments, environment: ["GESTURED_SOCKET": "/nonexistent"])
        }
        let tree = try run("regions", "-c", file, "--tree")
        #expect(tree.status == 0, "\(tree.errors)")
        #expect(tree.output.contains("─ left  "))
        #expect(try run("regions", "-c", file, "l*", "--no-legend").output.hasPrefix("left "))
        #expect(try run("regions", "-c", file, "--json").output.hasPrefix(#"{"regions":[{"region":"#))
        #expect(try run("at", "-c", file, "5", "5").output.hasPrefix("left"))
        #expect(try run("at", "-c", file, "5", "99999").status == 64)
        let margin = try folder.write(
            "version = 1\n[[region]]\nid = \"ok\"\nmargin = \"20px\"\nshape = { rect = [100, 100, 50, 50] }\n",
            to: "margin.toml")
        #expect(try run("at", "-c", margin, "90", "110").output == "ok (its margin)\n")
        #expect(try run("at", "-c", margin, "100", "110").output == "ok\n")
        #expect(try run("at", "-c", margin, "70", "110").output == "no region\n")
        #expect(
            try run("at", "-c", margin, "90", "110", "--json").output.hasSuffix(#""pass":[],"margin":true}"# + "\n"))
        let unknown = try run("regions", "-c", file, "lefd")
        #expect(unknown.status == 1)
        #expect(unknown.errors == "gesturectl: no region \"lefd\" on a panel; did you mean \"left\"?\n")
        #expect(
            try run("at", "-c", file, "5", "5", "--device", "x").errors
                == "gesturectl: no panel \"x\"; there is only panel\n")
        for line in ["-5 10", "-5 10 --json", "-- -5 10"] {
            let outside = try Tool.run(["at", "-c", file] + line.split(separator: " ").map(String.init))
            #expect(outside.status == 64)
            #expect(
                outside.errors.hasPrefix("gesturectl: -5.0, 10.0 lies outside output \"panel\""), "\(outside.errors)")
        }
        let two = try folder.write(
            "[[device]]\nid = \"second\"\nmatch = { name = \"Goodix*\" }\noutput = { size = [800, 480] }\n",
            to: "two.toml")
        let choice = try run("at", "-c", file, "-c", two, "5", "5")
        #expect(choice.status == 64)
        #expect(
            choice.errors == "gesturectl: several panels are described; choose one with --device: panel, second\n")
        #expect(try run("at", "-c", file, "-c", two, "5", "5", "--device", "second").output.hasPrefix("left"))
        let other = try folder.write(
            "[[device]]\nid = \"third\"\nmatch = { name = \"Goodix C*\" }\n[[device]]\nid = \"any\"\nmatch = { name = \"*\" }\n",
            to: "other.toml")
        let described = ["at", "-c", file, "-c", two, "-c", other, "5", "5", "--device"]
        #expect(try Tool.run(described + ["Goodix Touch"]).output.hasPrefix("left"))
        #expect(
            try Tool.run(described + ["Goodix Capacitive"]).errors
                == "gesturectl: several panels are called \"Goodix Capacitive\"; choose one with --device: second, third\n"
        )
        let missing = try Tool.run(described + ["nonsense"])
        #expect(missing.status == 1)
        #expect(missing.errors.hasSuffix("; there are panel, second, third, any\n"))
    }

    @Test("--tree prints the tree; a glob is passed to the daemon")
    func command() throws {
        let daemon = try FakeDaemon { _ in .init(Self.reply) }
        #expect(try Tool.run(["regions", "b*", "--tree", "--socket", daemon.path]).output.hasPrefix("panel\n├─ "))
        #expect(daemon.requests.first == #"{"cmd":"regions","id":1,"region":"b*"}"#)
    }
}
