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
        kindWord = cursor.string("gesture")
        kind = cursor.index(of: kindWord, "gesture", in: GestureLine.Kind.words).flatMap { .init(rawValue: $0) }
        name = cursor.string("name")
        if cursor.skipKey("action"), cursor.string().range.isEmpty { cursor.fail("an empty action") }
        region = cursor.string("region")
        device = cursor.string("device")
        sequence = cursor.integer("sequence")
        let code = cursor.string("code")
        if code.range.isEmpty { cursor.fail("an empty code") }
        if cursor.skipKey("key"), cursor.string().range.isEmpty { cursor.fail("an empty key") }
        if cursor.skipKey("value") { Self.readNumbers(&cursor) }
        if cursor.string("message").range.isEmpty { cursor.fail("an empty message") }
        time = cursor.integer("time_us")
        if cursor.skipKey("wall_ms") { _ = cursor.integer() }
        cursor.end()
    }

    /// Reads `"value":…,"limit":…,"unit":…`, starting at the first number. Counts are whole numbers, and measured
    /// values have one decimal.
    private static func readNumbers(_ cursor: inout LineCursor) {
        let isWhole = cursor.isWholeNext
        if isWhole { _ = cursor.integer() } else { _ = cursor.tenths() }
        if isWhole { cursor.integer("limit") } else { cursor.tenths("limit") }
        let units: [StaticString] = isWhole ? ["ms", "contacts", "taps", "steps"] : ["mm", "mm/s", "deg"]
        cursor.word("unit", in: units)
    }
}
