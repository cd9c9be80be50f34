// SPDX-License-Identifier: MIT
import GestureProtocol
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
