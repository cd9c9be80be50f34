// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline

/// A member of the lines of some kinds of gestures.
struct Member: Hashable, Sendable {
    let key: String
    let form: MemberForm
    /// Whether a line of a kind that has the member may lack it.
    let isOptional: Bool
    /// Whether it comes after the position.
    let isLate: Bool

    var type: MemberType {
        switch form {
        case .pixels, .fraction, .millimeters, .millimetersPerSecond, .angle, .degrees, .degreesPerSecond, .ratio,
            .score:
            .number
        case .count, .steps, .milliseconds: .whole
        case .flag: .flag
        case .direction: .text
        case .point: .point
        }
    }

    /// Whether it shows where on the panel the gesture was.
    var isPlace: Bool { [.pixels, .fraction, .point].contains(form) }

    /// The members that the lines of every kind have.
    static let common: [Member] = {
        let kinds = GestureKind.allCases.map { $0.members.map(\.key) }
        return GestureKind.press.members.filter { member in kinds.allSatisfy { $0.contains(member.key) } }
    }()

    /// The members that only some kinds have, each once, in the order of the first kind that has it.
    static let own: [Member] = {
        var keys = Set(common.map(\.key))
        return GestureKind.allCases.flatMap(\.members).filter { keys.insert($0.key).inserted }
    }()
}

/// The type of a member in a programming language.
enum MemberType {
    case number, whole, flag, text, point
}

extension GestureKind {
    /// The values that `gesture` can have in lines about gestures of this kind.
    var lineWords: [String] {
        GestureType.all.filter { $0.kind == self }.map(\.name).filter(GestureType.words.contains)
    }

    /// The members of its lines from `fingers` to the last one before `coalesced`, in their order.
    var members: [Member] {
        let event = GestureEvent(
            time: Timestamp(microseconds: 0), region: RegionIndex(raw: 0), gesture: GestureIndex(raw: 0), phase: nil,
            sequence: SequenceID(1), fingers: 1, position: .zero, detail: .sample(of: self))
        let size = PanelSize(widthPixels: 1, heightPixels: 1, widthMillimeters: 1, heightMillimeters: 1)
        let place = LinePlace(PixelScale(size), box: Rectangle(minX: 0, minY: 0, maxX: 1, maxY: 1))
        var collector = MemberCollector()
        event.members(in: place, to: &collector)
        return collector.members
    }
}

/// Collects the members of a line instead of writing them.
private struct MemberCollector: MemberSink {
    private(set) var members: [Member] = []
    private var isOptional = false

    private mutating func add(_ key: StaticString, _ form: MemberForm) {
        let isLate = form != .fraction && members.contains { $0.form == .fraction }
        members.append(Member(key: "\(key)", form: form, isOptional: isOptional, isLate: isLate))
    }

    mutating func number(_ key: StaticString, _ number: Double, _ form: MemberForm) { add(key, form) }
    mutating func whole(_ key: StaticString, _ number: Int64, _ form: MemberForm) { add(key, form) }
    mutating func flag(_ key: StaticString, _ flag: Bool) { add(key, .flag) }
    mutating func word(_ key: StaticString, _ direction: SwipeDirection) { add(key, .direction) }
    mutating func point(_ key: StaticString, _ point: Point, in place: LinePlace) { add(key, .point) }

    mutating func optional<Value>(_ value: Value?, like sample: Value, _ write: (inout Self, Value) -> Void) {
        isOptional = true
        write(&self, sample)
        isOptional = false
    }
}
