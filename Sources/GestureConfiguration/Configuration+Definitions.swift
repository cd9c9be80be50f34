// SPDX-License-Identifier: MIT
import GestureEngine
package import GestureProtocol

/// Who defines regions, and what they may be.
package struct Definer: Hashable, Sendable {
    /// `nil`: anything.
    var guest: GuestRules?
    /// Whether it has the right to see private regions, and so to define them.
    package var seesPrivate: Bool

    package init(guest: GuestRules? = nil, seesPrivate: Bool = true) {
        self.guest = guest
        self.seesPrivate = seesPrivate
    }
}

/// The regions that clients define.
extension Configuration {
    /// This configuration of files with what clients have changed.
    ///
    /// A defined region is left out while the files have one with its id, or do not have its parent. For those of outsiders
    /// private regions do not count: they may have the id of one, and cannot lie in one.
    /// - Parameter old: the same files with an earlier state. What it has in common with the new one costs little. The
    ///   result does not depend on it.
    package func applying(_ runtime: RuntimeState, since old: Configuration? = nil) -> Configuration {
        var result = self
        result.runtime = runtime
        guard !runtime.definitions.isEmpty else { return result }
        if let old, let regions = regions(with: runtime.definitions, since: old) {
            result.regions = regions
            return result
        }
        let firm = runtime.definitions.filter { !$0.isOutsider && !writtenIDs.contains($0.id) }
        result.regions += nested(firm)
        guard firm.count < runtime.definitions.count else { return result }
        let hidden = result.privateRegionIDs
        let firmIDs = Set(firm.map { $0.id })
        func isOpen(_ name: String) -> Bool {
            (writtenIDs.contains(name) || firmIDs.contains(name)) && !hidden.contains(name)
        }
        result.regions = regions
        result.regions += nested(
            runtime.definitions.filter { rule in
                rule.isOutsider ? !isOpen(rule.name) && !rule.isIn(hidden) : !writtenIDs.contains(rule.id)
            })
        if !hidden.isEmpty { result.shadow(besides: hidden) }
        return result
    }

    /// Definitions in an order in which they can be laid out, without those whose parent is not there.
    private func nested(_ definitions: [RegionRule]) -> [RegionRule] {
        let start = SourceRange(file: -1, line: 1, column: 1)
        return RegionNesting.parentsFirst(
            definitions.map { ($0, start) }, in: writtenIDs, removed: [], DiagnosticSink(files: []))
    }

    /// Shadows the regions of outsiders that have the name of a private one, and those in them.
    private mutating func shadow(besides hidden: Set<String>) {
        var shadowed: Set<String> = []
        for index in regions.indices where regions[index].isOutsider {
            guard hidden.contains(regions[index].name) || regions[index].isIn(shadowed) else { continue }
            shadowed.insert(regions[index].id)
            regions[index].shadow()
        }
    }

    /// The regions of another state of which nothing is left out and no order changed, neither before nor now; `nil`:
    /// that is not so.
    private func regions(with definitions: [RegionRule], since old: Configuration) -> [RegionRule]? {
        let before = old.runtime.definitions
        // Whether outsiders' regions are left out depends on private ones.
        if definitions.contains(where: { $0.isOutsider }),
            old.hasPrivateRegions || definitions.contains(where: { $0.isPrivate })
        {
            return nil
        }
        guard old.regions.count == regions.count + before.count,
            regions.indices.allSatisfy({ regions[$0].isSame(as: old.regions[$0]) }),
            before.indices.allSatisfy({ before[$0].isSame(as: old.regions[regions.count + $0]) })
        else { return nil }
        var first = 0
        let shorter = min(before.count, definitions.count)
        while first < shorter, definitions[first].isSame(as: before[first]) { first += 1 }
        var (oldEnd, newEnd) = (before.count, definitions.count)
        while oldEnd > first, newEnd > first, definitions[newEnd - 1].isSame(as: before[oldEnd - 1]) {
            oldEnd -= 1
            newEnd -= 1
        }
        guard isInOrder(first..<newEnd, of: definitions) else { return nil }
        if hasOrphans(definitions, before[first..<oldEnd], first..<newEnd) { return nil }
        if oldEnd == first, newEnd == first { return old.regions }
        var result = old.regions
        result.replaceSubrange(
            (regions.count + first)..<(regions.count + oldEnd), with: definitions[first..<newEnd])
        return result
    }

