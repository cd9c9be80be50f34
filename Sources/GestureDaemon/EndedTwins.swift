// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem
import TouchInput

/// Twins whose contacts have lifted. They stay for a while: nobody can read from a device that is gone, not even what was
/// written before, and for many compositors the contacts would stay down.
final class EndedTwins {
    /// In microseconds: enough for a compositor that draws a frame meanwhile.
    static let grace: Int64 = 100_000

    /// The earliest first.
    private var twins: [(twin: PanelTwin, end: Int64)] = []
    private var timer: DeadlineTimer?

    /// To be called before `add`.
    func start(_ loop: EventLoop) throws(SystemError) {
        let ended = Unmanaged.passUnretained(self)
        timer = try DeadlineTimer(loop: loop) { ended.takeUnretainedValue().remove(until: MonotonicClock.now()) }
    }

    func add(_ twin: PanelTwin) {
        twins.append((twin, MonotonicClock.now() + Self.grace))
        timer?.arm(at: twins.first?.end)
    }

    /// Waits until all are gone. To be called when the loop has ended.
    func finish() {
        timer = nil
        let left = (twins.last?.end ?? 0) - MonotonicClock.now()
        if left > 0 { usleep(UInt32(min(left, Self.grace))) }
        remove(until: .max)
    }

    private func remove(until time: Int64) {
        while let first = twins.first, first.end <= time { twins.removeFirst().twin.remove() }
        timer?.arm(at: twins.first?.end)
    }
}
