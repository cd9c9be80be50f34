// SPDX-License-Identifier: MIT
import Foundation
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

@testable import gesturectl

/// A replay and a check with another build print the same bytes.
///
/// The other build is the program named by `GESTURED_LONG=other=PATH`. By default it is the release that `make build`
/// has built, unless the sources are newer.
@Suite(
    "Replays and checks by another build",
    .enabled(if: OtherBuild.program != nil, Comment(rawValue: OtherBuild.missing)))
struct OtherBuildTests {
    /// A configuration with all gestures, for replays that also print failures.
    private static let everything =
        panelTable([1920, 1080], millimeters: [344, 194]) + """
            [[region]]
            id = "page"
            shape = "full"
            gestures = [
                "press", "tap", "double_tap", "two_finger_tap", "long_press", "repeat", "drag", "swipe", "pinch", "rotate",
                { type = "drag", fingers = 2, name = "two_finger_drag" },
                { type = "swipe", fingers = 2, name = "two_finger_swipe", when = "threshold" },
            ]
            [[region]]
            id = "button"
            parent = "page"
            shape = { circle = { center = [960, 540], radius = 400 } }
            gestures = ["press", "tap", { type = "drag", axis = "horizontal" }]
            [[region]]
            id = "watch"
            shape = { polygon = [[0, 0], [1700, 100], [1500, 1000], [30, 900]] }
            pass = true
            gestures = ["press", "two_finger_tap"]
            """

    /// The project's recordings, and recordings of real devices if they are available.
    private static let recordings: [String] = {
        let own = BuildProducts.root + "/config"
        let folders = [own, SharedData.recordings?.path].compactMap { $0 }
        return folders.flatMap { folder -> [String] in
            let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
            return files.filter { $0.hasSuffix(".evemu") }.sorted().map { folder + "/" + $0 }
        }
    }()

    private static let configurations: [String] = {
        let own = BuildProducts.root + "/config"
        let files = FileManager.default.enumerator(atPath: own)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".toml") }.sorted().map { own + "/" + $0 }
    }()

    @Test("print the same bytes", arguments: recordings)
    func same(recording: String) throws {
        let other = try #require(OtherBuild.program)
        let folder = try ScratchFolder()
        let all = Self.configurations + [try folder.write(Self.everything, to: "everything.toml")]
        for configuration in all {
            let arguments = [
                "replay", recording, "--config", configuration, "--events", "gesture,touches", "--explain",
            ]
            let here = try Tool.run(arguments)
            let there = try Tool.run(arguments, program: other)
            #expect(here.output == there.output, "\(configuration)")
            #expect(here.errors == there.errors)
            #expect(here.status == there.status)
        }
    }

    /// A region for each value of each key of a type, and for a value that no key accepts.
    private static func values(of type: GestureType) -> String {
        let needed: [GestureKind: String] = [
            .chain: "path = [\"up\"]", .stroke: "points = [[0, 0], [1, 2]]", .pattern: "steps = [\"tap a\"]",
        ]
        var text = panelTable([1920, 1080], millimeters: [344, 194])
        for key in type.keys {
            let fixed = key.isRequired ? nil : needed[type.kind]
            for (index, value) in (key.trials.map(\.value) + ["{}"]).enumerated() {
                let keys = ["type = \"\(type.name)\"", fixed, "\(key.name) = \(value)"].compactMap { $0 }
                text += """
                    [[region]]
                    id = "\(key.name)_\(index)"
                    shape = "full"
                    gestures = ["tap", { name = "own", \(keys.joined(separator: ", ")) }]

                    """
            }
        }
        return text
    }

    @Test("print the same diagnostics", arguments: GestureType.names)
    func diagnostics(type name: String) throws {
        let other = try #require(OtherBuild.program)
        let folder = try ScratchFolder()
        let made = try folder.write(Self.values(of: try #require(GestureType(name))), to: "\(name).toml")
        for file in Self.configurations + [made] {
            for more in [[], ["--json"], ["--accessibility"]] as [[String]] {
                let here = try Tool.run(["check", file] + more)
                let there = try Tool.run(["check", file] + more, program: other)
                #expect(here.output == there.output, "\(file) \(more)")
                #expect(here.errors == there.errors, "\(file) \(more)")
                #expect(here.status == there.status)
            }
        }
    }

    @Test func thereIsSomethingToCompare() throws {
        #expect(!Self.recordings.isEmpty)
        #expect(Self.configurations.count >= 5)
        let folder = try ScratchFolder()
        let configuration = try folder.write(Self.everything, to: "everything.toml")
        let demo = BuildProducts.root + "/config/demo.evemu"
        let outcome = try Tool.run(["replay", demo, "--config", configuration, "--explain"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.count { $0 == "\n" } > 20)
    }
}

enum OtherBuild {
    static let program: String? = {
        let files = FileManager.default
        if let named = LongRuns["other"] { return named }
        let release = BuildProducts.root + "/.build/release/gesturectl"
        guard let built = changed(release) else { return nil }
        let sources = files.enumerator(atPath: BuildProducts.root + "/Sources")?.compactMap { $0 as? String } ?? []
        let newest = sources.filter { $0.hasSuffix(".swift") }.compactMap {
            changed("\(BuildProducts.root)/Sources/\($0)")
        }
        return newest.allSatisfy { $0 <= built } ? release : nil
    }()

    static let missing =
        "no release is as new as the sources: run make build, or name another build with GESTURED_LONG=other=PATH"

    private static func changed(_ path: String) -> Date? {
        // The path may contain links, such as `.build/release`.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return try? FileManager.default.attributesOfItem(atPath: target)[.modificationDate] as? Date
    }
}
