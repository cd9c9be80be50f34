// SPDX-License-Identifier: MIT
import CLinux
import ContactTracking
import GestureEngine
import Glibc
import LinuxSystem
import TouchInput

/// Plays steps on a virtual panel, each at its time.
struct Player {
    enum End: Hashable {
        /// Everything was played, and all touches have lifted.
        case played
        /// The recorded panel was unplugged.
        case unplugged
        /// A signal has arrived, and all touches have lifted.
        case interrupted
    }

    /// The touches so far.
    private(set) var held: HeldTouches
    /// The time from the first step to the last one that was played, in microseconds.
    private(set) var duration: Int64 = 0

    /// The panel's node, such as `/dev/input/event9`.
    var node: String { panel.node }

    private let panel: VirtualPanel
    /// A descriptor that is readable when the tool should end.
    private let signals: CInt

    init(on panel: VirtualPanel, _ touchProtocol: TouchProtocol, signals: CInt) {
        self.panel = panel
        self.signals = signals
        held = HeldTouches(touchProtocol)
    }

    /// Moves the slots to their initial positions.
    mutating func start(_ frame: [KernelEvent]) throws(SystemError) {
        try write(frame, at: MonotonicClock.now())
    }

    /// - Parameters:
    ///   - longestPause: the longest time without a touch, in microseconds; `nil`: as long as in the recording.
    ///   - stay: the time for which the panel stays after the last touch, in microseconds.
    mutating func play(_ steps: [PlayedStep], longestPause: Int64?, stay: Int64) throws(SystemError) -> End {
        let begin = MonotonicClock.now()
        var deadline = begin
        var last = steps.first?.time ?? Timestamp(microseconds: 0)
        for step in steps {
            let pause = max(step.time, last) - last
            deadline += held.isEmpty ? min(pause.microseconds, longestPause ?? .max) : pause.microseconds
            last = max(step.time, last)
            guard wait(until: deadline) else { return try interrupt() }
            duration = deadline - begin
            switch step.action {
            case .frame(let events): try write(events, at: deadline)
            case .lift: try write(held.lift(), at: deadline)
            case .unplug: return .unplugged
            }
        }
        try write(held.lift(), at: MonotonicClock.now())
        return wait(until: MonotonicClock.now() + stay) ? .played : .interrupted
    }

    private mutating func interrupt() throws(SystemError) -> End {
        try write(held.lift(), at: MonotonicClock.now())
        // A second signal cannot end this wait, which gives other programs the time to read the lifts.
        poll(nil, 0, CInt(PanelTwin.removalDelay / 1000))
        return .interrupted
    }

    private mutating func write(_ frame: [KernelEvent], at time: Int64) throws(SystemError) {
        guard !frame.isEmpty else { return }
        try panel.write(frame, at: Timestamp(microseconds: time))
        held.take(frame)
    }

    /// - Parameter deadline: on the monotonic clock, in microseconds.
    /// - Returns: `false` if a signal has arrived.
    private func wait(until deadline: Int64) -> Bool { !linux_readable_until(signals, deadline) }
}
