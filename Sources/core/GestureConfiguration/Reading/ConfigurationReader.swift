// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol

/// Reads a `Configuration` from files and reports all mistakes in them.
package enum ConfigurationReader {
    /// - Parameters:
    ///   - files: the files; later ones override earlier ones.
    ///   - needsVersion: whether the first file must contain `version`. If so, an empty file is an error.
    ///   - hidden: regions to leave out, so that no diagnostic can name them.
    /// - Returns: the configuration, or `nil` if there is an error; and all diagnostics, in the order of the text.
    package static func read(
        _ files: [(path: String, text: [UInt8])], needsVersion: Bool = true, hiding hidden: Set<String> = []
    ) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
        let sink = DiagnosticSink(files: files.map { SourceFile(path: $0.path, text: $0.text) })
        let (documents, lacksVersion) = parse(files, .daemon, sink)
        let configuration = Configuration(
            documents, lacksVersion: needsVersion && lacksVersion, hiding: hidden, sink)
        return (sink.hasErrors ? nil : configuration, sink.diagnostics)
    }

    /// Reads the file of another program, whose keys are declared like those of the daemon. The file must contain
    /// `version`.
    ///
    /// - Returns: `target` with the values of the file, or `nil` if there is an error; and all diagnostics, in the
    ///   order of the text.
    package static func read<Target>(
        _ text: [UInt8], path: String, keys: [Key<Target>], into target: Target
    ) -> (settings: Target?, diagnostics: [Diagnostic]) {
        let sink = DiagnosticSink(files: [SourceFile(path: path, text: text)])
        var target = target
        let (documents, lacksVersion) = parse([(path, text)], .bridge, sink)
        for document in documents {
            let start = SourceRange(file: 0, line: 1, column: 1)
            let known = [.version] + keys
            let reader = TableReader(document, name: "the file", range: start, keys: known.map { $0.name }, sink)
            if lacksVersion { reader.missingKey(noVersion) }
            reader.read(known, into: &target)
        }
        return (sink.hasErrors ? nil : target, sink.diagnostics)
    }

    fileprivate static let noVersion = "no version; add the line: version = 1"

    /// Parses the files, up to one with too many values.
    /// - Returns: the files without syntax errors, and whether the first one has no version.
    static func parse(
        _ files: [(path: String, text: [UInt8])], _ limit: TomlValueLimit, _ sink: DiagnosticSink
    ) -> (documents: [ConfigurationTable], lacksVersion: Bool) {
        var documents: [ConfigurationTable] = []
        var (lacksVersion, limit) = (false, limit)
        for (index, file) in files.enumerated() {
            do throws(TomlParser.SyntaxError) {
                let document = try TomlParser.parse(file.text, file: index, limit: &limit)
                if index == 0 { lacksVersion = document["version"] == nil }
                documents.append(document)
            } catch {
                sink.error(error.code, error.message, at: error.range)
                if error.code == .tooMany { break }
            }
        }
        return (documents, lacksVersion)
    }

    /// Reads one text as a part of a configuration. Like a file in `conf.d`, it needs no `version`.
    package static func read(
        _ text: String, path: String = "gestured.toml"
    ) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
        read([(path, Array(text.utf8))], needsVersion: false)
    }
}

extension Configuration {
    /// The top-level keys of a file.
    static let keys: [Key<Configuration>] = [
        .version,
        Key("daemon") { $0.table(DaemonSettings.keys, into: &$1.daemon, name: "[daemon]") },
        Key("access") { $0.table(AccessSettings.keys, into: &$1.access, name: "[access]") },
        Key("defaults") { $0.table(GestureDefaults.keys, into: &$1.defaults, name: "[defaults]") },
        Key("filter") { $0.table(FilterRule.keys, into: &$1.filter, name: "[filter]") },
        // These keys are read by `init`, because they refer to each other.
        Key("device", elsewhere: { $0.list(of: DeviceRule.keys, like: DeviceRule(.empty, id: "")) }),
        Key("region", elsewhere: { $0.list(of: RegionRule.keys, like: RegionRule.Values.standard) }),
        Key("scene", elsewhere: { $0.list(of: SceneRule.keys, like: SceneRule(.empty, id: "", regions: [])) }),
        Key("profile", elsewhere: { $0.list(of: ProfileRule.keys, like: ProfileRule(.empty, id: "")) }),
        Key("idle", elsewhere: { $0.list(of: IdleRule.keys, like: IdleRule(id: "")) }),
        Key("arbitration", elsewhere: { $0.arbitration(among: []) }),
    ]

