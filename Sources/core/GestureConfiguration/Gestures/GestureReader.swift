// SPDX-License-Identifier: MIT
import GestureEngine

/// Reads the `gestures` of one region: names of types, or tables.
struct GestureReader {
    /// The maximum number of gestures of a region. Every touch of the region is passed to each of them.
    static let mostGestures = 64

    /// The name of the region in diagnostics: `region "ok"`.
    let owner: String
    let sink: DiagnosticSink

    func read(_ values: [ValueReader]) -> [GestureRule] {
        if values.count > Self.mostGestures {
            values.last?.error(.tooMany, "\(owner) has \(values.count) gestures; use at most \(Self.mostGestures)")
        }
        var drafts: [GestureDraft] = []
        for value in values.prefix(Self.mostGestures) {
            guard let draft = gesture(value) else { continue }
            if drafts.contains(where: { $0.rule.name == draft.rule.name }) {
                value.error(
                    .duplicateName,
                    "two gestures of \(owner) are named \"\(draft.rule.name)\"; give one of them another name")
            }
            drafts.append(draft)
        }
        checkLinks(drafts)
        return drafts.map { $0.rule }
    }

    private func gesture(_ value: ValueReader) -> GestureDraft? {
        switch value.value.kind {
        case .string:
            return type(value).map { draft($0, ConfigurationTable(), value) }
        case .table(let table):
            guard let entry = table["type"] else {
                return value.error(.missingKey, "a gesture of \(owner) has no type")
            }
            return type(ValueReader("type", entry, sink)).map { draft($0, table, value) }
        default:
            return value.wrongType("a word or a table")
        }
    }

    private func type(_ value: ValueReader) -> GestureType? {
        guard let text = value.string() else { return nil }
        if let type = GestureType(text) { return type }
        let list = GestureType.names.joined(separator: ", ")
        return value.error(
            .badValue, "unknown gesture \"\(text)\" in \(owner); the gestures are \(list)",
            suggestion: nearest(to: text, among: GestureType.names))
    }

    private func draft(_ type: GestureType, _ table: ConfigurationTable, _ value: ValueReader) -> GestureDraft {
        let range = value.value.range
        var overrides = type.presets
        let rule = GestureRule(
            name: type.name, location: sink.location(of: range), type: type, overrides: overrides)
        // Fast path: most gestures are given by their type only.
        if table.entries.isEmpty, type.kind.row.requiredKey == nil { return GestureDraft(rule: rule) }
        let keys = type.keys
        let reader = TableReader(
            table, name: "gesture \"\(type.name)\" of \(owner)", range: range,
            keys: keys.map { $0.name } + GestureDraft.keys.map { $0.name }, sink)
        if let key = type.kind.row.requiredKey, table[key] == nil {
            let cure = type.kind == .stroke ? "; gesturectl record --stroke makes them" : ""
            reader.missingKey("\(reader.name) has no \(key)" + cure)
        }
        overrides += reader.overrides(keys)
        checkMoment(overrides, table)
        var draft = GestureDraft(rule: rule)
        draft.rule.overrides = overrides
        reader.read(GestureDraft.keys, into: &draft)
        return draft
    }

    /// Reports a tap that is to be decided at its last landing, although it is a single tap or waits for a longer
    /// streak.
    private func checkMoment(_ overrides: [GestureOverride], _ table: ConfigurationTable) {
        guard overrides.contains(GestureOverride("when", .words([TapSettings.Moment.landing.word]))),
            let range = table["when"]?.range
        else { return }
        if !overrides.contains(where: { $0.key == "count" && $0.value != .value(.count(1)) }) {
            sink.error(.badValue, "when = \"landing\" requires a count of 2 or more", at: range)
        } else if overrides.contains(GestureOverride("wait", .flag(true))) {
            sink.error(.badValue, "when = \"landing\" cannot be combined with wait = true", at: range)
        }
    }

    // MARK: Links

    /// Reports names in `after` and `unless` that do not exist, and gestures that wait for themselves or each other.
    private func checkLinks(_ gestures: [GestureDraft]) {
        let places = Dictionary(gestures.indices.map { (gestures[$0].rule.name, $0) }) { first, _ in first }
        for gesture in gestures {
            for link in gesture.links where places[link.name] == nil {
                let others = gestures.map { $0.rule }.filter { $0.name != gesture.rule.name }
                // The link may give the type of a gesture that has its own name; in this case suggest the name.
                let ofType = others.first { $0.type.name == link.name }?.name
                sink.error(
                    .unknownName, "\(link.key): \(owner) has no gesture named \"\(link.name)\"",
                    suggestion: ofType ?? nearest(to: link.name, among: others.map { $0.name }), at: link.range)
            }
        }
        let waits = Self.waits(gestures, places)
        for gesture in gestures {
            let name = gesture.rule.name
            guard let place = places[name] else { continue }
            for link in gesture.links where places[link.name].map({ waits[$0][place] }) == true {
                let message =
                    link.name == name
                    ? "gesture \"\(name)\" of \(owner) waits for itself"
                    : "gestures \"\(name)\" and \"\(link.name)\" of \(owner) wait for each other"
                sink.error(.gestureCycle, message, at: link.range)
            }
        }
    }

    /// Returns for each pair of gestures whether the first waits for the second, directly or through others.
    private static func waits(_ gestures: [GestureDraft], _ places: [String: Int]) -> [[Bool]] {
        let links = gestures.map { Set($0.links.compactMap { places[$0.name] }) }
        return gestures.indices.map { start in
            var isReached = [Bool](repeating: false, count: gestures.count)
            isReached[start] = true
            var next = [start]
            while let place = next.popLast() {
                for link in links[place] where !isReached[link] {
                    isReached[link] = true
                    next.append(link)
                }
            }
            return isReached
        }
    }
}

/// A gesture that was read, before the names that it refers to are checked.
struct GestureDraft {
    /// A name in `after` or `unless`.
    struct Link {
        var key: String
        var name: String
        var range: SourceRange
    }

    var rule: GestureRule
    var links: [Link] = []

    /// The keys that every gesture accepts.
    static let keys: [Key<GestureDraft>] = [
        Key("type") { value, draft in
            let type = draft.rule.type
            _ = value.notes(.choice([.init(type.name, type)]))
        },
        Key("name") { value, draft in if let name = value.identifier() { draft.rule.name = name } },
        Key("action", \.rule.action) { $0.identifier() },
        Key("after") { $1.link($0, \.after) },
        Key("unless") { $1.link($0, \.unless) },
        Key("exclusive", \.rule.exclusive) { $0.boolean() },
        Key("consume", \.rule.consumes) { $0.boolean() },
    ]

    private mutating func link(_ value: ValueReader, _ names: WritableKeyPath<GestureRule, [String]>) {
        for item in value.array(of: "names", each: "a name", most: GestureReader.mostGestures) ?? [] {
            guard let name = item.label() else { continue }
            links.append(Link(key: value.name, name: name, range: item.value.range))
            if !rule[keyPath: names].contains(name) { rule[keyPath: names].append(name) }
        }
    }
}
