// SPDX-License-Identifier: MIT

/// Names that thousands of others are compared with: to hash each of those takes longer than to look at a few.
struct NameSet {
    private static let few = 4

    private let names: Set<String>
    private let list: [String]?

    init(_ names: Set<String>) {
        self.names = names
        list = names.count <= Self.few ? Array(names) : nil
    }

    func contains(_ name: String) -> Bool { list?.contains(name) ?? names.contains(name) }
}
