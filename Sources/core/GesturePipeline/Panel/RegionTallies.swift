// SPDX-License-Identifier: MIT
import GestureEngine
package import GestureProtocol

/// Counts how often the gestures of each region were recognized and failed since the start of the daemon.
///
/// All panels share one instance: a region keeps its counts across a reload and when its panel is unplugged.
package final class RegionTallies {
    final class Counter {
        private(set) var count: Int64 = 0

        func add() { count &+= 1 }
    }

    /// The counters of one region, each made on first use.
    final class Entry {
        private var gestures: [(word: String, counter: Counter)] = []
        private var failures: [(code: GestureFailure.Code, counter: Counter)] = []

        /// Returns the counter for recognized gestures of one kind.
        /// - Parameter word: the name of the kind, such as "tap".
        func recognized(_ word: String) -> Counter {
            if let known = gestures.first(where: { $0.word == word }) { return known.counter }
            let counter = Counter()
            gestures.append((word, counter))
            return counter
        }

        func failed(_ code: GestureFailure.Code) -> Counter {
            for (known, counter) in failures where known == code { return counter }
            let counter = Counter()
            failures.append((code, counter))
            return counter
        }

        /// The non-zero counts by name.
        var counts: (gestures: [(String, Int64)], failures: [(String, Int64)]) {
            func counted(_ all: [(String, Counter)]) -> [(String, Int64)] {
                all.map { ($0, $1.count) }.filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
            }
            return (counted(gestures), counted(failures.map { ($0.code.word, $0.counter) }))
        }
    }

    /// Removed regions are dropped when one side has more entries than this.
    private static let mostEntries = 4096

    /// Regions that have had an event, keyed by id. A region that becomes private, or is no longer private, starts at
    /// zero.
    private var entries = Sides<[String: Entry]>([:])

    package init() {}

    func entry(_ region: Region) -> Entry {
        if let entry = entries[isPrivate: region.isPrivate][region.id] { return entry }
        let entry = Entry()
        if region.isPrivate { entries.hidden[region.id] = entry } else { entries.open[region.id] = entry }
        return entry
    }

    /// Drops removed regions if there are many. Each side is handled independently of the other.
    package func forgetRegions(except ids: @autoclosure () -> Set<String>) {
        for isPrivate in [false, true] where entries[isPrivate: isPrivate].count > Self.mostEntries {
            let kept = ids()
            entries[isPrivate: isPrivate] = entries[isPrivate: isPrivate].filter { kept.contains($0.key) }
        }
    }

    /// Writes `"regions":[…]` for the regions that have had an event.
    /// - Parameter regions: ids in the order of output, and whether they are private.
    package func write(_ regions: some Sequence<(id: String, isPrivate: Bool)>, into json: inout JSONWriter) {
        json.array("regions") { json in
            for region in regions {
                guard let entry = entries[isPrivate: region.isPrivate][region.id] else { continue }
                let (gestures, failures) = entry.counts
                guard !gestures.isEmpty || !failures.isEmpty else { continue }
                json.object { json in
                    json.member("region", RegionID.name(of: region.id))
                    json.object("gestures") { Self.write(gestures, into: &$0) }
                    json.object("failed") { Self.write(failures, into: &$0) }
                }
            }
        }
    }

    private static func write(_ counts: [(String, Int64)], into json: inout JSONWriter) {
        for (word, count) in counts {
            json.key(named: word)
            json.value(count)
        }
    }
}
