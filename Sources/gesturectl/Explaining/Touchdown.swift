// SPDX-License-Identifier: MIT

/// Fingers in one region, from the first that lands in it until none is left: what a sequence is
/// before any gesture has said its number.
final class Touchdown {
    let owner: String?
    let role: Explanation.Role
    let time: Int64
    private(set) var contacts: [Explanation.Contact] = []
    private var live: Set<Int64> = []
    /// An explanation has it already.
    var isTaken = false

    init(role: Explanation.Role, owner: String?, time: Int64) {
        (self.role, self.owner, self.time) = (role, owner, time)
    }

    var isOver: Bool { live.isEmpty }
    /// When the last finger lifted; nil while one is down.
    var end: Int64? { isOver ? contacts.compactMap(\.lifted).max() : nil }

    func land(_ id: Int64, at point: Explanation.Point, _ time: Int64) {
        contacts.append(Explanation.Contact(id: id, from: point, to: point, landed: time))
        live.insert(id)
    }

    func move(_ id: Int64, to point: Explanation.Point) {
        if let index = contacts.lastIndex(where: { $0.id == id }) { contacts[index].to = point }
    }

    func lift(_ id: Int64, _ time: Int64) {
        live.remove(id)
        if let index = contacts.lastIndex(where: { $0.id == id }) { contacts[index].lifted = time }
    }
}
