// SPDX-License-Identifier: MIT
import GestureEngine

/// One row of a case: the action of one finger, in the toolkit's pixels and milliseconds.
struct CaseTouch: Decodable, Sendable {
    enum Phase: String, Decodable { case down, move, up, cancel }

    var milliseconds: Double
    var finger: Int
    var phase: Phase
    /// `nil`: its last position.
    var x: Double?
    var y: Double?

    init(_ milliseconds: Double, _ finger: Int, _ phase: Phase, _ x: Double?, _ y: Double?) {
        self.milliseconds = milliseconds
        self.finger = finger
        self.phase = phase
        self.x = x
        self.y = y
    }

    /// `[t_ms, id, phase, x, y]`
    init(from decoder: any Decoder) throws {
        var row = try decoder.unkeyedContainer()
        milliseconds = try row.decode(Double.self)
        finger = try row.decode(Int.self)
        phase = try row.decode(Phase.self)
        x = try row.decodeIfPresent(Double.self)
        y = try row.decodeIfPresent(Double.self)
    }

    var time: Timestamp { Timestamp(microseconds: Int64((milliseconds * 1000).rounded())) }
}

/// How rows with the same time become frames.
enum Framing: String, CaseIterable, Sendable {
    /// As a kernel reports them: actions of different fingers at the same time are one frame.
    case together
    /// As in the toolkits' own tests: each row is a frame.
    case apart
}

extension [CaseTouch] {
    /// The rows of each frame.
    func frames(_ framing: Framing) -> [[CaseTouch]] {
        var frames: [[CaseTouch]] = []
        for touch in self {
            let joins =
                framing == .together
                && frames.last.map { frame in
                    frame[0].milliseconds == touch.milliseconds && !frame.contains { $0.finger == touch.finger }
                } ?? false
            if joins { frames[frames.count - 1].append(touch) } else { frames.append([touch]) }
        }
        return frames
    }
}
