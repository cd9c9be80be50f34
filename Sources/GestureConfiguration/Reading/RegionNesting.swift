// SPDX-License-Identifier: MIT

/// Sorts regions so that every parent comes before its children. Otherwise the order stays that of the files.
struct RegionNesting {
    private let rules: [(rule: RegionRule, parent: SourceRange)]
    private let removed: [String]
    private let sink: DiagnosticSink
    private let indices: [String: Int]

    /// - Parameters:
    ///   - rules: each with the range of its `parent`.
    ///   - removed: ids of regions that a file removes; their children are removed too.
    init(_ rules: [(rule: RegionRule, parent: SourceRange)], removed: [String], _ sink: DiagnosticSink) {
        self.rules = rules
        self.removed = removed
        self.sink = sink
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
        /// One of its descendants is being placed.
        case open
        case placed
        case dropped
    }

    /// Walks up to the first ancestor that is placed, then places the chain from the top. There is no
    /// recursion, because a chain may be as long as the file.
    private func place(_ start: Int, _ state: inout [State], _ result: inout [RegionRule]) {
        var chain: [Int] = []
        var next: Int? = start
        var isDropped = false
        while let index = next {
            if state[index] == .placed { break }
            if state[index] == .dropped || state[index] == .open {
                if state[index] == .open { reportCycle(index) }
                isDropped = true
                break
            }
            state[index] = .open
            chain.append(index)
            guard let parent = rules[index].rule.parent else { break }
            next = indices[parent]
            if next == nil {
                isDropped = true
                if !removed.contains(parent) { reportUnknown(index, parent) }
            }
        }
        for index in chain.reversed() {
            state[index] = isDropped ? .dropped : .placed
            if !isDropped { result.append(rules[index].rule) }
        }
    }

    private func reportCycle(_ index: Int) {
        sink.error(
            .parentCycle, "region \"\(rules[index].rule.id)\" is its own ancestor", at: rules[index].parent)
    }

    private func reportUnknown(_ index: Int, _ parent: String) {
        let id = rules[index].rule.id
        sink.error(
            .unknownRegion, "parent of region \"\(id)\" is \"\(parent)\", which does not exist",
            suggestion: nearest(to: parent, among: rules.map { $0.rule.id }.filter { $0 != id }),
            at: rules[index].parent)
    }
}
