// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
package import GestureProtocol

/// A client that defines regions, with the limits on its definitions.
package struct Definer: Hashable, Sendable {
    /// The limits for a guest; `nil`: no limits.
    var guest: GuestRules?
    /// Whether the client has the right to see private regions, and therefore to define them.
    package var seesPrivate: Bool

    package init(guest: GuestRules? = nil, seesPrivate: Bool = true) {
        self.guest = guest
        self.seesPrivate = seesPrivate
    }
}

/// The regions that clients define.
extension Configuration {
    /// Returns this configuration, which comes from files, with the changes made by clients.
    ///
    /// A definition is left out while the files contain a region with its id, or do not contain its parent. For
    /// definitions of outsiders, private regions do not exist: a definition may have the id of a private region, but
    /// not be its child. An output that an outsider has set is left out while there are private regions, because it
    /// would move them on the glass.
    package func applying(_ runtime: RuntimeState) -> Configuration {
        var result = defining(runtime)
        if !runtime.outputs.isEmpty, result.hasPrivateRegions {
            result.runtime.outputs = runtime.outputs.filter { !$0.value.isOutsider }
        }
        return result
    }

    private func defining(_ runtime: RuntimeState) -> Configuration {
        var result = self
        result.runtime = runtime
        guard !runtime.definitions.isEmpty else { return result }
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

    /// Returns the definitions in an order in which they can be laid out, without those whose parent is missing.
    private func nested(_ definitions: [RegionRule]) -> [RegionRule] {
        let start = SourceRange(file: -1, line: 1, column: 1)
        return RegionNesting.parentsFirst(
            definitions.map { ($0, start) }, in: writtenIDs, removed: [], DiagnosticSink(files: []))
    }

    /// Marks regions defined by outsiders as shadowed if they have the name of a private region, and marks the children
    /// of such regions.
    private mutating func shadow(besides hidden: Set<String>) {
        var shadowed: Set<String> = []
        for index in regions.indices where regions[index].isOutsider {
            guard hidden.contains(regions[index].name) || regions[index].isIn(shadowed) else { continue }
            shadowed.insert(regions[index].id)
            regions[index].shadow()
        }
    }

    /// Reads regions that a client defines on top of this configuration.
    ///
    /// - Parameters:
    ///   - values: one object for each region, with the keys of `[[region]]`.
    ///   - file: the file name in diagnostics: `regions` becomes `regions[0]`, `regions[1]`, …
    ///   - definer: the client. The result does not depend on regions that the client may not see.
    ///   - replaced: the ids of defined regions that the new ones replace.
    /// - Returns: the rules, or `nil` if there is an error; all diagnostics.
    package func readDefinitions(
        _ values: [JSONValue], file: String, by definer: Definer = Definer(), replacing replaced: Set<String> = []
    ) -> (rules: [RegionRule]?, diagnostics: [Diagnostic]) {
        read(values, values.indices.map { "\(file)[\($0)]" }, definer, replaced)
    }

    /// Reads one region that a client adds to this configuration. It may replace the region of the same id that the client
    /// added before.
    ///
    /// - Parameter file: the file name in diagnostics.
    package func readDefinition(
        _ value: JSONValue, file: String, by definer: Definer = Definer(), replacing replaced: Set<String> = []
    ) -> (rule: RegionRule?, diagnostics: [Diagnostic]) {
        let (rules, diagnostics) = read([value], [file], definer, replaced)
        return (rules?.first, diagnostics)
    }

    private func read(
        _ values: [JSONValue], _ places: [String], _ definer: Definer, _ replaced: Set<String>
    ) -> (rules: [RegionRule]?, diagnostics: [Diagnostic]) {
        // The number of suggestions is limited, so that searching for them does not delay the daemon.
        let sink = DiagnosticSink(files: places.map { SourceFile(path: $0, text: nil) }, suggestions: 8)
        let entries = values.enumerated().map { index, value in
            ListEntry(
                ConfigurationValue(value, at: SourceRange(file: index, line: 1, column: 1)), kind: "region", sink)
        }
        let present = PresentRegions(self, view(seesPrivate: definer.seesPrivate), besides: replaced)
        var taken: Set<String> = []
        var rules: [RegionRule] = []
        var ranges: [SourceRange] = []
        for (value, entry) in zip(values, entries) {
            let reader = entry.reader(RegionRule.keys, sink)
            if entry.id.isEmpty { continue }
            if present.has(entry.id) || !taken.insert(entry.id).inserted {
                sink.error(.duplicateID, "a region named \"\(entry.id)\" already exists", at: entry.idRange)
                continue
            }
            guard var rule = RegionRule(reader, id: entry.id) else { continue }
            rule.change { $0.isLeased = true }
            rule.definition = value.json
            rules.append(rule)
            ranges.append(entry.range)
        }
        for i in rules.indices { definer.guest?.confine(&rules[i], defined: taken, sink) }
        let defined = definer.seesPrivate ? taken : Set(taken.map { RegionID.marked($0) })
        let parents = Set(rules.compactMap { $0.parent }).subtracting(taken).filter { present.isAround($0, defined) }
        confine(rules, by: definer, taken, present, sink)
        let placed = RegionNesting.parentsFirst(
            Array(zip(rules, ranges)), in: parents, names: { present.names }, removed: [], sink)
        RegionLinks.check(rules, among: present.regions + placed, sink)
        guard !sink.hasErrors else { return (nil, sink.diagnostics) }
        guard !definer.seesPrivate else { return (rules, sink.diagnostics) }
        let marked = rules.map { rule in rule.markedAsOutsider { taken.contains($0) || present.isOutsiders($0) } }
        return (marked, sink.diagnostics)
    }

    /// Reports regions that conflict with private ones, or that the client has no right to define.
    private func confine(
        _ rules: [RegionRule], by definer: Definer, _ taken: Set<String>, _ present: PresentRegions,
        _ sink: DiagnosticSink
    ) {
        for rule in rules {
            func refuse(_ message: String) {
                sink.error(.badValue, "region \"\(rule.name)\" \(message)", at: sink.startOfFile(of: rule.location))
            }
            if definer.seesPrivate, let parent = rule.parent, !taken.contains(parent), present.isOutsiders(parent) {
                refuse("must not be in \"\(parent)\", which was defined by a user who is not in private_uids")
            } else if !definer.seesPrivate, rule.isPrivate {
                refuse("must not be private: only users in private_uids may define private regions")
            }
        }
    }
}

/// Looks up regions by name for a client whose definitions replace others.
private struct PresentRegions {
    private let all: [RegionRule]
    private let view: RegionView
    private let replaced: Set<String>
    /// The index in `all` of each id.
    private let places: [String: RegionIndex]

