// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport

extension SharedData {
    /// The `cases` of one of the files; empty if it does not exist.
    static func cases<Case: Decodable>(_ name: String, of type: Case.Type) -> [Case] {
        guard let data = data(name) else { return [] }
        do {
            return try JSONDecoder().decode(CaseFile<Case>.self, from: data).cases
        } catch {
            // The tests that count the cases then fail.
            print("\(name): \(error)")
            return []
        }
    }
}

private struct CaseFile<Case: Decodable>: Decodable {
    var cases: [Case]
}

/// A value of a case, of any type.
enum JSONScalar: Decodable, Hashable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONScalar])
    case object([String: JSONScalar])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONScalar].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONScalar].self))
        }
    }

    var number: Double? { if case .number(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var list: [JSONScalar]? { if case .list(let value) = self { value } else { nil } }
    var numbers: [Double] { (list ?? []).compactMap(\.number) }
}