    fileprivate init(
        _ documents: [ConfigurationTable], lacksVersion: Bool, hiding hidden: Set<String>, _ sink: DiagnosticSink
    ) {
        self.init()
        let start = SourceRange(file: 0, line: 1, column: 1)
        let top = TableReader(
            FileMerge.tables(documents), name: "the file", range: start, keys: Self.keys.map { $0.name }, sink)
        if lacksVersion { top.missingKey(ConfigurationReader.noVersion) }
        top.read(Self.keys, into: &self)
        for entry in FileMerge.list("device", documents, sink) {
            let rule = entry.reader(DeviceRule.keys, sink)
            if entry.isEnabled { devices.append(DeviceRule(rule, id: entry.id)) }
        }
        readRegions(FileMerge.list("region", hiding: hidden, documents, sink), sink)
        checkPolygons(sink)
        warnIfNothingIsShared(sink)
        for entry in FileMerge.list("scene", documents, sink) {
            let reader = entry.reader(SceneRule.keys, sink)
            guard entry.isEnabled else { continue }
            let scene = SceneRule(reader, id: entry.id, regions: regions)
            scenes.append(scene)
            guard scene.isDark, !devices.contains(where: { $0.wake != nil }) else { continue }
            sink.warning(
                .noEffect, "dark of scene \"\(entry.id)\" changes nothing: no [[device]] has wake",
                at: reader.range(of: "dark"))
        }
        readProfiles(FileMerge.list("profile", documents, sink), sink)
        checkApplication(sink)
        readIdle(FileMerge.list("idle", fallback: IdleRule.fallbackID, documents, sink), sink)
        readStartScene(sink)
        warnAboutUnknownDevices(sink)
        if let reader = top["arbitration"] { arbitration = reader.arbitration(among: regions) }
    }

    private mutating func readProfiles(_ entries: [ListEntry], _ sink: DiagnosticSink) {
        for entry in entries {
            let rule = ProfileRule(entry.reader(ProfileRule.keys, sink), id: entry.id)
            let place = profiles.firstIndex { $0.id == entry.id }
            switch (place, entry.isEnabled) {
            case (let place?, true): profiles[place] = rule
            case (let place?, false): profiles.remove(at: place)
            case (nil, true): profiles.append(rule)
            case (nil, false): break
            }
        }
    }

    private mutating func readIdle(_ entries: [ListEntry], _ sink: DiagnosticSink) {
        for entry in entries {
            let reader = entry.reader(IdleRule.keys, sink)
            if entry.isEnabled, let rule = IdleRule(reader, id: entry.id, scenes: sceneIDs) { idle.append(rule) }
        }
    }

    /// Makes the configured initial scene the current one. Checks and replays use it too.
    private mutating func readStartScene(_ sink: DiagnosticSink) {
        runtime.scene = daemon.scene
        guard let range = daemon.sceneLocation, !sceneIDs.contains(daemon.scene) else { return }
        sink.error(
            .unknownName, "scene of [daemon] is \"\(daemon.scene)\", which does not exist",
            suggestion: nearest(to: daemon.scene, among: sceneIDs), at: range)
    }

    private func warnAboutUnknownDevices(_ sink: DiagnosticSink) {
        let ids = devices.map { $0.id }
        for region in regions {
            guard let device = region.device, !ids.contains(where: { device.glob.matches($0) }) else { continue }
            sink.warning(
                .unmatched, "region \"\(region.id)\": no [[device]] is named \"\(device.text)\"",
                suggestion: nearest(to: device.text, among: ids), at: device.range)
        }
    }

    private mutating func readRegions(_ entries: [ListEntry], _ sink: DiagnosticSink) {
        var removed: [String] = []
        var rules: [(rule: RegionRule, parent: SourceRange)] = []
        for entry in entries {
            let reader = entry.reader(RegionRule.keys, sink)
            if entry.isEnabled {
                guard let rule = RegionRule(reader, id: entry.id) else { continue }
                rules.append((rule, reader["parent"]?.value.range ?? entry.idRange))
            } else {
                removed.append(entry.id)
                if reader["shape"] != nil {
                    // The region is read only to report its mistakes.
                    _ = RegionRule(reader, id: entry.id)
                } else {
                    sink.warning(.noEffect, "\(entry.name) is removed, but not defined anywhere", at: entry.idRange)
                }
            }
        }
        regions = RegionNesting.parentsFirst(rules, removed: removed, sink)
        writtenIDs = Set(regions.map { $0.id })
        RegionLinks.check(regions, among: regions, sink)
    }
}
