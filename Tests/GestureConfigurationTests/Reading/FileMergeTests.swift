// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GestureProtocol
import Testing

@Suite("Several files")
struct FileMergeTests {
    private static let base = """
        [daemon]
        log_level = "debug"
        [defaults]
        tap = { slop = "1mm", gap = "200ms" }
        [[device]]
        id = "panel"
        match = { name = "x" }
        output = { size = [100, 50], rotation = 90 }
        [[region]]
        id = "a"
        shape = { rect = [0, 0, 40, 40] }
        gestures = ["tap"]
        [[region]]
        id = "b"
        shape = "full"
        [[region]]
        id = "b.child"
        parent = "b"
        shape = "full"
        """

    private func read(_ later: String...) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
        ConfigurationReader.read(
            [("base", Array(Self.base.utf8))]
                + later.enumerated().map { ("later\($0.offset)", Array($0.element.utf8)) },
            needsVersion: false)
    }

    @Test func laterKeysWin() throws {
        let (configuration, diagnostics) = read(
            "[daemon]\nmax_clients = 7\n[defaults]\ntap = { gap = \"100ms\" }", "[defaults.tap]\ngap = \"90ms\"")
        #expect(diagnostics.isEmpty)
        let found = try #require(configuration)
        #expect(found.daemon.logLevel == .debug)
        #expect(found.daemon.maxClients == 7)
        var tap = TapSettings()
        tap.slop = 1
        tap.gap = .milliseconds(90)
        #expect(found.regions(for: .fullHD).regions.first?.gestures.first?.settings == .tap(tap))
    }

    @Test func entriesMergeByIDAndKeepTheirOrder() throws {
        let (configuration, diagnostics) = read(
            """
            [[region]]
            id = "new"
            shape = "full"
            [[region]]
            id = "a"
            shape = { circle = { center = [0, 0], radius = 8 } }
            z = 5
            [[device]]
            id = "panel"
            output = { rotation = 180 }
            """)
        #expect(diagnostics.isEmpty)
        let found = try #require(configuration)
        #expect(found.regions.map { $0.id } == ["a", "b", "b.child", "new"])
        let region = try #require(found.regions(for: .fullHD).regions.first)
        #expect(region.shape == .circle(center: Point(x: 0, y: 0), radius: 2))
        #expect(region.z == 5)
        #expect(region.gestures.map { $0.word } == ["tap"])
        #expect(found.devices.first?.output.rotation == .half)
        #expect(found.devices.first?.output.sizePixels?.width == 100)
    }

    @Test func enabledFalseRemoves() throws {
        let (configuration, diagnostics) = read(
            "[[region]]\nid = \"b\"\nenabled = false\n[[device]]\nid = \"panel\"\nenabled = false")
        #expect(diagnostics.isEmpty)
        #expect(configuration?.regions.map { $0.id } == ["a"])
        #expect(configuration?.devices.isEmpty == true)
        let again = read("[[region]]\nid = \"b\"\nenabled = false", "[[region]]\nid = \"b\"\nenabled = true")
        #expect(again.configuration?.regions.map { $0.id } == ["a", "b", "b.child"])
    }

    @Test func removedEntriesAreCheckedAllTheSame() {
        let said = read("[[region]]\nid = \"b\"\nenabled = false\nzz = 1").diagnostics.map { $0.headline }
        #expect(said == ["later0:4:1: error: unknown key \"zz\" in region \"b\"; did you mean \"z\"?"])
    }

    @Test func removingWhatDoesNotExistIsAWarning() {
        let said = read("[[region]]\nid = \"c\"\nenabled = false").diagnostics.map { $0.headline }
        #expect(said == ["later0:2:6: warning: region \"c\" is removed, but not defined anywhere"])
    }

    @Test func mistakesNameTheirFile() {
        let said = read("[daemon]\nlog_level = 1", "[[region]]\nid = \"a\"\nz = \"x\"").diagnostics
        #expect(said.map { "\($0.file):\($0.line)" } == ["later0:2", "later1:3"])
        #expect(said.last?.source == "z = \"x\"")
    }

    @Test func idsThatDifferInCase() {
        let said = read("[[region]]\nid = \"A\"\nshape = \"full\"").diagnostics.map { $0.headline }
        #expect(said == ["later0:2:6: warning: regions \"a\" and \"A\" differ only in case"])
    }
}
