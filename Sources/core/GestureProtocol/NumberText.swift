// SPDX-License-Identifier: MIT

/// A number with a noun in the singular or plural: `1 region`, `2 regions`.
/// - Parameter plural: `nil` appends an `s` to the noun.
package func counted(_ count: some BinaryInteger, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// A non-negative number with leading zeros: `007`.
package func padded(_ value: some BinaryInteger, to digits: Int, radix: Int = 10) -> String {
    let text = String(value, radix: radix)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
