// SPDX-License-Identifier: MIT

extension Configuration {
    /// The ids of all scenes, the one with everything first.
    package var sceneIDs: [String] { [RuntimeState.defaultScene] + scenes.map { $0.id } }

    /// For each of the regions, whether it is on: neither it nor what it lies in is switched off, and
    /// the scene has it. What clients have defined is in every scene.
    package var isShown: [Bool] {
        let scene = scenes.first { $0.id == runtime.scene }
        let defined = Set(runtime.definitions.map { $0.id })
        var off: Set<String> = []
        return regions.map { region in
            if runtime.switchedOff.contains(region.id) || region.parent.map({ off.contains($0) }) == true {
                off.insert(region.id)
                return false
            }
            return scene.map { $0.has(region.id) || defined.contains(region.id) } ?? true
        }
    }

    /// This configuration of files, as it is with what clients have changed.
    ///
    /// A defined region is left out while the files have one of that id, or not the parent that it needs.
    package func applying(_ runtime: RuntimeState) -> Configuration {
        var result = self
        result.runtime = runtime
        guard !runtime.definitions.isEmpty else { return result }
        let ids = Set(regions.map { $0.id })
        let defined = runtime.definitions.filter { !ids.contains($0.id) }
        result.regions = Self.ordered(regions + defined, Report(files: []))
        return result
    }

    /// Reads regions that a client defines on top of this configuration.
    ///
    /// - Parameters:
    ///   - values: one table each, with the keys of `[[region]]`.
    ///   - file: what diagnostics name as their place: `regions` becomes `regions[0]`, `regions[1]`, …
    /// - Returns: no rules if there is an error; warnings too.
    package func readDefinitions(
        _ values: [DefinitionValue], file: String
    ) -> (rules: [RegionRule]?, diagnostics: [Diagnostic]) {
        let report = Report(files: values.indices.map { SourceFile(requestPart: "\(file)[\($0)]") })
        var taken = Set(regions.map { $0.id })
        var rules: [RegionRule] = []
        for (index, value) in values.enumerated() {
            let entry = NamedEntry(
                value.toml(at: TextRegion(file: index, line: 1, column: 1)), kind: "region", report)
            guard !entry.id.isEmpty else { continue }
            if !taken.insert(entry.id).inserted {
                report.error(.duplicateID, "there is a region \"\(entry.id)\" already", at: entry.idRegion)
                continue
            }
            if let rule = RegionRule.read(entry.reader(report), id: entry.id) { rules.append(rule) }
        }
        let all = Self.ordered(regions + rules, report)
        PatternCheck.check(rules, among: all, report)
        return (report.hasErrors ? nil : rules, report.diagnostics)
    }

    private static func ordered(_ rules: [RegionRule], _ report: Report) -> [RegionRule] {
        RegionNesting(rules.map { ($0, report.start(of: $0.place)) }, removed: [], report).parentsFirst()
    }
}
