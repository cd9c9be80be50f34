// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol
import GestureTestSupport
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
    @Test(
        "tenths: one decimal, halves away from zero, no -0.0",
        arguments: [
            (802.0, "802.0"), (1210.5, "1210.5"), (0, "0.0"), (-0.0, "0.0"), (-0.04, "0.0"), (-0.05, "-0.1"),
            (0.05, "0.1"), (0.049, "0.0"), (-4.5, "-4.5"), (9.96, "10.0"), (99.94, "99.9"), (99.95, "100.0"),
            (1023.999, "1024.0"), (-178.85, "-178.9"), (.nan, "0.0"), (.infinity, "900000000000000.0"),
            (-.infinity, "-900000000000000.0"), (1e300, "900000000000000.0"), (1e-300, "0.0"),
        ])
    func tenths(value: Double, text: String) {
        var line = JSONWriter()
        line.value(tenths: value)
        #expect(line.text == text)
    }

    @Test(
        "ten-thousandths: as few decimals as necessary, at least one",
        arguments: [
            (0.41, "0.41"), (0.5, "0.5"), (1.0, "1.0"), (1.31, "1.31"), (0, "0.0"), (-0.0, "0.0"), (0.00004, "0.0"),
            (0.00005, "0.0001"), (-0.00004, "0.0"), (-0.0001, "-0.0001"), (0.1234, "0.1234"), (0.12344, "0.1234"),
            (0.12345678, "0.1235"), (0.99995, "1.0"), (0.99994, "0.9999"), (12.3004, "12.3004"), (12.304, "12.304"),
            (.nan, "0.0"), (.infinity, "900000000000.0"), (-1e18, "-900000000000.0"),
        ])
    func tenThousandths(value: Double, text: String) {
        var line = JSONWriter()
        line.value(tenThousandths: value)
        #expect(line.text == text)
    }

    @Test("whole numbers of every length")
    func integers() {
        var value: Int64 = 1
        for _ in 0..<19 {
            for candidate in [value - 1, value, value &+ 7, -value, 1 - value] {
                var line = JSONWriter()
                line.value(candidate)
                #expect(line.text == "\(candidate)")
            }
            value = value.multipliedReportingOverflow(by: 10).partialValue
        }
        for extreme in [Int64.max, .min, 83_912_044_123] {
            var line = JSONWriter()
            line.value(extreme)
            #expect(line.text == "\(extreme)")
        }
    }

    @Test(
        "strings are escaped",
        arguments: [
            ("ok", #""ok""#), ("", #""""#), ("a\"b\\c", #""a\"b\\c""#), ("a\nb\rc\td", #""a\nb\rc\td""#),
            ("\u{0}\u{1b}[31m\u{7f}", #""\u0000\u001b[31m\u007f""#), ("größe 👆", "\"größe 👆\""), ("a/b", #""a/b""#),
            ("\u{80}\u{9f}\u{a0}", "\"\\u0080\\u009f\u{a0}\""),
            ("\u{200a}\u{200b}\u{200f}", "\"\u{200a}\\u200b\\u200f\""),
            ("\u{2028}\u{2029}\u{202a}\u{202e}\u{202f}", "\"\\u2028\\u2029\\u202a\\u202e\u{202f}\""),
            ("\u{2060}\u{2065}\u{2066}\u{2069}→", "\"\\u2060\\u2065\\u2066\\u2069→\""),
            ("\u{61c}\u{e0041}ж", "\"\\u061c\\udb40\\udc41ж\""),
            ("\u{feff}\u{fffd}", "\"\\ufeff\u{fffd}\""),
        ])
    func escapes(text: String, json: String) {
        var line = JSONWriter()
        line.value(text)
        #expect(line.text == json)
    }

    @Test("commas stand between members and elements, and nowhere else")
    func commas() {
        let text = written { json in
            json.object { json in
                json.object("empty") { _ in }
                json.array("list") { json in
                    json.value(1)
                    json.object { $0.member("a", true) }
                    json.array { $0.null() }
                }
                json.array("none") { _ in }
                json.member("texts", ["a\"", "b"])
                json.key(named: "k\n")
                json.value(shortTenths: 2)
            }
        }
        #expect(text == #"{"empty":{},"list":[1,{"a":true},[null]],"none":[],"texts":["a\"","b"],"k\n":2}"#)
    }

    @Test("each line starts anew")
    func lines() {
        let text = written { json in
            json.line { $0.member("a", 1) }
            json.line { $0.member("b", false) }
        }
        #expect(text == "{\"a\":1}\n{\"b\":false}\n")
    }

    @Test(
        "tenths without a decimal that is zero",
        arguments: [(802.0, "802"), (-4.5, "-4.5"), (0.04, "0"), (20, "20")])
    func shortTenths(value: Double, text: String) {
        #expect(written { $0.value(shortTenths: value) } == text)
    }

    @Test("grows past its capacity, and empties to start anew")
    func grows() {
        var json = JSONWriter(capacity: 64)
        for number in 0..<500 { json.member("n", number) }
        #expect(json.text == (0..<500).map { "\"n\":\($0)" }.joined(separator: ","))
        json.removeAll()
        #expect(json.bytes.isEmpty == true)
        json.member("n", 0)
        #expect(json.text == "\"n\":0")
    }

    @Test("members that were written before are appended with their commas")
    func fragments() {
        let names = JSONWriter.bytes { json in
            json.member("region", "a\"b")
            json.member("x", 1)
        }
        let text = written { json in
            json.object { json in
                json.append(json: names)
                json.append(json: [])
                json.append(json: names)
                json.append(json: ",\"y\":2")
                json.member("z", 3)
            }
        }
        #expect(text == #"{"region":"a\"b","x":1,"region":"a\"b","x":1,"y":2,"z":3}"#)
    }

    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        String(decoding: JSONWriter.bytes(write), as: UTF8.self)
    }
}

