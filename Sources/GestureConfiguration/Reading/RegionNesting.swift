// SPDX-License-Identifier: MIT

/// Puts regions in an order in which every parent comes before its children, and which otherwise
/// is that of the files.
struct RegionNesting {
    private let rules: [(rule: RegionRule, parent: TextRegion)]
    private let removed: [String]
    private let report: Report
    private let indices: [String: Int]

    /// - Parameters:
    ///   - rules: with the place of each one's `parent`.
    ///   - removed: ids that a file took away; their children go with them.
    init(_ rules: [(rule: RegionRule, parent: TextRegion)], removed: [String], _ report: Report) {
        self.rules = rules
        self.removed = removed
        self.report = report
        var indices: [String: Int] = [:]
        for (i, item) in rules.enumerated() where indices[item.rule.id] == nil { indices[item.rule.id] = i }
        self.indices = indices
    }

    func parentsFirst() -> [RegionRule] {
        var state = [State](repeating: .unseen, count: rules.count)
        var result: [RegionRule] = []
        for index in rules.indices { place(index, &state, &result) }
        return result
    }

    private enum State {
        case unseen
        /// One of its children, or a child of these, is being placed.
        case open
        case placed
        case dropped
    }

    /// Walks up to the first ancestor that is placed, then places the way back down: chains may
    /// be as long as the file.
    private func place(_ start: Int, _ state: inout [State], _ result: inout [RegionRule]) {
        var chain: [Int] = []
        var next: Int? = start
        var isDropped = false
        while let index = next {
            if state[index] == .placed { break }
            if state[index] == .dropped || state[index] == .open {
                if state[index] == .open { tellCycle(index) }
                isDropped = true
                break
            }
            state[index] = .open
            chain.append(index)
            guard let parent = rules[index].rule.parent else { break }
            next = indices[parent]
            if next == nil {
                isDropped = true
                if !removed.contains(parent) { tellUnknown(index, parent) }
            }
        }
        for index in chain.reversed() {
            state[index] = isDropped ? .dropped : .placed
            if !isDropped { result.append(rules[index].rule) }
        }
    }

    private func tellCycle(_ index: Int) {
        report.error(
            .parentCycle, "region \"\(rules[index].rule.id)\" is its own ancestor", at: rules[index].parent)
    }

    private func tellUnknown(_ index: Int, _ parent: String) {
        let id = rules[index].rule.id
        report.error(
            .unknownRegion, "parent of region \"\(id)\" is \"\(parent)\", which does not exist",
            suggestion: Suggestion.nearest(to: parent, among: rules.map { $0.rule.id }.filter { $0 != id }),
            at: rules[index].parent)
    }
}
