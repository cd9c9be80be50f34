// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Testing
import TouchSharing

@testable import GestureConfiguration

@Suite("Profiles")
struct ProfileTests {
    /// Reads a configuration without errors, and puts a profile in force.
    private func read(_ text: String, _ profile: String) throws -> Configuration {
        let (configuration, diagnostics) = ConfigurationReader.read(text)
        let read = try #require(configuration, "\(diagnostics.map { $0.description })")
        var runtime = read.runtime
        runtime.profile = profile
        return read.applying(runtime)
    }

    private func tap(_ text: String, _ profile: String) throws -> TapSettings {
        let read = try read(text, profile)
        let regions = read.regions(for: .fullHD, rule: read.devices.first).regions
        guard case .tap(let tap) = try #require(regions.last?.gestures.first).settings else {
            throw NotATap()
        }
        return tap
    }

    private struct NotATap: Error {}

    private static let layers = """
        [defaults]
        tap = { slop = "1mm", gap = "200ms" }
        [[device]]
        id = "panel"
        match = { name = "*" }
        share = "forward"
        defaults = { tap = { slop = "2mm" } }
        filter = { max_touch = "30mm", bridge = "20ms" }
        application = { min_gap = "60ms", max_contacts = 1 }
        [[region]]
        id = "parent"
        shape = "full"
        defaults = { tap = { slop = "3mm" } }
        [[region]]
        id = "ok"
        parent = "parent"
        shape = "full"
        defaults = { tap = { slop = "4mm" }, leave = { outside = "5mm" } }
        gestures = [{ type = "tap", max_time = "300ms" }]
        [[scene]]
        id = "night"
        regions = ["*"]
        application = { min_gap = "80ms" }
        [[profile]]
        id = "large"
        defaults = { tap = { slop = "12mm", max_time = "2s" }, leave = { outside = "9mm" } }
        filter = { max_touch = "off" }
        application = { min_gap = "500ms" }
        """

    @Test func aProfileWinsOverAllDefaultsButNotOverTheGestureItself() throws {
        let before = try tap(Self.layers, "default")
        #expect((before.slop, before.gap, before.maxTime) == (4, .milliseconds(200), .milliseconds(300)))
        let after = try tap(Self.layers, "large")
        #expect((after.slop, after.gap, after.maxTime) == (12, .milliseconds(200), .milliseconds(300)))
        let regions = try read(Self.layers, "large").regions(for: .fullHD).regions
        #expect(regions.map { $0.leaveDistance } == [9, 9])
    }

    @Test func aProfileWinsOverTheFiltersOfThePanelAndTheScene() throws {
        func filters(_ profile: String) throws -> (FilterSettings, ApplicationFilter) {
            var read = try read(Self.layers, profile)
            read.runtime.scene = "night"
            let rule = read.devices.first
            return (read.filter(for: .fullHD, rule: rule), read.application(for: .fullHD, rule: rule))
        }
        let (before, after) = (try filters("default"), try filters("large"))
        #expect(before.0 == FilterSettings(maxTouch: 30, bridge: .milliseconds(20)))
        #expect(after.0 == FilterSettings(maxTouch: nil, bridge: .milliseconds(20)))
        #expect((before.1.minGap, before.1.maxContacts) == (.milliseconds(80), 1))
        #expect((after.1.minGap, after.1.maxContacts) == (.milliseconds(500), 1))
    }

    @Test func theDefaultsOfAProfileApplyToTapsBeforeOtherGestures() throws {
        let read = try read(
            """
            [[region]]
            id = "map"
            shape = "full"
            gestures = [{ type = "drag", taps = 1 }]
            [[profile]]
            id = "large"
            defaults = { tap = { slop = "12mm" } }
            """, "large")
        #expect(read.regions(for: .fullHD).regions.map { $0.taps.slop } == [12])
    }

    @Test func shippedProfilesExistWithoutAConfiguration() throws {
        #expect(Configuration().profileIDs == ["default", "steady", "slow"])
        let region = "[[region]]\nid = \"ok\"\nshape = \"full\"\ngestures = [\"tap\"]\n"
        let (plain, steady, slow) = (try tap(region, "default"), try tap(region, "steady"), try tap(region, "slow"))
        #expect(steady.slop > plain.slop)
        #expect(steady.maxTime > plain.maxTime)
        #expect(steady.minGap >= .milliseconds(500))
        #expect(slow.maxTime > plain.maxTime)
        #expect((plain.slop, plain.maxTime) == (TapSettings().slop, TapSettings().maxTime))
    }

    /// Shipped profiles are read like a file, so a file with this text has the same profiles and no warning.
    @Test func theShippedTextIsAFileWithoutMistakes() throws {
        let shared = "[[device]]\nid = \"d\"\nmatch = {}\nshare = \"forward\"\n"
        let text = shared + ProfileRule.shippedText
        #expect(headlines(text) == [])
        let read = try read(text, "default")
        #expect(read.profiles.map { $0.id } == ProfileRule.shipped.map { $0.id })
        #expect(read.profiles.map { $0.defaults } == ProfileRule.shipped.map { $0.defaults })
        #expect(read.profiles.map { $0.filter } == ProfileRule.shipped.map { $0.filter })
        #expect(ProfileRule.shipped.allSatisfy { $0.defaults != GestureDefaults() })
    }

    @Test("The page shows the shipped profiles")
    func page() throws {
        let page = try readText(packageRoot + "/docs/accessibility.md")
        #expect(page.contains("```toml\n" + ProfileRule.shippedText + "```"))
    }

    @Test func aFileReplacesAndRemovesShippedProfiles() throws {
        let text = """
            [[region]]
            id = "ok"
            shape = "full"
            gestures = ["tap"]
            [[profile]]
            id = "steady"
            defaults = { tap = { slop = "20mm" } }
            [[profile]]
            id = "slow"
            enabled = false
            [[profile]]
            id = "glove"
            """
        #expect(try read(text, "default").profileIDs == ["default", "steady", "glove"])
        let steady = try tap(text, "steady")
        #expect((steady.slop, steady.maxTime) == (20, .milliseconds(500)))
        #expect(try tap(text, "glove") == tap(text, "default"))
    }

    @Test func laterFilesChangeAProfileKeyByKey() throws {
        let files = ["defaults = { tap = { slop = \"9mm\" } }", "defaults = { tap = { gap = \"1s\" } }"].map {
            (path: "t", text: Array("[[profile]]\nid = \"a\"\n\($0)".utf8))
        }
        let read = try #require(ConfigurationReader.read(files, needsVersion: false).configuration)
        #expect(read.profiles.last?.defaults.overrides[.tap]?.map { $0.key } == ["slop", "gap"])
    }

    @Test func theFilterAndAnySceneCountForTheApplication() {
        let text = """
            [[device]]
            id = "p"
            match = { name = "*" }
            share = "forward"
            [[scene]]
            id = "night"
            application = { min_gap = "60ms" }
            [[profile]]
            id = "a"
            filter = { bridge = "50ms" }
            application = { bridge = true, bounce_distance = "9mm" }
            """
        #expect(headlines(text).filter { $0.contains("no_effect") || $0.contains("no effect") } == [])
    }

    @Test(
        "Mistakes",
        arguments: [
            (
                "id = \"default\"",
                "t:2:6: error: profile \"default\" always exists and changes nothing; use another id"
            ),
            ("defaults = {}", "t:1:1: error: a profile has no id"),
            (
                "id = \"a\"\ndefault = {}",
                "t:3:1: error: unknown key \"default\" in profile \"a\"; did you mean \"defaults\"?"
            ),
            (
                "id = \"a\"\nfilter = { max_touch = 3 }",
                "t:3:24: error: max_touch has no unit; add a unit: \"3mm\", \"3px\", \"3%\", or \"off\""
            ),
            (
                "id = \"a\"\napplication = { min_gap = \"60ms\" }",
                "t:3:27: warning: application of profile \"a\" has no effect: no [[device]] has share = \"forward\""
            ),
        ])
    func mistakes(entry: String, message: String) {
        #expect(headlines("[[profile]]\n" + entry).filter { !$0.contains("no regions") } == [message])
    }
}
