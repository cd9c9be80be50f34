// SPDX-License-Identifier: MIT

/// Makes a `Configuration` of files, or says everything that is wrong with them.
package enum ConfigurationReader {
    /// - Parameter files: in the order in which they override one another.
    /// - Returns: no configuration if there is an error; all diagnostics, in the order of the text.
    package static func read(
        _ files: [(path: String, text: [UInt8])]
    ) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
        let report = Report(files: files.map { SourceFile(path: $0.path, text: $0.text) })
        var documents: [TomlTable] = []
        for (index, file) in files.enumerated() {
            do throws(TomlParser.SyntaxError) {
                documents.append(try TomlParser.parse(file.text, file: index))
            } catch {
                report.error(.syntax, error.message, at: error.region)
            }
        }
        var reading = DocumentReading(documents: documents, report: report)
        reading.read()
        return (report.hasErrors ? nil : reading.configuration, report.diagnostics)
    }

    /// One text, for callers that have no files.
    package static func read(
        _ text: String, path: String = "gestured.toml"
    ) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
        read([(path, Array(text.utf8))])
    }
}

/// One run over the parsed files.
private struct DocumentReading {
    let documents: [TomlTable]
    let report: Report
    var configuration = Configuration()

    mutating func read() {
        readTables()
        configuration.devices = read(.device, unlessRemoved: { DeviceRule.read($0, id: $1.id) })
        readRegions()
        let ids = configuration.regions.map { $0.id }
        configuration.scenes = read(.scene, unlessRemoved: { SceneRule.read($0, id: $1.id, regionIDs: ids) })
        let top = DocumentMerge.tables(documents)
        if let value = top[TopKey.arbitration.rawValue],
            let reader = TableReader<ArbitrationKey>(value, name: "[arbitration]", report)
        {
            configuration.arbitration = ArbitrationRule.read(reader, regions: configuration.regions)
        }
    }

    private mutating func readTables() {
        let top = DocumentMerge.tables(documents)
        let start = TextRegion(file: 0, line: 1, column: 1)
        let reader = TableReader<TopKey>(top, name: "the file", region: start, report)
        for (key, value) in reader.present {
            switch key {
            case .version:
                _ = reader.check.integer("version", value, 1...1)
            case .daemon:
                TableReader<DaemonKey>(value, name: "[daemon]", report)
                    .map { configuration.daemon = DaemonSettings.read($0) }
            case .access:
                TableReader<AccessKey>(value, name: "[access]", report)
                    .map { configuration.access = AccessSettings.read($0) }
            case .defaults:
                TableReader<DefaultsKey>(value, name: "[defaults]", report)
                    .map { configuration.defaults = GestureDefaults.read($0) }
            case .filter:
                TableReader<FilterKey>(value, name: "[filter]", report)
                    .map { configuration.filter = FilterRule.read($0) }
            case .device, .region, .scene, .arbitration:
                break
            }
        }
    }

    private mutating func readRegions() {
        var removed: [String] = []
        var rules: [(rule: RegionRule, parent: TextRegion)] = []
        for entry in DocumentMerge.list(.region, documents, report) {
            let reader: TableReader<RegionKey> = entry.reader(report)
            if entry.isEnabled {
                guard let rule = RegionRule.read(reader, id: entry.id) else { continue }
                rules.append((rule, reader.value(.parent)?.region ?? entry.idRegion))
            } else {
                removed.append(entry.id)
                if reader.value(.shape) != nil {
                    _ = RegionRule.read(reader, id: entry.id)
                } else {
                    report.warning(.noEffect, "\(entry.name) is taken away, but nobody defines it", at: entry.idRegion)
                }
            }
        }
        configuration.regions = RegionNesting(rules, removed: removed, report).parentsFirst()
        PatternCheck.check(configuration.regions, among: configuration.regions, report)
    }

    private func read<Key: TableKey, Rule>(
        _ key: TopKey, unlessRemoved rule: (TableReader<Key>, NamedEntry) -> Rule
    ) -> [Rule] {
        var result: [Rule] = []
        for entry in DocumentMerge.list(key, documents, report) {
            let reader: TableReader<Key> = entry.reader(report)
            if entry.isEnabled { result.append(rule(reader, entry)) }
        }
        return result
    }
}
