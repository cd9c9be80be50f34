// SPDX-License-Identifier: MIT
#if MQTT
import GestureClient
import GestureProtocol

/// Looks for regions that nothing arrives in any more, though the panel is used: a dead area, a cable, another page.
///
/// It counts contacts and not time, so that nobody is told of a panel that nobody uses.
struct AreaWatch: Hashable {
    /// A region was in use if it has had so many gestures.
    static let gestures = 20
    /// Contacts on the panels since the last gesture in a region.
    static let contacts = 1000

    private struct Use: Hashable {
        var gestures = 0
        var contactsSince = 0
    }

    private var regions: [String: Use] = [:]

    init() {}

    /// The regions in which nothing arrives, by name.
    var dead: [String] {
        regions.filter { $0.value.gestures >= Self.gestures && $0.value.contactsSince >= Self.contacts }
            .map { $0.key }.sorted()
    }

    /// - Parameters:
    ///   - changes: what was counted since the last call.
    ///   - contacts: that have landed since.
    ///   - enabled: all regions, and whether they can be touched now. The others are waited for; what is no longer
    ///     there is forgotten.
    mutating func add(_ changes: [String: Counts.Table], contacts: Int, enabled: [String: Bool]) {
        regions = regions.filter { enabled[$0.key] != nil }
        for (region, isEnabled) in enabled where isEnabled {
            let gestures = (changes[region]?.gestures.values.reduce(0, +)) ?? 0
            guard gestures > 0 || regions[region] != nil else { continue }
            var use = regions[region] ?? Use()
            use.gestures = min(use.gestures + gestures, Self.gestures)
            use.contactsSince = gestures > 0 ? 0 : min(use.contactsSince + contacts, Self.contacts)
            regions[region] = use
        }
    }

    // MARK: beyond a restart

    var saved: String {
        var json = JSONWriter()
        json.object { json in
            for (region, use) in regions.sorted(by: { $0.key < $1.key }) {
                json.key(named: region)
                json.array { json in
                    json.value(Int64(use.gestures))
                    json.value(Int64(use.contactsSince))
                }
            }
        }
        return json.text
    }

    init(saved: String?) {
        guard let saved, let json = JSONValue(parsing: Array(saved.utf8)) else { return }
        for (region, value) in json.members {
            let numbers = value.array?.compactMap { $0.integer } ?? []
            guard numbers.count == 2 else { continue }
            regions[region] = Use(
                gestures: min(Counts.count(numbers[0]), Self.gestures),
                contactsSince: min(Counts.count(numbers[1]), Self.contacts))
        }
    }
}

/// Looks for places that are touched all the time: no finger does that, but water, dirt or a broken panel.
///
/// Needs the right `raw`, for the daemon's `touch_map`.
struct NoiseWatch: Hashable {
    /// So many looks in a row have found new contacts in one cell: ten minutes of ten seconds.
    static let looks = 60

    private var counts: [Int64] = []
    private var streaks: [Int] = []

    /// Cells of the map, of 5 mm or more, that are touched all the time.
    var noisy: Int { streaks.count { $0 >= Self.looks } }

    /// - Parameter reply: of `touch_map`.
    mutating func look(_ reply: JSONValue) {
        let new = reply.list("counts").map { $0.integer ?? 0 }
        guard new.count == counts.count else {
            // Another panel, or another size.
            (counts, streaks) = (new, [Int](repeating: 0, count: new.count))
            return
        }
        for place in new.indices {
            streaks[place] = new[place] > counts[place] ? min(streaks[place] + 1, Self.looks) : 0
        }
        counts = new
    }
}
#endif
