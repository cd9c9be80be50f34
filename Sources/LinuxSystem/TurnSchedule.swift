// SPDX-License-Identifier: MIT
import CLinux

/// Decides in which order an event loop calls the handlers of a turn, and what it puts off to the next one.
///
/// Sources of priority `first` and then `brief` come first, then what was put off by `tryAgain`, then the other sources, as
/// long as the turn is not long; the next turn goes on with those that are left.
///
/// Belongs to the thread of its loop.
package final class TurnSchedule {
    /// When a source is called among those that are ready in the same turn.
    package enum Priority: Hashable, Sendable {
        /// Before all others.
        case first
        /// Next. The handler takes no longer than any turn may, such as one that reads a panel.
        case brief
        /// Last, and in a later turn if this one is long.
        case usual
    }

    /// Microseconds after which a turn is long. 5 ms: a panel with ten contacts at 1 kHz fills the kernel's buffer in 15 ms.
    package static let share: Int64 = 5000
    /// Milliseconds until a failed operation is tried again: enough for other processes to free resources.
    static let pause: CInt = 10

    /// Identifies the current turn, for users that limit how much they do in one.
    package private(set) var turnCount: UInt64 = 0
    /// The longest turn in microseconds, measured from wake-up: so long may other sources have had to wait. Turns of one
    /// brief source do not count.
    package private(set) var longestTurn: Int64 = 0
    /// The last time of an earlier turn that was read.
    private(set) var earlierTime: Int64 = 0
    private var readTime = MonotonicClock.now()
    private var isTurnTimeRead = true
    /// Work for the end of the next turn.
    private var again: [() -> Void] = []
    /// Where among the events of the next turn the first one is that this turn had no time for. The kernel keeps the order
    /// of what stays ready.
    private var nextPosition = 0

    /// When the current turn, or the last one, stopped waiting, in microseconds of the monotonic clock.
    ///
    /// A clock is read at most once a turn for this. In a turn of one brief source that is when somebody asks: reading it
    /// takes a noticeable part of the time from a touch to its line.
    package var turnTime: Int64 {
        if !isTurnTimeRead {
            earlierTime = readTime
            readTime = MonotonicClock.now()
            isTurnTimeRead = true
        }
        return readTime
    }

    /// The current turn has taken so long that what can wait should come with a later one. Reads the clock.
    package var isTurnLong: Bool { MonotonicClock.now() - turnTime >= Self.share }

    /// Calls `body` in the next turn, which comes within 10 ms: for what the kernel has just refused, and for what a long
    /// turn leaves.
    package func tryAgain(_ body: @escaping () -> Void) { again.append(body) }

    /// Whether the next turn has work besides what is ready then.
    var hasPutOff: Bool { !again.isEmpty }

    /// Must be called when a turn has stopped waiting.
    func beginTurn() {
        turnCount &+= 1
        isTurnTimeRead = false
    }

    /// Must be called at the end of a turn that was not one of a single brief source.
    func endTurn() { longestTurn = max(longestTurn, MonotonicClock.now() - turnTime) }

    /// Dispatches the events of a turn and what was put off.
    ///
    /// - Parameters:
    ///   - count: of the events.
    ///   - priority: of the source of an event; `nil`: it was removed.
    ///   - dispatch: calls the handler for an event. At least one of priority `usual` is called, so that each has its turn.
    func run(_ count: Int, priority: (Int) -> Priority?, dispatch: (Int) -> Void) {
        for position in 0..<count where priority(position) == .first { dispatch(position) }
        for position in 0..<count where priority(position) == .brief { dispatch(position) }
        if !again.isEmpty {
            let bodies = again
            again = []
            for body in bodies { body() }
        }
        let start = nextPosition
        var hasCalled = false
        nextPosition = 0
        for offset in 0..<count {
            let position = (start + offset) % count
            guard priority(position) == .usual else { continue }
            if hasCalled, isTurnLong {
                nextPosition = position
                return
            }
            dispatch(position)
            hasCalled = true
        }
    }
}