/// Compares the output for numbers with that of a slow and simple implementation.
@Suite("JSON numbers")
struct JSONNumberTests {
    /// Rounds to the nearest, halves away from zero, and clamps.
    private func scaled(_ value: Double, by scale: Double) -> Int64 {
        let scaled = value * scale
        guard !scaled.isNaN else { return 0 }
        return Int64(max(-9e15, min(9e15, scaled)).rounded(.toNearestOrAwayFromZero))
    }

    private func text(_ scaled: Int64, decimals: Int) -> String {
        var digits = "\(scaled.magnitude)"
        digits = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return (scaled < 0 ? "-" : "") + digits.dropLast(decimals) + "." + digits.suffix(decimals)
    }

    private func check(_ value: Double) -> Bool {
        var line = JSONWriter()
        line.value(tenths: value)
        line.value(tenThousandths: value)
        var fine = text(scaled(value, by: 10_000), decimals: 4)
        while fine.hasSuffix("0"), !fine.hasSuffix(".0") { fine.removeLast() }
        let expected = text(scaled(value, by: 10), decimals: 1) + "," + fine
        if line.text != expected { Issue.record("\(value): \(line.text), not \(expected)") }
        return line.text == expected
    }

    @Test("any number is written as in the simple implementation", arguments: 0..<8 as Range<UInt64>)
    func random(seed: UInt64) {
        var generator = SeededRandom(seed)
        for _ in 0..<4000 {
            let size = Double.random(in: -6...18, using: &generator)
            var value = Double.random(in: -1...1, using: &generator)
            for _ in 0..<Int(size.magnitude) { value *= size < 0 ? 0.1 : 10 }
            guard check(value), check((value * 10).rounded() / 10), check((value * 20).rounded() / 20) else { return }
        }
    }

    @Test("on both sides of each border")
    func borders() {
        for border in [1.0, 10, 100, 999.95, 9_999.9999, 99_999.99, 9_999_999.9, 9_999_999.95, 1e8, 9e11, 9e14] {
            for value in [border.nextDown, border, border.nextUp, border - 0.05, border - 0.00005] {
                #expect(check(value) && check(-value))
            }
        }
        for value in [0.04999, 0.05, 0.95, 0.00005, 0.00004999, 0.99995, .leastNonzeroMagnitude, .infinity] {
            #expect(check(value) && check(-value))
        }
    }

    @Test("whole numbers of any size are written as in the simple implementation", arguments: 0..<4 as Range<UInt64>)
    func whole(seed: UInt64) {
        var generator = SeededRandom(seed)
        for _ in 0..<8000 {
            let value =
                Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...63, using: &generator)
            var line = JSONWriter()
            line.value(value)
            guard line.text == "\(value)" else {
                Issue.record("\(value): \(line.text)")
                return
            }
        }
    }
}
