// SPDX-License-Identifier: MIT

/// A value for private regions, and a separate one for everything else, which must not depend on private regions.
///
/// Members are public, because otherwise other modules do not inline them, and each access would look up the type.
public struct Sides<Value> {
    /// The value outside private regions.
    public var open: Value
    /// The value of private regions.
    public var hidden: Value

    /// Creates both with the same value.
    package init(_ value: Value) { (open, hidden) = (value, value) }

    /// The value of one side.
    @inlinable public subscript(isPrivate isPrivate: Bool) -> Value {
        get { isPrivate ? hidden : open }
        set { if isPrivate { hidden = newValue } else { open = newValue } }
    }
}

extension Sides: Equatable where Value: Equatable {}
extension Sides: Hashable where Value: Hashable {}
extension Sides: Sendable where Value: Sendable {}

/// Counters that can be added together.
package protocol Summable {
    init()
    mutating func add(_ other: Self)
}

extension Sides where Value: Summable {
    package init() { self.init(Value()) }

    package mutating func add(_ other: Self) {
        open.add(other.open)
        hidden.add(other.hidden)
    }

    /// The sum that clients with or without access to private regions may see.
    package func sum(seesPrivate: Bool) -> Value {
        guard seesPrivate else { return open }
        var sum = open
        sum.add(hidden)
        return sum
    }
}
