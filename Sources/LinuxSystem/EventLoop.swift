// SPDX-License-Identifier: MIT
import CLinux

/// An epoll loop for one thread: calls the handlers of what is ready, until `stop()`.
///
/// Level triggered: a source that leaves something unread is called again in the next turn. A handler may add, change
/// and remove sources, its own too: a removed source is not called again, not even for events that the same turn has
/// found. A turn allocates nothing.
///
/// In each turn brief sources come first, then what was put off by `tryAgain`, then the other sources, as long as the
/// turn is not long; the next turn goes on with those that are left.
package final class EventLoop {
    package typealias Handler = (IOEvents) -> Void

    /// One registration, valid until it is removed. Does not own its descriptor.
    package final class Source {
        package let descriptor: CInt
        fileprivate let handler: Handler
        fileprivate let isBrief: Bool
        fileprivate let index: Int
        fileprivate let generation: UInt32
        fileprivate(set) var events: IOEvents

        fileprivate init(
            descriptor: CInt, handler: @escaping Handler, isBrief: Bool, index: Int, generation: UInt32,
            events: IOEvents
        ) {
            self.descriptor = descriptor
            self.handler = handler
            self.isBrief = isBrief
            self.index = index
            self.generation = generation
            self.events = events
        }

        /// Comes back from epoll. The generation distinguishes an event for a removed source from one for the source
        /// that has its index now.
        fileprivate var token: UInt64 { UInt64(generation) << 32 | UInt64(truncatingIfNeeded: index) }
    }

    private var turnBegan: (() -> Void)?
    private var turnCompleted: (() -> Void)?
    private var first: Source?

    /// When the current turn, or the last one, stopped waiting, in microseconds of the monotonic clock.
    ///
    /// A clock is read at most once a turn for this. In a turn of one brief source that is when somebody asks: reading it
    /// takes a noticeable part of the time from a touch to its line.
    package var turnTime: Int64 {
        if !isTurnTimeRead { readTurnTime() }
        return readTime
    }
    private var readTime = MonotonicClock.now()
    private var isTurnTimeRead = true
    /// The last time of an earlier turn that was read.
    private(set) var earlierTime: Int64 = 0

    /// Identifies the current turn, for users that limit how much they do in one.
    package private(set) var turnCount: UInt64 = 0

    /// The longest time that a turn has taken since it began to wait no more, in microseconds: so long may other sources
    /// have had to wait. Turns of one brief source do not count.
    package private(set) var longestTurn: Int64 = 0

    /// Microseconds after which a turn is long. 5 ms: a panel with ten contacts at 1 kHz fills the kernel's buffer in 15 ms.
    package static let share: Int64 = 5000
    /// The current turn has taken so long that what can wait should come with a later one. Reads the clock.
    package var isTurnLong: Bool { MonotonicClock.now() - turnTime >= Self.share }

    /// Further events come with the next turn.
    private static let eventsPerTurn = 64
    /// Where among the events of the next turn the first one is that this turn had no time for. The kernel keeps the order
    /// of what stays ready.
    private var nextPosition = 0

    private let epoll: OwnedDescriptor
    private let ready: UnsafeMutablePointer<epoll_event>
    private var sources: [Source?] = []
    private var freeIndices: [Int] = []
    private var nextGeneration: UInt32 = 0
    private var isStopping = false
    /// Work for the end of the next turn.
    private var again: [() -> Void] = []
    /// Failed waits in a row.
    private var failures = 0

    /// Milliseconds until a failed operation is tried again: enough for other processes to free resources.
    private static let pause: CInt = 10
    /// One second of failed waits.
    private static let mostFailures = 100

    /// - Throws: `SystemError` of `epoll_create1`.
    package init() throws(SystemError) {
        let flags = CInt(EPOLL_CLOEXEC)
        epoll = OwnedDescriptor(adopting: try retryingOnInterrupt("epoll_create1") { epoll_create1(flags) })
        ready = .allocate(capacity: Self.eventsPerTurn)
        ready.initialize(repeating: epoll_event(), count: Self.eventsPerTurn)
    }

    deinit {
        ready.deallocate()
    }

    /// - Parameters:
    ///   - began: is called in every turn before the handlers.
    ///   - completed: is called in every turn after the handlers: for the watchdog, and for what is cheaper once a turn
    ///     than once an event.
    package func setTurnHandlers(began: (() -> Void)?, completed: (() -> Void)?) {
        (turnBegan, turnCompleted) = (began, completed)
    }

    /// Of what is ready in a turn, `source` is handled first; then brief sources are.
    package func setFirst(_ source: Source?) { first = source }

    /// Calls `handler` whenever `descriptor` is ready for `events`, has an error or hangs up.
    ///
    /// The descriptor must stay open until `remove`.
    /// - Parameter isBrief: the handler takes no longer than any turn may, such as one that reads a panel. It is called
    ///   before those that are not brief.
    /// - Throws: `SystemError` of `epoll_ctl`; `EPERM` for a plain file, `EEXIST` when it is there already.
    package func add(
        _ descriptor: CInt, events: IOEvents, isBrief: Bool = false, _ handler: @escaping Handler
    ) throws(SystemError) -> Source {
        let index = freeIndices.last ?? sources.count
        nextGeneration &+= 1
        let source = Source(
            descriptor: descriptor, handler: handler, isBrief: isBrief, index: index, generation: nextGeneration,
            events: events)
        try control(EPOLL_CTL_ADD, source)
        if index == sources.count {
            sources = sources + [source]
        } else {
            freeIndices.removeLast()
            setSource(source, at: index)
        }
        return source
    }

    /// Waits for `events` from now on. Does nothing for a source that was removed.
    package func modify(_ source: Source, events: IOEvents) throws(SystemError) {
        guard contains(source), source.events != events else { return }
        let before = source.events
        source.events = events
        do throws(SystemError) {
            try control(EPOLL_CTL_MOD, source)
        } catch {
            source.events = before
            throw error
        }
    }

    /// No callback comes from `source` after this. Call it before closing the descriptor; repeated calls are harmless.
    package func remove(_ source: Source) {
        guard contains(source) else { return }
        // It fails only for a descriptor that the kernel has removed already.
        _ = linux_epoll_control(epoll.rawValue, EPOLL_CTL_DEL, source.descriptor, 0, 0)
        setSource(nil, at: source.index)
        freeIndices.append(source.index)
    }

    private func setSource(_ source: Source?, at index: Int) {
        // Taken out meanwhile: while every access ends at once, Swift need not check each for an overlap.
        var sources: [Source?] = []
        swap(&sources, &self.sources)
        sources[index] = source
        swap(&sources, &self.sources)
    }

    /// Calls `body` in the next turn, which comes within 10 ms: for what the kernel has just refused, and for what a long
    /// turn leaves.
    package func tryAgain(_ body: @escaping () -> Void) {
        again.append(body)
    }

    /// Runs turns until `stop()`; returns at once when that was called before.
    /// - Throws: `SystemError` of `epoll_wait`, when it has failed for a second.
    package func run() throws(SystemError) {
        while !isStopping {
            if turn(timeout: -1) { continue }
            failures += 1
            if failures > Self.mostFailures { throw .last("epoll_wait") }
            _ = poll(nil, 0, Self.pause)
        }
        isStopping = false
    }

    /// Makes `run()` return after the current turn.
    package func stop() {
        isStopping = true
    }

    /// Waits for at most `timeout` milliseconds (-1: without a limit), then calls the handlers of what is ready.
    /// - Returns: `false` when the wait itself has failed.
    @discardableResult
    package func turn(timeout: CInt) -> Bool {
        let longest = again.isEmpty ? timeout : Self.pause
        let count = epoll_wait(epoll.rawValue, ready, CInt(Self.eventsPerTurn), longest)
        guard count >= 0 else { return linux_errno() == EINTR }
        isTurnTimeRead = false
        failures = 0
        turnCount &+= 1
        if count == 1, again.isEmpty, let source = source(of: ready), source.isBrief {
            // Such as a panel: what it has to say must not wait.
            turnBegan?()
            source.handler(IOEvents(rawValue: linux_epoll_events(ready)))
            turnCompleted?()
            return true
        }
        readTurnTime()
        turnBegan?()
        let first = first
        dispatch(Int(count)) { $0 === first }
        dispatch(Int(count)) { $0.isBrief && $0 !== first }
        if !again.isEmpty {
            let bodies = again
            again = []
            for body in bodies { body() }
        }
        dispatchOthers(Int(count), but: first)
        turnCompleted?()
        longestTurn = max(longestTurn, MonotonicClock.now() - turnTime)
        return true
    }

    private func readTurnTime() {
        earlierTime = readTime
        readTime = MonotonicClock.now()
        isTurnTimeRead = true
    }

    private func dispatch(_ count: Int, where isMeant: (Source) -> Bool) {
        for position in 0..<count {
            let event = ready + position
            guard let source = source(of: event), isMeant(source) else { continue }
            source.handler(IOEvents(rawValue: linux_epoll_events(event)))
        }
    }

    /// At least one is called, so that each has its turn.
    private func dispatchOthers(_ count: Int, but first: Source?) {
        let start = nextPosition
        var hasCalled = false
        nextPosition = 0
        for offset in 0..<count {
            let position = (start + offset) % count
            let event = ready + position
            guard let source = source(of: event), !source.isBrief, source !== first else { continue }
            if hasCalled, isTurnLong {
                nextPosition = position
                return
            }
            source.handler(IOEvents(rawValue: linux_epoll_events(event)))
            hasCalled = true
        }
    }

    /// The source of an event, unless it was removed.
    private func source(of event: UnsafeMutablePointer<epoll_event>) -> Source? {
        let token = linux_epoll_token(event)
        let index = Int(token & 0xFFFF_FFFF)
        guard index < sources.count, let source = sources[index], source.token == token else { return nil }
        return source
    }

    private func contains(_ source: Source) -> Bool {
        source.index < sources.count && sources[source.index] === source
    }

    private func control(_ operation: CInt, _ source: Source) throws(SystemError) {
        _ = try retryingOnInterrupt("epoll_ctl") {
            linux_epoll_control(
                epoll.rawValue, operation, source.descriptor, source.events.rawValue, source.token)
        }
    }
}

/// What a descriptor is ready for, or watched for.
package struct IOEvents: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let readable = IOEvents(rawValue: EPOLLIN.rawValue)
    package static let writable = IOEvents(rawValue: EPOLLOUT.rawValue)
    /// Both directions are closed. Always reported.
    package static let hangup = IOEvents(rawValue: EPOLLHUP.rawValue)
    /// An error is pending on the descriptor. Always reported.
    package static let error = IOEvents(rawValue: EPOLLERR.rawValue)
}
