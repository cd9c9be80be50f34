// SPDX-License-Identifier: MIT
#if MQTT
import GestureClient
import GestureProtocol

/// Finds regions in which there are no longer any gestures although the panel is used, for example because of a dead
/// area, a broken cable or a different page.
///
/// Contacts are counted instead of measuring time, so that an unused panel is not reported.
struct AreaWatch: Hashable {
    /// A region is considered used after this number of gestures.
    static let gestures = 20
    /// A used region is reported after this number of contacts on all panels without a gesture in the region.
    static let contacts = 1000

    private struct Use: Hashable {
        var gestures = 0
        var contactsSince = 0
    }

    private var regions: [String: Use] = [:]

    init() {}

    /// The names of the used regions in which there are no longer any gestures.
    var dead: [String] {
        regions.filter { $0.value.gestures >= Self.gestures && $0.value.contactsSince >= Self.contacts }
            .map { $0.key }.sorted()
    }

    /// - Parameters:
    ///   - changes: the counts since the last call.
    ///   - contacts: the number of contacts that have landed since then.
    ///   - enabled: all regions, and whether they can be touched now. Contacts are not counted for regions that are
    ///     off. Regions that no longer exist are removed.
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

    // MARK: values kept across a restart

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

/// Finds areas that are touched continuously. The cause is water, dirt or a broken panel rather than fingers.
///
/// This requires the right `raw`, because it uses the daemon's `touch_map`.
struct NoiseWatch: Hashable {
    /// A cell is reported after new contacts have landed in it during this number of consecutive checks. There is a
    /// check every ten seconds, so this takes ten minutes.
    static let looks = 60

    private var counts: [Int64] = []
    private var streaks: [Int] = []

    /// The number of cells of the map that are touched continuously. A cell measures 5 mm or more.
    var noisy: Int { streaks.count { $0 >= Self.looks } }

    /// - Parameter reply: the reply to `touch_map`.
    mutating func look(_ reply: JSONValue) {
        let new = reply.list("counts").map { $0.integer ?? 0 }
        guard new.count == counts.count else {
            // The panel or its size has changed.
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
