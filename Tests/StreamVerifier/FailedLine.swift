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
        if cursor.skipKey("leased"), !cursor.bool() { cursor.fail("leased is false") }
        device = cursor.string("device")
        sequence = cursor.integer("sequence")
        let code = cursor.string("code")
        if code.range.isEmpty { cursor.fail("an empty code") }
        if cursor.skipKey("key"), cursor.string().range.isEmpty { cursor.fail("an empty key") }
        if cursor.skipKey("value") { Self.readNumbers(&cursor, mayBeScores: kind == .stroke) }
        if cursor.string("message").range.isEmpty { cursor.fail("an empty message") }
        time = cursor.integer("time_us")
        if cursor.skipKey("wall_ms") { _ = cursor.integer() }
        cursor.end()
    }

    /// Reads `"value":…,"limit":…,"unit":…`, starting at the first number. Counts are whole numbers, and measured
    /// values have one decimal. Scores may have two.
    private static func readNumbers(_ cursor: inout LineCursor, mayBeScores: Bool) {
        let isWhole = cursor.isWholeNext
        func read(_ cursor: inout LineCursor) {
            if isWhole {
                _ = cursor.integer()
            } else {
                _ = mayBeScores ? cursor.tenThousandths() : cursor.tenths()
            }
        }
        read(&cursor)
        cursor.key("limit")
        read(&cursor)
        let units: [StaticString] = isWhole ? ["ms", "contacts", "taps", "steps"] : ["mm", "mm/s", "deg"]
        cursor.word("unit", in: mayBeScores ? units + ["score"] : units)
    }
}
