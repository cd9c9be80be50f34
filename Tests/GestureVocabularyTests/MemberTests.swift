// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import Testing

@testable import GestureVocabulary

@Suite("Members of lines")
struct MemberTests {
    @Test("are collected from the function that writes the lines")
    func collected() {
        #expect(Member.common.map(\.key) == ["fingers", "x", "y", "u", "v"])
        let dial = GestureKind.dial.members
        #expect(dial.map(\.key) == ["fingers", "rotation", "steps", "velocity_deg_s", "x", "y", "u", "v"])
        #expect(dial.map(\.isOptional) == [false, false, true, false, false, false, false, false])
        #expect(GestureKind.press.members.map(\.key) == ["fingers", "x", "y", "u", "v", "inside", "held_ms"])
        #expect(GestureKind.press.members.map(\.isLate) == [false, false, false, false, false, true, true])
        #expect(Set(Member.own.map(\.key)).count == Member.own.count)
        let places = Member.own.filter(\.isPlace).map(\.key)
        #expect(places == ["dx", "dy", "vx", "vy", "start", "predicted"])
    }

    @Test("keep their places in an interface, and new ones are added at its end")
    func places() throws {
        func member(_ key: String, _ form: MemberForm) -> Member {
            Member(key: key, form: form, isOptional: false, isLate: false)
        }
        let members = [member("new", .degrees), member("n", .count), member("angle", .angle), member("more", .degrees)]
        let section = MarkedSection("members", members: members) { run in
            run.isEmpty ? [] : ["double " + run.map(\.key).joined(separator: ", ") + ";"]
        }
        let comment = ["/* Whether new is there, in a line", " * with more. */"]
        let committed = ["double angle;", "int64_t n;"] + comment + ["bool added;"]
        let made = try section.make(committed)
        #expect(made == ["double angle, n;"] + comment + ["bool added;", "double new, more;"])
        #expect(try section.make(made) == made)
    }

    @Test("are asked for if the page does not say what they mean")
    func unexplained() {
        #expect(throws: VocabularyError.self) { try MemberTable([]).lines }
    }

    @Test("are properties of the Swift client, with the first sentence of the page, in lines of 120 columns")
    func property() throws {
        func property(_ key: String, _ form: MemberForm) -> SwiftProperty {
            SwiftProperty.all([Member(key: key, form: form, isOptional: false, isLate: false)])[0]
        }
        let pull = property("pull_mm", .millimeters)
        #expect(pull.name == "pull")
        let meaning = "The way \(String(repeating: "along the glass ", count: 14))to `x`. Only with `end`."
        let lines = property("predicted", .point).declaration(meaning)
        try #require(lines.count == 4)
        #expect(lines.allSatisfy { $0.count <= 120 && $0.hasPrefix("        ") })
        #expect(lines[0].hasPrefix("        /// Drag: the way along the glass along") && lines[2].hasSuffix(" to `x`."))
        #expect(lines[3] == "        public var predicted: Point?")
        #expect(pull.declaration("The way.").last == "        public var pull: Double?")
        #expect(
            property("held_ms", .milliseconds).declaration("A time.") == [
                "        /// Press, long press, repeat: a time.", "        public var heldMilliseconds: Int?",
            ])
    }

    @Test("are listed in lines of 120 columns")
    func listed() {
        let keys = (10..<40).map { "\"key_\($0)\"" }
        let lines = keys.listed("    ...each(isNumber, ", end: "),")
        #expect(lines.count > 2 && lines.allSatisfy { $0.count <= 120 })
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("      \"key_") })
        #expect(lines.joined().replacing(" ", with: "") == "...each(isNumber," + keys.joined(separator: ",") + "),")
    }
}
