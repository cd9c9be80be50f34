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

    /// Reads the part after `"seq":N`.
    init(_ cursor: inout LineCursor) {
        cursor.key("gesture")
        kindWord = cursor.string()
        kind = cursor.index(of: kindWord, "gesture", in: GestureLine.Kind.words).flatMap { .init(rawValue: $0) }
        cursor.key("name")
        name = cursor.string()
        cursor.key("region")
        region = cursor.string()
        cursor.key("device")
        device = cursor.string()
        cursor.key("sequence")
        sequence = cursor.integer()
        cursor.key("code")
        let code = cursor.string()
        if code.range.isEmpty { cursor.fail("an empty code") }
        if cursor.skipKey("value") { Self.readNumbers(&cursor) }
        cursor.key("message")
        if cursor.string().range.isEmpty { cursor.fail("an empty message") }
        cursor.key("time_us")
        time = cursor.integer()
        if cursor.skipKey("wall_ms") { _ = cursor.integer() }
        cursor.end()
    }

    /// Reads `"value":…,"limit":…,"unit":…` from the first number: counts are whole numbers, measured values
    /// have one decimal.
    private static func readNumbers(_ cursor: inout LineCursor) {
        let isWhole = cursor.isWholeNext
        if isWhole { _ = cursor.integer() } else { _ = cursor.tenths() }
        cursor.key("limit")
        if isWhole { _ = cursor.integer() } else { _ = cursor.tenths() }
        cursor.key("unit")
        let units: [StaticString] = isWhole ? ["ms", "contacts", "taps", "steps"] : ["mm", "mm/s", "deg"]
        _ = cursor.index(of: cursor.string(), "unit", in: units)
    }
}
