// SPDX-License-Identifier: MIT
import GestureProtocol
import GestureTestSupport
import Testing

@Suite("Line buffer")
struct LineBufferTests {
    @Test(
        "tenths: one decimal, halves away from zero, no -0.0",
        arguments: [
            (802.0, "802.0"), (1210.5, "1210.5"), (0, "0.0"), (-0.0, "0.0"), (-0.04, "0.0"), (-0.05, "-0.1"),
            (0.05, "0.1"), (0.049, "0.0"), (-4.5, "-4.5"), (9.96, "10.0"), (99.94, "99.9"), (99.95, "100.0"),
            (1023.999, "1024.0"), (-178.85, "-178.9"), (.nan, "0.0"), (.infinity, "900000000000000.0"),
            (-.infinity, "-900000000000000.0"), (1e300, "900000000000000.0"), (1e-300, "0.0"),
        ])
    func tenths(value: Double, text: String) {
        var line = LineBuffer()
        line.appendTenths(value)
        #expect(line.text == text)
    }

    @Test(
        "ten-thousandths: as few decimals as will do, at least one",
        arguments: [
            (0.41, "0.41"), (0.5, "0.5"), (1.0, "1.0"), (1.31, "1.31"), (0, "0.0"), (-0.0, "0.0"), (0.00004, "0.0"),
            (0.00005, "0.0001"), (-0.00004, "0.0"), (-0.0001, "-0.0001"), (0.1234, "0.1234"), (0.12344, "0.1234"),
            (0.12345678, "0.1235"), (0.99995, "1.0"), (0.99994, "0.9999"), (12.3004, "12.3004"), (12.304, "12.304"),
            (.nan, "0.0"), (.infinity, "900000000000.0"), (-1e18, "-900000000000.0"),
        ])
    func tenThousandths(value: Double, text: String) {
        var line = LineBuffer()
        line.appendTenThousandths(value)
        #expect(line.text == text)
    }

    @Test("whole numbers of every length")
    func integers() {
        var value: Int64 = 1
        for _ in 0..<19 {
            for candidate in [value - 1, value, value &+ 7, -value, 1 - value] {
                var line = LineBuffer()
                line.appendInteger(candidate)
                #expect(line.text == "\(candidate)")
            }
            value = value.multipliedReportingOverflow(by: 10).partialValue
        }
        for extreme in [Int64.max, .min, 83_912_044_123] {
            var line = LineBuffer()
            line.appendInteger(extreme)
            #expect(line.text == "\(extreme)")
        }
    }

    @Test(
        "strings are escaped",
        arguments: [
            ("ok", #""ok""#), ("", #""""#), ("a\"b\\c", #""a\"b\\c""#), ("a\nb\rc\td", #""a\nb\rc\td""#),
            ("\u{0}\u{1b}[31m\u{7f}", #""\u0000\u001b[31m\u007f""#), ("größe 👆", "\"größe 👆\""), ("a/b", #""a/b""#),
        ])
    func escapes(text: String, json: String) {
        var line = LineBuffer()
        line.appendQuoted(text)
        #expect(line.text == json)
    }

    @Test(
        "long strings are cut between characters",
        arguments: [
            ("abcdef", 6, #""abcdef""#), ("abcdefg", 6, #""abcdef…""#), ("abcdeä", 6, #""abcde…""#),
            ("abcd👆", 7, #""abcd…""#), ("ää", 0, #""…""#),
        ])
    func cut(text: String, limit: Int, json: String) {
        var line = LineBuffer()
        line.appendQuoted(text, limit: limit)
        #expect(line.text == json)
    }

    @Test("grows past its capacity and keeps what it had")
    func grows() {
        var line = LineBuffer(capacity: 64)
        var expected = ""
        for number in 0..<500 {
            line.appendKey("n")
            line.appendInteger(number)
            expected += ",\"n\":\(number)"
        }
        #expect(line.text == expected)
        line.truncate(to: 6)
        #expect(line.text == ",\"n\":0")
        line.removeAll()
        #expect(line.isEmpty == true)
    }

    @Test("fragments are written once")
    func fragments() {
        let names = JSONFragment {
            $0.appendKey("region")
            $0.appendQuoted("a\"b")
        }
        var line = LineBuffer()
        line.append(names)
        line.append(names)
        #expect(line.text == #","region":"a\"b","region":"a\"b""#)
    }
}

/// Numbers against a slow and plain way to write them.
@Suite("Numbers of lines")
struct DecimalTextTests {
    /// The rule: to the nearest, halves away from zero, clamped.
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
        var line = LineBuffer()
        line.appendTenths(value)
        line.append(UInt8(ascii: " "))
        line.appendTenThousandths(value)
        var fine = text(scaled(value, by: 10_000), decimals: 4)
        while fine.hasSuffix("0"), !fine.hasSuffix(".0") { fine.removeLast() }
        let expected = text(scaled(value, by: 10), decimals: 1) + " " + fine
        if line.text != expected { Issue.record("\(value): \(line.text), not \(expected)") }
        return line.text == expected
    }

    @Test("any number is written like the plain way does", arguments: 0..<8 as Range<UInt64>)
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

    @Test("whole numbers of any size are written like the plain way does", arguments: 0..<4 as Range<UInt64>)
    func whole(seed: UInt64) {
        var generator = SeededRandom(seed)
        for _ in 0..<8000 {
            let value =
                Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...63, using: &generator)
            var line = LineBuffer()
            line.appendInteger(value)
            guard line.text == "\(value)" else {
                Issue.record("\(value): \(line.text)")
                return
            }
        }
    }
}
