// SPDX-License-Identifier: MIT

/// Names that thousands of others are compared with: to hash each of those takes longer than to look at a few.
package struct NameSet {
    private static let few = 4

    private let names: Set<String>
    private let list: [String]?

    package init(_ names: Set<String>) {
        self.names = names
        list = names.count <= Self.few ? Array(names) : nil
    }

    package func contains(_ name: String) -> Bool { list?.contains(name) ?? names.contains(name) }
}