    /// - Parameter replaced: the ids of the regions that are replaced.
    init(_ configuration: Configuration, _ view: RegionView, besides replaced: Set<String>) {
        all = configuration.regions
        self.view = view
        self.replaced = replaced
        places = all.placesByID
    }

    private func place(of name: String) -> RegionIndex? {
        for id in [RegionID.marked(name), name] where !view.hidden.contains(id) && !replaced.contains(id) {
            if let place = places[id] { return place }
        }
        return nil
    }

    func has(_ name: String) -> Bool { place(of: name) != nil }

    /// Whether a region with this name exists and is not a descendant of one of the regions that are being defined.
    /// - Parameter defined: the ids of the regions that are being defined.
    func isAround(_ name: String, _ defined: Set<String>) -> Bool {
        var next = place(of: name)
        if next == nil { return false }
        while let place = next {
            guard let parent = all[place].parent else { return true }
            if defined.contains(parent) || replaced.contains(parent) { return false }
            next = places[parent]
        }
        return true
    }

    /// Whether a region with this name exists and was defined by an outsider.
    func isOutsiders(_ name: String) -> Bool { place(of: name).map { all[$0].isOutsider } ?? false }

    var regions: [RegionRule] { replaced.isEmpty ? view.regions : view.regions.filter { !replaced.contains($0.id) } }
    var names: [String] { regions.map { $0.name } }
}

extension [RegionRule] {
    subscript(region: RegionIndex) -> RegionRule { self[region.raw] }

    var regionIndices: Range<RegionIndex> { RegionIndex(raw: 0)..<RegionIndex(raw: count) }

    var placesByID: [String: RegionIndex] { Dictionary(regionIndices.map { (self[$0].id, $0) }) { $1 } }
}
