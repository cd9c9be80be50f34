// SPDX-License-Identifier: MIT
package import GestureEngine
package import GestureProtocol

/// Writes the members of a line.
extension JSONWriter: MemberSink {
    @inline(__always)
    package mutating func number(_ key: StaticString, _ number: Double, _ form: MemberForm) {
        if form.hasFourDecimals { member(key, tenThousandths: number) } else { member(key, tenths: number) }
    }

    @inline(__always)
    package mutating func whole(_ key: StaticString, _ number: Int64, _ form: MemberForm) { member(key, number) }

    @inline(__always)
    package mutating func flag(_ key: StaticString, _ flag: Bool) { member(key, flag) }

    @inline(__always)
    package mutating func word(_ key: StaticString, _ direction: SwipeDirection) { member(key, direction.word) }

    @inline(__always)
    package mutating func point(_ key: StaticString, _ point: Point, in place: LinePlace) {
        object(key) { json in
            json.member("x", tenths: place.x(point.x))
            json.member("y", tenths: place.y(point.y))
        }
    }

    @inline(__always)
    package mutating func optional<Value>(
        _ value: Value?, like sample: Value, _ write: (inout JSONWriter, Value) -> Void
    ) {
        if let value { write(&self, value) }
    }
}
