// SPDX-License-Identifier: MIT
import CLinux

/// Decides the order in which an event loop calls the handlers of a turn, and which of them wait for the next turn.
///
/// Sources with priority `first` are handled first, then those with priority `brief`, then work that was passed to
/// `tryAgain`, then the other sources until the turn is long. The next turn continues with the remaining sources.
///
/// A schedule must be used only on the thread of its loop.
package final class TurnSchedule {
    /// The position of a source among those that are ready in the same turn.
    package enum Priority: Hashable, Sendable {
        /// The source is handled before all others.
        case first
        /// The source is handled after those with priority `first`. Its handler, such as one that reads a panel, must
        /// not take longer than a turn may take.
        case brief
        /// The source is handled last, or in a later turn if this turn is long.
        case usual
    }

    /// The time in microseconds after which a turn is considered long. It is 5 ms, because a panel with ten contacts at
    /// 1 kHz fills the kernel's buffer in 15 ms.
    package static let budget: Int64 = 5000
    /// The time in milliseconds until a failed operation is tried again. It is long enough for other processes to free
    /// resources.
    static let pause: CInt = 10

    /// The number of the current turn, for callers that limit their work per turn.
    package private(set) var turnCount: UInt64 = 0
    /// The duration of the longest turn in microseconds, measured from the wake-up. It is the longest time for which a
    /// turn has delayed other sources. Turns with a single brief source are not included.
    package private(set) var longestTurn: Int64 = 0
    /// The latest time that was read in an earlier turn.
    private(set) var earlierTime: Int64 = 0
    private var readTime = MonotonicClock.now()
    private var isTurnTimeRead = true
    /// Work for the next turn.
    private var again: [() -> Void] = []
    /// The position at which the next turn will find the first event for which this turn had no time. This works
    /// because the kernel keeps the order of sources that stay ready.
    private var nextPosition = 0

    /// The time at which the current turn, or the last one, stopped waiting, in microseconds of the monotonic clock.
    ///
    /// The clock is read at most once in a turn. In a turn with a single brief source, it is read on first use, because
    /// reading it takes a noticeable part of the time between a touch and its line.
    package var turnTime: Int64 {
        if !isTurnTimeRead {
            earlierTime = readTime
            readTime = MonotonicClock.now()
            isTurnTimeRead = true
        }
        return readTime
    }

    /// Whether the current turn has taken so long that deferrable work should wait for a later one. Reads the clock.
    package var isTurnLong: Bool { MonotonicClock.now() - turnTime >= Self.budget }

    /// Calls `body` in the next turn, which comes within 10 ms. Use this for operations that the kernel has just
    /// refused, and for work that a long turn has deferred.
    package func tryAgain(_ body: @escaping () -> Void) { again.append(body) }

    /// Whether the next turn has work in addition to ready sources.
    var hasPutOff: Bool { !again.isEmpty }

    /// Call this when a turn has stopped waiting.
    func beginTurn() {
        turnCount &+= 1
        isTurnTimeRead = false
    }

    /// Call this at the end of a turn, unless the turn has handled a single brief source.
    func endTurn() { longestTurn = max(longestTurn, MonotonicClock.now() - turnTime) }

    /// Dispatches the events of a turn, and does deferred work.
    ///
    /// - Parameters:
    ///   - count: the number of events.
    ///   - priority: returns the priority of an event's source; `nil` if the source was removed.
    ///   - dispatch: calls the handler of an event. At least one handler with priority `usual` is called in each turn,
    ///     so that none starves.
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
