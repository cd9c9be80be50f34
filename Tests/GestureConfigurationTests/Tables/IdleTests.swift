// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import Testing

@Suite("Idle times, the initial scene, and the panels of a region")
struct IdleTests {
    private static let scenes = """
        version = 1
        [[region]]
        id = "a"
        shape = "full"
        [[scene]]
        id = "shop"
        regions = ["a"]

        """

    private func diagnostics(_ text: String) -> [String] {
        ConfigurationReader.read(Self.scenes + text, path: "f").diagnostics.map {
            "\($0.severity) \($0.line):\($0.column) \($0.code.rawValue) \($0.message) \($0.suggestion ?? "-")"
        }
    }

    @Test("mistakes in [[idle]] are reported with their location")
    func mistakes() {
        #expect(diagnostics("[[idle]]\nafter = \"60s\"\nscene = \"shop\"\nin = [\"shop\", \"def*\"]\n") == [])
        #expect(
            diagnostics("[[idle]]\nid = \"dim\"\n") == [
                "error 9:1 missing_key idle \"dim\" is missing the key after; use a time such as \"60s\" -"
            ])
        #expect(
            diagnostics("[[idle]]\nafter = \"99ms\"\n") == [
                "error 9:9 out_of_range after is 99ms; it must be 100ms to 3600s -"
            ])
        #expect(
            diagnostics("[[idle]]\nafter = \"60s\"\nscene = \"shpo\"\n") == [
                "error 10:9 unknown_name scene of idle \"idle\" is \"shpo\", which does not exist shop"
            ])
        #expect(
            diagnostics("[[idle]]\nafter = \"60s\"\nin = [\"shpo\"]\n") == [
                "warning 10:7 unmatched idle \"idle\": no scene is named \"shpo\" shop"
            ])
        #expect(
            diagnostics("[[idle]]\nafter = \"60s\"\n[[idle]]\nafter = \"90s\"\n") == [
                "error 10:1 duplicate_id two idles have the id \"idle\" -"
            ])
    }

    @Test("the initial scene is active without clients, and must exist")
    func startScene() throws {
        let text = Self.scenes.replacing("regions = [\"a\"]", with: "regions = []")
        let start = try #require(ConfigurationReader.read(text + "[daemon]\nscene = \"shop\"\n").configuration)
        #expect(start.isShown == [false])
        #expect(try #require(ConfigurationReader.read(text).configuration).isShown == [true])
        #expect(
            diagnostics("[daemon]\nscene = \"shpo\"\n") == [
                "error 9:9 unknown_name scene of [daemon] is \"shpo\", which does not exist shop"
            ])
    }

    @Test("a region and its children are on the panels that it names")
    func panels() throws {
        let text = """
            version = 1
            [[device]]
            id = "left"
            match = { path = "usb-1" }
            [[device]]
            id = "right"
            match = { path = "usb-2" }
            [[region]]
            id = "child"
            parent = "own"
            shape = "full"
            [[region]]
            id = "own"
            device = "l*"
            shape = "full"
            [[region]]
            id = "both"
            shape = "full"
            z = -1

            """
        let (configuration, diagnostics) = ConfigurationReader.read(text)
        #expect(diagnostics == [])
        let found = try #require(configuration)
        let ids = found.devices.map { found.regions(for: .fullHD, rule: $0).regions.map { $0.id } }
        #expect(ids == [["own", "child", "both"], ["both"]])
        let region = try #require(found.regions(for: .fullHD, rule: found.devices[0]).regions.last)
        #expect(region.parent == nil)
        #expect(found.regions(for: .fullHD, name: "left").regions.count == 3)
        #expect(
            ConfigurationReader.read(text.replacing("\"l*\"", with: "\"lefft\"")).diagnostics.map {
                "\($0.line) \($0.code.rawValue) \($0.suggestion ?? "")"
            } == ["14 unmatched left"])
    }
}
