// SPDX-License-Identifier: MIT
import GestureEngine

/// A recognized gesture, described without positions, so that it can be compared between panels.
struct Recognition: Hashable, Comparable, CustomStringConvertible {
    /// The time since the recording's first event.
    var microseconds: Int64
    var text: String

    static func < (a: Self, b: Self) -> Bool { (a.microseconds, a.text) < (b.microseconds, b.text) }

    var description: String { "\(Double(microseconds) / 1000) \(text)" }

    /// - Parameters:
    ///   - isDiscrete: whether to include only discrete gestures, and long presses, because those begin at a deadline.
    ///   - isMirrored: whether to swap left and right.
    init?(_ event: GestureEvent, _ regions: [Region], from start: Timestamp, isDiscrete: Bool, isMirrored: Bool = false)
    {
        let region = regions[event.region]
        let gesture = region.gestures[event.gesture]
        guard !event.isFailure, event.phase != .update else { return nil }
        if isDiscrete, event.phase != nil, !(gesture.settings.kind == .longPress && event.phase == .begin) {
            return nil
        }
        microseconds = (event.time - start).microseconds
        var words = [region.id, gesture.name]
        if let phase = event.phase { words.append("\(phase)") }
        words.append("\(event.fingers)")
        if case .swipe(let swipe) = event.detail {
            words.append("\(isMirrored ? Self.mirrored(swipe.direction) : swipe.direction)")
        }
        if case .repeat(let n, _) = event.detail { words.append("#\(n)") }
        text = words.joined(separator: " ")
    }

    private static func mirrored(_ direction: SwipeDirection) -> SwipeDirection {
        switch direction {
        case .left: .right
        case .right: .left
        case .upLeft: .upRight
        case .upRight: .upLeft
        case .downLeft: .downRight
        case .downRight: .downLeft
        case .up, .down: direction
        }
    }
}

extension PanelRecording {
    /// The recognized gestures, in order.
    func recognitions(_ regions: [Region], isDiscrete: Bool = false, isMirrored: Bool = false) -> [Recognition] {
        play(regions).compactMap {
            Recognition($0, regions, from: start, isDiscrete: isDiscrete, isMirrored: isMirrored)
        }
    }
}
