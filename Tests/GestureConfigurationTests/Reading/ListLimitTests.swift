// SPDX-License-Identifier: MIT
import GestureConfiguration
import Testing

/// Lists whose elements are compared with each other, with all ids, or with the users of the system: thousands of them would
/// take minutes, and a service that starts for more than ten seconds is ended.
@Suite("Long lists")
struct ListLimitTests {
    private static let region = "[[region]]\nid = \"r\"\nshape = \"full\"\n"

    /// The text before the list, an element, the text after the list, and the limit.
    private static let lists: [(before: String, element: String, after: String, most: Int)] =
        ["control_uids", "define_uids", "raw_uids", "private_uids"].map { ("[access]\n\($0) = ", "1000", "", 1000) } + [
            (region + "[[scene]]\nid = \"s\"\nregions = ", "\"r\"", "", 2000),
            (region + "[[idle]]\nafter = \"1s\"\nin = ", "\"default\"", "", 2000),
            (region + "gestures = [\"tap\", { type = \"swipe\", after = ", "\"tap\"", "}]", 64),
            (region + "gestures = [\"tap\", { type = \"swipe\", unless = ", "\"tap\"", "}]", 64),
        ]

    @Test("have a limit", arguments: lists.indices)
    func limit(index: Int) {
        let (before, element, after, most) = Self.lists[index]
        for count in [most, most + 1] {
            let list = "[" + Array(repeating: element, count: count).joined(separator: ", ") + "]"
            let errors = ConfigurationReader.read(before + list + after).diagnostics.filter { $0.isError }
            #expect(errors.map { $0.code } == (count > most ? [.tooMany] : []), "\(errors)")
            #expect(errors.allSatisfy { $0.message.hasSuffix("; use at most \(most)") }, "\(errors)")
        }
    }
}
