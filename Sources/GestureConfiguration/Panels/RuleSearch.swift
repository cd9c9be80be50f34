// SPDX-License-Identifier: MIT
import GestureEngine

/// Finds rules among those of an earlier layout. Most come after each other as before.
struct RuleSearch {
    private let rules: [RegionRule]
    private let places: Range<Int>
    private var next: Int
    private var search: NameSearch

    /// - Parameter places: others are not looked at.
    init(_ rules: [RegionRule], in places: Range<Int>) {
        self.rules = rules
        self.places = places
        next = places.lowerBound
        search = NameSearch(places) { rules[$0].id }
    }

    /// The place of a rule that is equal to one of `others`.
    mutating func find(_ index: Int, of others: [RegionRule]) -> Int? {
        if places.contains(next), rules[next].isSame(as: others[index]) {
            next += 1
            return next - 1
        }
        guard let place = search.find(others[index].id, near: next) else { return nil }
        next = place + 1
        return rules[place] == others[index] ? place : nil
    }
}
