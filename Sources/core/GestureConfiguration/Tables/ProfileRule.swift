// SPDX-License-Identifier: MIT

/// `[[profile]]`: values for people who touch differently, which clients switch on while the daemon runs.
package struct ProfileRule: Hashable, Sendable {
    package var id: String
    /// The layer above the defaults of all regions. A gesture's own keys override it.
    var defaults = GestureDefaults()
    /// The keys of the filter that override those of the panel.
    var filter = FilterRule()
    /// The keys of the filter for the application, which override those of the panel and of the scene.
    var application = ApplicationRule()

    static let keys: [Key<ProfileRule>] = [
        .id,
        Key("defaults") { $0.table(GestureDefaults.keys, into: &$1.defaults) },
        Key("filter") { $0.table(FilterRule.keys, into: &$1.filter) },
        Key("application") { $0.table(ApplicationRule.keys, into: &$1.application) },
        .enabled,
    ]

    init(_ reader: TableReader, id: String) {
        self.id = id
        if id == RuntimeState.defaultProfile {
            reader["id"]?.error(.badValue, "profile \"\(id)\" always exists and changes nothing; use another id")
        }
        reader.read(Self.keys, into: &self)
    }

    /// The profiles that exist without a configuration. A file replaces or removes one with an entry of the same id.
    static let shipped: [ProfileRule] = {
        let sink = DiagnosticSink(files: [SourceFile(path: "", text: nil)])
        var limit = TomlValueLimit.daemon
        let document = try? TomlParser.parse(Array(shippedText.utf8), file: 0, limit: &limit)
        return FileMerge.list("profile", document.map { [$0] } ?? [], sink).map {
            ProfileRule($0.reader(keys, sink), id: $0.id)
        }
    }()

    /// The shipped profiles as in a file. `docs/accessibility.md` shows this text, and says where the values come from.
    package static let shippedText = """
        [[profile]]
        id = "steady"
        application = { min_gap = "500ms", bounce_distance = "15mm" }
        [profile.defaults]
        tap = { slop = "8mm", max_time = "2s", group = "300ms", gap = "1s", min_gap = "500ms" }
        long_press = { delay = "2s", slop = "8mm" }
        repeat = { delay = "2s", interval = "1s", min_interval = "1s" }
        drag = { start = "8mm" }
        swipe = { max_time = "1s", group = "300ms" }
        chain = { max_time = "8s" }
        pinch = { start = "8mm" }
        rotate = { start = 20 }

        [[profile]]
        id = "slow"
        [profile.defaults]
        tap = { slop = "5mm", max_time = "3s", group = "500ms", gap = "1500ms" }
        long_press = { delay = "3s" }
        repeat = { delay = "2s", interval = "2s", min_interval = "2s" }
        drag = { start = "5mm" }
        swipe = { max_time = "2s", min_velocity = "40mm/s", group = "500ms" }
        chain = { max_time = "16s" }
        pinch = { start = "5mm" }
        rotate = { start = 12 }

        """
}
