// SPDX-License-Identifier: MIT

/// What one gesture says about others of its region, with the places of their names.
struct GestureLinks {
    /// A name in `after` or `unless`.
    struct Link {
        var key: GestureKey
        var name: String
        var region: TextRegion
    }

    var links: [Link] = []
    var exclusive = false

    /// Each name is listed once.
    func names(_ key: GestureKey) -> [String] {
        var result: [String] = []
        for link in links where link.key == key && !result.contains(link.name) { result.append(link.name) }
        return result
    }

    mutating func read(_ key: GestureKey, _ value: TomlValue, _ check: ValueReader) {
        for item in check.array(key.rawValue, of: "names", value) ?? [] {
            guard let name = check.name("a name", item) else { continue }
            links.append(Link(key: key, name: name, region: item.region))
        }
    }

    /// Tells of names that do not exist, and of gestures that wait for themselves.
    ///
    /// - Parameters:
    ///   - gestures: all of one region.
    ///   - owner: `region "ok"`.
    static func check(_ gestures: [(rule: GestureRule, links: Self)], owner: String, _ report: Report) {
        for (rule, own) in gestures {
            for link in own.links where !gestures.contains(where: { $0.rule.name == link.name }) {
                let others = gestures.map { $0.rule }.filter { $0.name != rule.name }
                // Who has named a gesture may still think of its word.
                let sameWord = others.first { $0.word == link.name }?.name
                report.error(
                    .unknownName, "\(link.key.rawValue): \(owner) has no gesture named \"\(link.name)\"",
                    suggestion: sameWord ?? Suggestion.nearest(to: link.name, among: others.map { $0.name }),
                    at: link.region)
            }
        }
        for (rule, own) in gestures {
            for link in own.links where reaches(rule.name, from: link.name, gestures) {
                let message =
                    link.name == rule.name
                    ? "gesture \"\(rule.name)\" of \(owner) waits for itself"
                    : "gestures \"\(rule.name)\" and \"\(link.name)\" of \(owner) wait for each other"
                report.error(.gestureCycle, message, at: link.region)
            }
        }
    }

    /// Whether `start` waits for `name`, itself or by way of others.
    private static func reaches(_ name: String, from start: String, _ gestures: [(rule: GestureRule, links: Self)])
        -> Bool
    {
        var seen = [start]
        var next = 0
        while next < seen.count {
            if seen[next] == name { return true }
            for gesture in gestures where gesture.rule.name == seen[next] {
                for link in gesture.links.links where !seen.contains(link.name) { seen.append(link.name) }
            }
            next += 1
        }
        return false
    }
}
