// SPDX-License-Identifier: MIT
import GestureEngine

/// Finds rules among those of an earlier layout. Most are at the same place, or come after each other as before.
struct RuleSearch {
    private let rules: [RegionRule]
    private var next = 0
    private var search: NameSearch

    init(_ rules: [RegionRule]) {
        self.rules = rules
        search = NameSearch(count: rules.count) { rules[$0].id }
    }

    /// The first ones have been found.
    mutating func skip(_ count: Int) { next = count }

    /// The place of a rule that is equal to one of `others`.
    mutating func find(_ index: Int, of others: [RegionRule]) -> Int? {
        if next < rules.count, rules[next].isSame(as: others[index]) {
            next += 1
            return next - 1
        }
        guard let place = search.find(others[index].id, near: next) else { return nil }
        next = place + 1
        return rules[place] == others[index] ? place : nil
    }
}
