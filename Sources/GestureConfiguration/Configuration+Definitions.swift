// SPDX-License-Identifier: MIT
import GestureEngine
package import GestureProtocol

/// The regions that clients define.
extension Configuration {
    /// This configuration of files with what clients have changed.
    ///
    /// A defined region is left out while the files have one with its id, or do not have its parent.
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
        let start = SourceRange(file: -1, line: 1, column: 1)
        let defined = runtime.definitions.filter { !writtenIDs.contains($0.id) }
        result.regions += RegionNesting.parentsFirst(
            defined.map { ($0, start) }, in: writtenIDs, removed: [], DiagnosticSink(files: []))
        return result
    }

    /// The regions of another state of which nothing is left out and no order changed, neither before nor now; `nil`:
    /// that is not so.
    private func regions(with definitions: [RegionRule], since old: Configuration) -> [RegionRule]? {
        let before = old.runtime.definitions
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
            if writtenIDs.contains(rule.id) { return false }
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
    ///   - guest: what they may be; `nil`: anything.
    ///   - replaced: ids of defined regions whose place they take.
    /// - Returns: no rules if there is an error; all diagnostics.
    package func readDefinitions(
        _ values: [JSONValue], file: String, guest: GuestRules? = nil, replacing replaced: Set<String> = []
    ) -> (rules: [RegionRule]?, diagnostics: [Diagnostic]) {
        read(values, values.indices.map { "\(file)[\($0)]" }, guest, replaced)
    }

    /// Reads one region that a client defines on top of this configuration, or in place of a defined one with its id.
    ///
    /// - Parameter file: where diagnostics say that it is.
    package func readDefinition(
        _ value: JSONValue, file: String, guest: GuestRules? = nil, replacing replaced: Set<String> = []
    ) -> (rule: RegionRule?, diagnostics: [Diagnostic]) {
        let (rules, diagnostics) = read([value], [file], guest, replaced)
        return (rules?.first, diagnostics)
    }

    private func read(
        _ values: [JSONValue], _ places: [String], _ guest: GuestRules?, _ replaced: Set<String>
    ) -> (rules: [RegionRule]?, diagnostics: [Diagnostic]) {
        // Whoever defines regions must not keep the daemon busy with names that are nearly right.
        let sink = DiagnosticSink(files: places.map { SourceFile(path: $0, text: nil) }, suggestions: 8)
        let entries = values.enumerated().map { index, value in
            ListEntry(
                ConfigurationValue(value, at: SourceRange(file: index, line: 1, column: 1)), kind: "region", sink)
        }
        var present = PresentRegions(self, besides: replaced)
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
        if let guest {
            let hidden = privateRegionIDs
            for i in rules.indices { guest.confine(&rules[i], defined: taken, privateIDs: hidden, sink) }
        }
        let parents = Set(rules.compactMap { $0.parent }).filter { present.isAround($0, taken) }
        let placed = RegionNesting.parentsFirst(
            Array(zip(rules, ranges)), in: parents, names: { present.all }, removed: [], sink)
        if rules.contains(where: { $0.hasPattern }) {
            PatternCheck.check(rules, among: regions.filter { !replaced.contains($0.id) } + placed, sink)
        }
        return (sink.hasErrors ? nil : rules, sink.diagnostics)
    }
}

/// Which regions there are when some are defined in place of others.
private struct PresentRegions {
    private let regions: [RegionRule]
    private let writtenIDs: Set<String>
    private let replaced: Set<String>
    private var search: NameSearch

    init(_ configuration: Configuration, besides replaced: Set<String>) {
        let regions = configuration.regions
        self.regions = regions
        writtenIDs = configuration.writtenIDs
        self.replaced = replaced
        search = NameSearch(count: regions.count) { regions[$0].id }
    }

    /// Those of some ids that regions have.
    func known(_ ids: Set<String>) -> Set<String> {
        var result = ids.intersection(writtenIDs)
        let wanted = NameSet(ids)
        for place in min(writtenIDs.count, regions.count)..<regions.count where wanted.contains(regions[place].id) {
            result.insert(regions[place].id)
        }
        return replaced.isEmpty ? result : result.subtracting(replaced)
    }

    /// Whether there is such a region, and it is in none of those that are defined.
    mutating func isAround(_ id: String, _ defined: Set<String>) -> Bool {
        guard !replaced.contains(id) else { return false }
        var next = search.find(id, near: 0)
        if next == nil { return false }
        while let place = next {
            guard let parent = regions[place].parent else { return true }
            if defined.contains(parent) || replaced.contains(parent) { return false }
            next = search.find(parent, near: 0)
        }
        return true
    }

    var all: [String] { regions.map { $0.id }.filter { !replaced.contains($0) } }
}
