// SPDX-License-Identifier: MIT

/// A parsed `failed` line.
struct FailedLine {
    var kind: GestureLine.Kind?
    var kindWord = Word()
    var name = Word()
    var region = Word()
    var device = Word()
    var sequence: Int64 = 0
    var time: Int64 = 0
    private var hasWholeNumbers = true

    /// Reads the part after `"seq":N`.
    init(_ cursor: inout LineCursor) {
        cursor.rest { cursor, key in read(key, &cursor) }
    }

    private mutating func read(_ key: LineKey, _ cursor: inout LineCursor) {
        switch key {
        case "gesture":
            kindWord = cursor.string()
            kind = cursor.index(of: kindWord, "gesture", in: GestureLine.Kind.words).flatMap { .init(rawValue: $0) }
        case "name": name = cursor.string()
        case "action", "message": if cursor.string().range.isEmpty { cursor.fail("an empty text") }
        case "region": region = cursor.string()
        case "device": device = cursor.string()
        case "sequence": sequence = cursor.integer()
        case "time_us": time = cursor.integer()
        // Counts are whole numbers, measured values have one decimal, and scores may have two.
        case "value", "limit":
            if "value" ~= key { hasWholeNumbers = cursor.isWholeNext }
            _ = hasWholeNumbers ? Double(cursor.integer()) : kind == .stroke ? cursor.tenThousandths() : cursor.tenths()
        case "unit":
            let units: [StaticString] = hasWholeNumbers ? ["ms", "contacts", "taps", "steps"] : ["mm", "mm/s", "deg"]
            _ = cursor.index(of: cursor.string(), "unit", in: kind == .stroke ? units + ["score"] : units)
        default: break
        }
    }
}
