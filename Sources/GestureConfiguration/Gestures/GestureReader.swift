// SPDX-License-Identifier: MIT
import GestureEngine

/// Reads the `gestures` of one region: words or tables.
struct GestureReader {
    /// What diagnostics call the region: `region "ok"`.
    let owner: String
    let report: Report
    private let check: ValueReader

    init(owner: String, _ report: Report) {
        self.owner = owner
        self.report = report
        check = ValueReader(report: report)
    }

    /// All of them look at every touch of their region.
    private static let mostGestures = 64

    func read(_ values: [TomlValue]) -> [GestureRule] {
        if values.count > Self.mostGestures, let last = values.last {
            report.error(
                .tooMany, "\(owner) has \(values.count) gestures; give at most \(Self.mostGestures)", at: last.region)
        }
        var result: [GestureRule] = []
        var links: [(rule: GestureRule, links: GestureLinks)] = []
        for value in values.prefix(Self.mostGestures) {
            guard let (rule, own) = gesture(value) else { continue }
            if result.contains(where: { $0.name == rule.name }) {
                report.error(
                    .duplicateName, "two gestures of \(owner) are named \"\(rule.name)\"; give one a name of its own",
                    at: value.region)
            }
            result.append(rule)
            links.append((rule, own))
        }
        GestureLinks.check(links, owner: owner, report)
        return result
    }

    private func gesture(_ value: TomlValue) -> (GestureRule, GestureLinks)? {
        switch value.kind {
        case .string(let text):
            return word(text, value.region).flatMap { rule($0, TomlTable(), value.region) }
        case .table(let table):
            guard let type = table[GestureKey.type.rawValue] else {
                report.error(.missingKey, "a gesture of \(owner) has no type", at: value.region)
                return nil
            }
            guard let text = check.string("type", type) else { return nil }
            return word(text, type.region).flatMap { rule($0, table, value.region) }
        default:
            check.wrongType("a gesture of \(owner)", "a word or a table", value)
            return nil
        }
    }

    private func word(_ text: String, _ region: TextRegion) -> GestureWord? {
        if let word = GestureWord(rawValue: text) { return word }
        let list = GestureWord.words.joined(separator: ", ")
        report.error(
            .badValue, "unknown gesture \"\(text)\" in \(owner); there are \(list)",
            suggestion: Suggestion.nearest(to: text, among: GestureWord.words), at: region)
        return nil
    }

    private func rule(
        _ word: GestureWord, _ table: TomlTable, _ region: TextRegion
    ) -> (GestureRule, GestureLinks) {
        let label = "gesture \"\(word.rawValue)\" of \(owner)"
        // The keys of the kind are checked by the kind's own reader.
        let common = TableReader<GestureKey>(table, name: label, region: region, others: word.keys, report)
        let patches = self.patches(word, table, label, region)
        var name = word.rawValue
        var links = GestureLinks()
        for (key, value) in common.present {
            switch key {
            case .type: break
            case .name: if let text = check.name("name", value) { name = text }
            case .after, .unless: links.read(key, value, check)
            case .exclusive: links.exclusive = check.boolean(key.rawValue, value) ?? false
            }
        }
        let rule = GestureRule(
            name: name, word: word.rawValue, place: report.place(region), patches: patches,
            after: links.names(.after), unless: links.names(.unless), exclusive: links.exclusive)
        return (rule, links)
    }

    private func patches(
        _ word: GestureWord, _ table: TomlTable, _ label: String, _ region: TextRegion
    ) -> GestureRule.Patches {
        // Unknown keys have been told of already.
        func reader<Key: TableKey>() -> TableReader<Key> {
            let known = TomlTable(entries: table.entries.filter { word.keys.contains($0.key) })
            return TableReader<Key>(known, name: label, region: region, report)
        }
        switch word {
        case .press: return .press(PressPatch.readAll(reader()))
        case .tap: return .tap(TapPatch.readAll(reader()))
        case .doubleTap: return .tap([.count(2)] + TapPatch.readAll(reader()))
        case .twoFingerTap: return .tap([.fingers(2)] + TapPatch.readAll(reader()))
        case .longPress: return .longPress(LongPressPatch.readAll(reader()))
        case .repeat: return .repeat(RepeatPatch.readAll(reader()))
        case .drag: return .drag(DragPatch.readAll(reader()))
        case .swipe: return .swipe(SwipePatch.readAll(reader()))
        case .pinch: return .pinch(PinchPatch.readAll(reader()))
        case .rotate: return .rotate(RotatePatch.readAll(reader()))
        case .pattern:
            if table[PatternKey.steps.rawValue] == nil {
                report.error(.missingKey, "\(label) has no steps", at: region)
            }
            return .pattern(PatternPatch.readAll(reader()))
        }
    }
}
