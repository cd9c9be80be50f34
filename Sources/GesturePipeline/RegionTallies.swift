// SPDX-License-Identifier: MIT
import GestureEngine
package import GestureProtocol

/// How often the gestures of each region were recognized, and how often not, since the daemon's start.
///
/// All panels share one: a region keeps its numbers over a reload and when its panel is plugged in again.
package final class RegionTallies {
    /// How often each of some things has happened. It allocates where one happens for the first time.
    struct Tally<Item: Equatable> {
        private(set) var counts: [(item: Item, count: Int64)] = []

        mutating func add(_ item: Item) {
            for i in counts.indices where counts[i].item == item {
                counts[i].count &+= 1
                return
            }
            counts.append((item, 1))
        }
    }

    /// The numbers of one region.
    final class Entry {
        /// Recognized: by the gesture's kind.
        var gestures = Tally<String>()
        var failures = Tally<GestureFailure.Code>()
        /// The same for those who may not see private regions.
        var openGestures = Tally<String>()
        var openFailures = Tally<GestureFailure.Code>()
    }

    /// Regions that are gone are forgotten when there are more than so many.
    private static let mostEntries = 4096

    /// By id: regions that have had an event.
    private var entries: [String: Entry] = [:]

    package init() {}

    func entry(_ region: String) -> Entry {
        if let entry = entries[region] { return entry }
        let entry = Entry()
        entries[region] = entry
        return entry
    }

    /// Forgets regions that are gone, if there are many.
    package func forgetRegions(except ids: @autoclosure () -> Set<String>) {
        guard entries.count > Self.mostEntries else { return }
        let kept = ids()
        entries = entries.filter { kept.contains($0.key) }
    }

    /// Writes `"regions":[…]`: those that have had an event.
    /// - Parameters:
    ///   - regions: ids, in the order in which they are written.
    ///   - seesPrivate: otherwise what happened in private regions is not counted.
    package func write(_ regions: some Sequence<String>, seesPrivate: Bool, into json: inout JSONWriter) {
        json.array("regions") { json in
            for region in regions {
                guard let entry = entries[region] else { continue }
                let gestures = (seesPrivate ? entry.gestures : entry.openGestures).counts
                let failures = (seesPrivate ? entry.failures : entry.openFailures).counts
                guard !gestures.isEmpty || !failures.isEmpty else { continue }
                json.object { json in
                    json.member("region", region)
                    json.object("gestures") { Self.write(gestures.map { ($0.item, $0.count) }, into: &$0) }
                    json.object("failed") { Self.write(failures.map { ($0.item.word, $0.count) }, into: &$0) }
                }
            }
        }
    }

    private static func write(_ counts: [(word: String, count: Int64)], into json: inout JSONWriter) {
        for (word, count) in counts.sorted(by: { $0.word < $1.word }) {
            json.key(named: word)
            json.value(count)
        }
    }
}

extension RegionTallies.Entry {
    /// - Parameters:
    ///   - word: the gesture's kind.
    ///   - audience: who gets the event's lines.
    func add(_ event: GestureEvent, _ word: String, for audience: EventLine.Audience) {
        if case .failed(let failure) = event.detail {
            if audience != .outsiders { failures.add(failure.code) }
            if audience != .insiders { openFailures.add(failure.code) }
        } else if event.phase == nil || event.phase == .begin {
            if audience != .outsiders { gestures.add(word) }
            if audience != .insiders { openGestures.add(word) }
        }
    }
}
