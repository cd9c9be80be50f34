// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

/// Clients without access to private regions define regions and query them as if the private ones did not exist.
@Suite("Regions as seen by a client")
struct RegionViewTests {
    private static let open = """
        [[region]]
        id = "list"
        shape = "full"
        [[region]]
        id = "ok"
        parent = "list"
        shape = { rect = [0, 0, 100, 100] }

        """
    private static let hidden = """
        [[region]]
        id = "pad"
        parent = "list"
        shape = { rect = [100, 0, 100, 100] }
        private = true
        [[region]]
        id = "pad.1"
        parent = "pad"
        shape = "full"

        """

    private static func read(_ text: String) throws -> Configuration {
        try #require(ConfigurationReader.read(text).configuration)
    }

    private static func definition(_ random: inout SeededRandom) -> String {
        let name = random.pick(["a", "b", "c", "pad", "pad.1", "ok"])
        let parent = random.pick(["", "list", "pad", "pad.1", "a", "b", "ok", "pda"])
        return #"{"id":"\#(name)","shape":"full"\#(parent.isEmpty ? "" : #","parent":"\#(parent)""#)}"#
    }

    @Test("its definitions do not depend on private regions", arguments: UInt64(0)..<4)
    func sameView(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let files = [try Self.read(Self.open), try Self.read(Self.open + Self.hidden)]
        var current = files
        var rules: [[RegionRule]] = [[], []]
        var (accepted, shadowed) = (0, 0)
        for _ in 0..<300 {
            let values = (0..<random.below(4)).map { _ in json(Self.definition(&random)) }
            let read = current.map {
                $0.readDefinitions(
                    values, file: "regions", by: Definer(seesPrivate: false),
                    replacing: Set($0.runtime.definitions.map { $0.id }))
            }
            #expect(read[0].diagnostics == read[1].diagnostics)
            if read[0].rules != nil { accepted += 1 }
            for i in files.indices {
                rules[i] = read[i].rules ?? rules[i]
                var runtime = RuntimeState()
                runtime.definitions = rules[i]
                current[i] = files[i].applying(runtime)
            }
            let views = current.map { $0.view(seesPrivate: false).regions.map { $0.name } }
            #expect(views[0] == views[1] && Set(views[0]).count == views[0].count)
            let all = current[1].view(seesPrivate: true).regions.map { $0.name }
            #expect(all.contains("pad") && all.contains("pad.1") && Set(all).count == all.count)
            shadowed += current[1].regions.count - all.count
        }
        #expect(accepted > 50 && shadowed > 10, "\(accepted), \(shadowed)")
    }

    @Test("switching a region off does not switch off private regions in it")
    func switches() throws {
        let files = try Self.read(Self.open + Self.hidden)
        func shown(_ off: Set<String>, _ privateOff: Set<String>?) -> [String] {
            var runtime = RuntimeState()
            (runtime.switchedOff, runtime.privateSwitchedOff) = (off, privateOff)
            let changed = files.applying(runtime)
            return zip(changed.regions, changed.isShown).filter { $1 }.map { $0.0.name }
        }
        #expect(shown(["list"], nil) == [])
        #expect(shown(["list"], []) == ["pad", "pad.1"])
        #expect(shown([], ["list"]) == ["list", "ok"])
        #expect(shown(["ok", "pad"], ["pad.1"]) == ["list", "pad"])
    }
}