    /// Whether definitions are no regions of the files and come after their parents.
    private func isInOrder(_ range: Range<Int>, of definitions: [RegionRule]) -> Bool {
        var search = NameSearch(count: range.lowerBound) { definitions[$0].id }
        var passed: Set<String> = []
        for index in range {
            let rule = definitions[index]
            if writtenIDs.contains(rule.name) { return false }
            if let parent = rule.parent, !writtenIDs.contains(parent), !passed.contains(parent),
                search.find(parent, near: 0) == nil
            {
                return false
            }
            passed.insert(rule.id)
        }
        return true
    }

    /// Whether the parent of some region is gone.
    private func hasOrphans(
        _ definitions: [RegionRule], _ removed: ArraySlice<RegionRule>, _ added: Range<Int>
    ) -> Bool {
        var gone = Set(removed.map { $0.id })
        gone.subtract(definitions[added].map { $0.id })
        guard !gone.isEmpty else { return false }
        return definitions.indices.contains { definitions[$0].isIn(gone) }
    }

    /// Reads regions that a client defines on top of this configuration.
    ///
    /// - Parameters:
    ///   - values: an object each, with the keys of `[[region]]`.
    ///   - file: where diagnostics say that they are: `regions` becomes `regions[0]`, `regions[1]`, …
    ///   - definer: the client; the result does not depend on regions that it may not see.
    ///   - replaced: ids of defined regions whose place they take.
    /// - Returns: no rules if there is an error; all diagnostics.
    package func readDefinitions(
        _ values: [JSONValue], file: String, by definer: Definer = Definer(), replacing replaced: Set<String> = []
    ) -> (rules: [RegionRule]?, diagnostics: [Diagnostic]) {
        read(values, values.indices.map { "\(file)[\($0)]" }, definer, replaced)
    }

    /// Reads one region that a client defines on top of this configuration, or in place of a defined one with its id.
    ///
    /// - Parameter file: where diagnostics say that it is.
    package func readDefinition(
        _ value: JSONValue, file: String, by definer: Definer = Definer(), replacing replaced: Set<String> = []
    ) -> (rule: RegionRule?, diagnostics: [Diagnostic]) {
        let (rules, diagnostics) = read([value], [file], definer, replaced)
        return (rules?.first, diagnostics)
    }

    private func read(
        _ values: [JSONValue], _ places: [String], _ definer: Definer, _ replaced: Set<String>
    ) -> (rules: [RegionRule]?, diagnostics: [Diagnostic]) {
        // Whoever defines regions must not keep the daemon busy with names that are nearly right.
        let sink = DiagnosticSink(files: places.map { SourceFile(path: $0, text: nil) }, suggestions: 8)
        let entries = values.enumerated().map { index, value in
            ListEntry(
                ConfigurationValue(value, at: SourceRange(file: index, line: 1, column: 1)), kind: "region", sink)
        }
        var present = PresentRegions(self, view(seesPrivate: definer.seesPrivate), besides: replaced)
        let known = present.known(Set(entries.map { $0.id }))
        var taken: Set<String> = []
        var rules: [RegionRule] = []
        var ranges: [SourceRange] = []
        for (value, entry) in zip(values, entries) where !entry.id.isEmpty {
            if known.contains(entry.id) || !taken.insert(entry.id).inserted {
                sink.error(.duplicateID, "there is a region \"\(entry.id)\" already", at: entry.idRange)
                continue
            }
            guard var rule = RegionRule(entry.reader(RegionRule.keys, sink), id: entry.id) else { continue }
            rule.definitionBytes = Int32(clamping: value.json.utf8.count)
            rules.append(rule)
            ranges.append(entry.range)
        }
        for i in rules.indices { definer.guest?.confine(&rules[i], defined: taken, sink) }
        let defined = definer.seesPrivate ? taken : Set(taken.map { RegionID.marked($0) })
        let parents = Set(rules.compactMap { $0.parent }).subtracting(taken).filter { present.isAround($0, defined) }
        confine(rules, by: definer, taken, &present, sink)
        let placed = RegionNesting.parentsFirst(
            Array(zip(rules, ranges)), in: parents, names: { present.names }, removed: [], sink)
        if rules.contains(where: { $0.hasPattern }) {
            PatternCheck.check(rules, among: present.regions + placed, sink)
        }
        guard !sink.hasErrors else { return (nil, sink.diagnostics) }
        guard !definer.seesPrivate else { return (rules, sink.diagnostics) }
        let marked = rules.map { rule in rule.markedAsOutsider { taken.contains($0) || present.isOutsiders($0) } }
        return (marked, sink.diagnostics)
    }

