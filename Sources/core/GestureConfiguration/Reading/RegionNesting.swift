// SPDX-License-Identifier: MIT

/// Sorts regions so that every parent comes before its children, and otherwise keeps the order of the files.
struct RegionNesting {
    private enum State {
        case unseen
        /// A descendant of the region is being placed.
        case open
        case placed
        case dropped
    }

    private let rules: [(rule: RegionRule, parent: SourceRange)]
    /// The ids of existing regions, none of which is a child of the rules.
    private let present: Set<String>
    /// Returns all ids, for suggestions.
    private let names: () -> [String]
    private let removed: [String]
    private let sink: DiagnosticSink
    /// The index of each rule by its id.
    private var indices: [String: Int] = [:]
    private var state: [State]
    private var result: [RegionRule] = []

    /// - Parameters:
    ///   - rules: the regions, each with the range of its `parent`.
    ///   - present: ids of existing regions, which may be parents of the rules.
    ///   - names: the ids for suggestions; `nil`: those of `present`.
    ///   - removed: ids of regions that a file removes; their children are removed too.
    static func parentsFirst(
        _ rules: [(rule: RegionRule, parent: SourceRange)], in present: Set<String> = [],
        names: (() -> [String])? = nil, removed: [String], _ sink: DiagnosticSink
    ) -> [RegionRule] {
        var nesting = Self(
            rules: rules, present: present, names: names ?? { Array(present) }, removed: removed, sink: sink,
            state: rules.map { _ in .unseen })
        for (i, item) in rules.enumerated() where nesting.indices[item.rule.id] == nil {
            nesting.indices[item.rule.id] = i
        }
        nesting.result.reserveCapacity(rules.count)
        for index in rules.indices { nesting.place(index) }
        return nesting.result
    }

    /// Walks up to the first ancestor that is placed, then places the chain from the top. It uses a loop instead of
    /// recursion, because a chain may have as many regions as the file.
    private mutating func place(_ start: Int) {
        var chain: [Int] = []
        var next: Int? = start
        var isDropped = false
        while let index = next, state[index] != .placed {
            let (rule, parentRange) = rules[index]
            if state[index] == .open {
                sink.error(.parentCycle, "region \"\(rule.id)\" is its own ancestor", at: parentRange)
            }
            guard state[index] == .unseen else {
                isDropped = true
                break
            }
            state[index] = .open
            chain.append(index)
            guard let parent = rule.parent, !present.contains(parent) else { break }
            next = indices[parent]
            if next == nil {
                isDropped = true
                if !removed.contains(parent) { reportUnknown(parent, of: rule.id, parentRange) }
            }
        }
        for index in chain.reversed() {
            state[index] = isDropped ? .dropped : .placed
            if !isDropped { result.append(rules[index].rule) }
        }
    }

    private func reportUnknown(_ parent: String, of id: String, _ range: SourceRange) {
        sink.error(
            .unknownRegion, "parent of region \"\(id)\" is \"\(parent)\", which does not exist",
            suggestion: nearest(to: parent, among: names().sorted() + rules.map { $0.rule.id }.filter { $0 != id }),
            at: range)
    }
}
