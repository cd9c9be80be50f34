// SPDX-License-Identifier: MIT

#if compiler(<6.3)
extension Array {
    /// Swift 6.2 lacks this function. The one of 6.3 needs no second array.
    @inlinable
    package mutating func append(addingCapacity capacity: Int, initializingWith fill: (inout [Element]) -> Void) {
        var added: [Element] = []
        added.reserveCapacity(capacity)
        fill(&added)
        append(contentsOf: added)
    }
}
#endif
