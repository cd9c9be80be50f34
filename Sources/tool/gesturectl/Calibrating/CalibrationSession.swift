// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureProtocol
import Recordings

/// Shows targets and takes touches from a panel's frames, until the calibration is complete.
struct CalibrationSession: ~Copyable {
    private(set) var round: CalibrationRound
    private var frames: RecordingFrames
    private var touch: RestingTouch
    private var recording: Recording
    private let panel: CalibratedPanel
    private let display: TargetDisplay
    /// Prints a text where the person who touches the panel, or the one at the terminal, sees it.
    private let tell: (String) -> Void

    /// - Parameters:
    ///   - count: the number of targets.
    ///   - recording: the description of the panel and its slots.
    init(
        _ count: Int, _ recording: Recording, _ panel: CalibratedPanel, on display: TargetDisplay,
        tell: @escaping (String) -> Void
    ) {
        round = CalibrationRound(CalibrationTarget.layout(count).map(display.exact), size: panel.size)
        frames = RecordingFrames(
            of: recording, protocol: panel.touchProtocol, mapping: AxisShares.mapping(panel.description),
            filter: FilterSettings(maxTouch: nil, storm: nil))
        touch = RestingTouch(distance: panel.distance)
        (self.recording, self.panel, self.display, self.tell) = (recording, panel, display, tell)
    }

    /// Shows the current target.
    /// - Parameters:
    ///   - remark: the reason why a target has to be touched again.
    ///   - news: a text that comes before it.
    func show(_ remark: String? = nil, after news: String? = nil) throws {
        guard let current = round.current else { return news.map(tell) ?? () }
        let (number, count, target) = (current + 1, round.targets.count, round.targets[current])
        let request = remark ?? "touch target \(number) of \(count) (\(target.place))"
        let text = news.map { "\($0); \(request)" } ?? request
        try display.show(target, named: "\(number)/\(count)", text)
        tell(text)
    }

    /// Takes a `frame` line.
    /// - Returns: whether there are more targets to touch.
    mutating func take(_ frame: JSONValue) throws -> Bool {
        recording.entries.removeAll(keepingCapacity: true)
        guard recording.append(frame: frame) else { return true }
        for entry in recording.entries {
            for frame in frames.take(entry) {
                switch touch.take(frame) {
                case .position(let position)?: try take(position)
                case .refused(let reason)?: try show(reason)
                case nil: break
                }
            }
        }
        return round.current != nil
    }

    private mutating func take(_ position: Point) throws {
        guard let current = round.current else { return }
        guard panel.isAtEnd(position) else { return try show(round.take(position)) }
        try show(
            round.skip(position), after: "\(round.name(current)) was left out, because the axes of the panel end there")
    }
}
