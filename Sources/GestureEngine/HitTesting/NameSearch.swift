// SPDX-License-Identifier: MIT

/// Finds names in a list in which most are where they are expected: the first ones by looking through it, and many by
/// a table, which takes longer to make.
package struct NameSearch {
    private static let fewSearches = 8

    private let places: Range<Int>
    private let name: (Int) -> String
    private var searches = 0
    private var table: [String: Int]?

    /// - Parameter name: by place; each is there once.
    package init(_ places: Range<Int>, name: @escaping (Int) -> String) {
        self.places = places
        self.name = name
    }

    package init(count: Int, name: @escaping (Int) -> String) { self.init(0..<count, name: name) }

    /// The place of a name; `nil`: it is not there.
    /// - Parameter expected: looked at first.
    package mutating func find(_ wanted: String, near expected: Int) -> Int? {
        if places.contains(expected), name(expected) == wanted { return expected }
        if let table { return table[wanted] }
        searches += 1
        if searches <= Self.fewSearches { return places.first { name($0) == wanted } }
        let table = Dictionary(places.map { (name($0), $0) }) { $1 }
        self.table = table
        return table[wanted]
    }
}
