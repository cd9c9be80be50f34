// SPDX-License-Identifier: MIT
#if MQTT
import GestureClient
import GestureProtocol

/// Finds regions that no longer have gestures although the panel is used, for example because of a dead area, a broken
/// cable or a different page.
///
/// It counts contacts instead of time, so that an unused panel causes no report.
struct AreaWatch: Hashable {
    /// The number of gestures after which a region is considered used.
    static let gestures = 20
    /// The number of contacts on all panels without a gesture in a used region after which it is reported.
    static let contacts = 1000

    private struct Use: Hashable {
        var gestures = 0
        var contactsSince = 0
    }

    private var regions: [String: Use] = [:]

    init() {}

    /// The names of the used regions that no longer have gestures.
    var dead: [String] {
        regions.filter { $0.value.gestures >= Self.gestures && $0.value.contactsSince >= Self.contacts }
            .map { $0.key }.sorted()
    }

    /// - Parameters:
    ///   - changes: the counts since the last call.
    ///   - contacts: the number of contacts that have landed since then.
    ///   - enabled: all regions, and whether they can be touched now. For regions that are off, contacts are not
    ///     counted; regions that no longer exist are removed.
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

/// Finds areas that are touched continuously, which is caused by water, dirt or a broken panel instead of fingers.
///
/// Needs the right `raw`, for the daemon's `touch_map`.
struct NoiseWatch: Hashable {
    /// The number of consecutive checks with new contacts in a cell, one every ten seconds: ten minutes.
    static let looks = 60

    private var counts: [Int64] = []
    private var streaks: [Int] = []

    /// The number of cells of the map, of 5 mm or more, that are touched continuously.
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
