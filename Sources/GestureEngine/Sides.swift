// SPDX-License-Identifier: MIT

/// One value for what happens in private regions, and one for everything else, which must not depend on the former.
package struct Sides<Value> {
    /// Outside of private regions.
    package var open: Value
    /// In private regions.
    package var hidden: Value

    /// Both with the same value.
    package init(_ value: Value) { (open, hidden) = (value, value) }

    package subscript(isPrivate isPrivate: Bool) -> Value {
        get { isPrivate ? hidden : open }
        set { if isPrivate { hidden = newValue } else { open = newValue } }
    }
}

extension Sides: Equatable where Value: Equatable {}
extension Sides: Hashable where Value: Hashable {}
extension Sides: Sendable where Value: Sendable {}

/// Counters that can be summed up.
package protocol Summable {
    /// All zero.
    init()
    mutating func add(_ other: Self)
}

extension Sides where Value: Summable {
    package init() { self.init(Value()) }

    package mutating func add(_ other: Self) {
        open.add(other.open)
        hidden.add(other.hidden)
    }

    /// What a client with or without the right to see private regions may know.
    package func sum(seesPrivate: Bool) -> Value {
        guard seesPrivate else { return open }
        var sum = open
        sum.add(hidden)
        return sum
    }
}