    /// Says what regions may not be because of the right to see private ones.
    private func confine(
        _ rules: [RegionRule], by definer: Definer, _ taken: Set<String>, _ present: inout PresentRegions,
        _ sink: DiagnosticSink
    ) {
        for rule in rules {
            func refuse(_ message: String) {
                sink.error(.badValue, "region \"\(rule.name)\" \(message)", at: sink.startOfFile(of: rule.location))
            }
            if definer.seesPrivate, let parent = rule.parent, !taken.contains(parent), present.isOutsiders(parent) {
                refuse("must not be in \"\(parent)\", which a user who is not in private_uids has defined")
            } else if !definer.seesPrivate, rule.isPrivate {
                refuse("must not be private: for users in private_uids only")
            }
        }
    }
}

/// Looks up regions by name for a client that defines some in place of others.
private struct PresentRegions {
    private let all: [RegionRule]
    private let view: RegionView
    private let writtenIDs: Set<String>
    private let replaced: Set<String>
    private let hasOutsiders: Bool
    private var search: NameSearch

    /// - Parameter replaced: ids.
    init(_ configuration: Configuration, _ view: RegionView, besides replaced: Set<String>) {
        let all = configuration.regions
        self.all = all
        self.view = view
        self.replaced = replaced
        writtenIDs = configuration.writtenIDs
        hasOutsiders = all.indices.contains { all[$0].isOutsider }
        search = NameSearch(count: all.count) { all[$0].id }
    }

    private func isThere(_ id: String) -> Bool { !view.hidden.contains(id) && !replaced.contains(id) }

    /// The names among `names` that some region has.
    func known(_ names: Set<String>) -> Set<String> {
        var result = names.intersection(writtenIDs).filter { isThere($0) }
        let wanted = NameSet(hasOutsiders ? names.union(names.map { RegionID.marked($0) }) : names)
        for place in min(writtenIDs.count, all.count)..<all.count
        where wanted.contains(all[place].id) && isThere(all[place].id) {
            result.insert(all[place].name)
        }
        return result
    }

    private mutating func place(of name: String) -> Int? {
        let marked = hasOutsiders ? RegionID.marked(name) : name
        if isThere(marked), let place = search.find(marked, near: 0) { return place }
        return isThere(name) ? search.find(name, near: 0) : nil
    }

    /// Whether there is such a region, and it is in none of those that are defined.
    /// - Parameter defined: ids.
    mutating func isAround(_ name: String, _ defined: Set<String>) -> Bool {
        var next = place(of: name)
        if next == nil { return false }
        while let place = next {
            guard let parent = all[place].parent else { return true }
            if defined.contains(parent) || replaced.contains(parent) { return false }
            next = search.find(parent, near: 0)
        }
        return true
    }

    /// Whether there is such a region that an outsider has defined.
    mutating func isOutsiders(_ name: String) -> Bool { place(of: name).map { all[$0].isOutsider } ?? false }

    var regions: [RegionRule] { replaced.isEmpty ? view.regions : view.regions.filter { !replaced.contains($0.id) } }
    var names: [String] { regions.map { $0.name } }
}
