// SPDX-License-Identifier: MIT
import GestureConfiguration
import Testing

/// The keys that the fleet's file may change.
@Suite("Keys of the fleet's file")
struct FleetKeyTests {
    /// The tables whose keys have one answer together.
    private static let whole: Set<String> = ["version", "access", "defaults", "filter", "arbitration"]

    @Test("each key of a file has an answer, and no other has one")
    func complete() throws {
        var expected = Self.whole
        for table in Configuration.forms where !Self.whole.contains(table.name) {
            let keys = try #require(table.note.form?.keys, "\(table.name) has no answers")
            expected.formUnion(keys.map { "\(table.name).\($0)" })
        }
        #expect(Set(FleetAnswer.all.keys) == expected)
    }

    @Test("the answer for a key that nobody has thought of is no")
    func unknown() {
        #expect(FleetAnswer(key: "region.new") == .no && FleetAnswer(key: "new") == .no)
        #expect(FleetAnswer(key: "daemon.new") == .no && FleetAnswer(key: "device.new") == .no)
        #expect(FleetAnswer(key: "filter.mask") == .unlessSharedOrPrivate)
    }

    @Test("the keys that differ are found, wherever they are written and whatever is around them")
    func differences() {
        func keys(_ texts: String...) -> FleetKeys {
            FleetKeys(texts.map { (path: "x.toml", text: Array($0.utf8)) })
        }
        let device = "[[device]]\nid = \"panel\"\nmatch = { name = \"*\", path = \"a\" }\n"
        let base = keys("version = 1\n", device + "[filter]\nmask = [[0, 0, 1, 1]]\n")
        #expect(base.changed(to: base) == [])
        // The order of keys, the file and the place do not matter.
        let moved = keys(
            "version = 1\n[filter]\nmask = [[0, 0, 1, 1]]\n\n\n",
            "[[device]]\nmatch = { path = \"a\", name = \"*\" }\nid = \"panel\"\n")
        #expect(base.changed(to: moved) == [])
        #expect(base.changed(to: keys("version = 1\n", device)) == ["filter.mask"])
        #expect(base.changed(to: keys("version = 1\n")) == ["device.id", "device.match", "filter.mask"])
        let more = keys("version = 1\n", device + "wake = { guard = \"1s\" }\n[filter]\nmask = [[0, 0, 1, 2]]\n")
        #expect(base.changed(to: more) == ["device.wake", "filter.mask"])
        // A later file is merged with an earlier one.
        let logged = keys(
            "version = 1\n", device + "[filter]\nmask = [[0, 0, 1, 1]]\n", "[daemon]\nlog_level = \"debug\"\n")
        #expect(base.changed(to: logged) == ["daemon.log_level"])
        #expect(base.changed(to: keys("version = 1\n", "[[")) == ["device.id", "device.match", "filter.mask"])
    }
}

extension ValueForm {
    /// The keys of a table, or of each table in a list.
    fileprivate var keys: [String]? {
        switch self {
        case .table(let keys): keys.map(\.name)
        case .list(let element, _): element.form?.keys
        default: nil
        }
    }
}
