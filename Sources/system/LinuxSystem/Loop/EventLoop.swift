// SPDX-License-Identifier: MIT
import CLinux

/// An epoll loop for one thread. It calls the handlers of ready sources until `stop()` is called.
///
/// The loop is level-triggered: the handler of a source that still has unread bytes is called again in the next turn. A
/// handler may add, change and remove sources, including its own. The handler of a removed source is not called again,
/// even for events that were found in the same turn. A turn does not allocate memory. `TurnSchedule` decides the order
/// of the calls.
package final class EventLoop {
    package typealias Handler = (IOEvents) -> Void

    /// One registration, which is valid until it is removed. It does not own its descriptor.
    package final class Source {
        package let descriptor: CInt
        fileprivate let handler: Handler
        fileprivate let priority: TurnSchedule.Priority
        fileprivate let index: Int
        fileprivate let generation: UInt32
        fileprivate(set) var events: IOEvents

        fileprivate init(
            descriptor: CInt, handler: @escaping Handler, priority: TurnSchedule.Priority, index: Int,
            generation: UInt32, events: IOEvents
        ) {
            self.descriptor = descriptor
            self.handler = handler
            self.priority = priority
            self.index = index
            self.generation = generation
            self.events = events
        }

        /// The value that epoll returns with an event. The generation distinguishes an event for a removed source from
        /// an event for the source that reuses its index.
        fileprivate var token: UInt64 { UInt64(generation) << 32 | UInt64(truncatingIfNeeded: index) }
    }

    package let schedule = TurnSchedule()
    private var turnBegan: (() -> Void)?
    private var turnCompleted: (() -> Void)?

    /// The maximum number of events in a turn. The others are handled in the next turn.
    private static let eventsPerTurn = 64

    private let epoll: OwnedDescriptor
    private let ready: UnsafeMutablePointer<epoll_event>
    private var sources: [Source?] = []
    private var freeIndices: [Int] = []
    private var nextGeneration: UInt32 = 0
    private var isStopping = false
    /// The number of consecutive failed waits.
    private var failures = 0

    /// The maximum number of consecutive failed waits. Together, they take one second.
    private static let mostFailures = 100

    /// - Throws: `SystemError` from `epoll_create1`.
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
    ///   - began: called in every turn before the handlers.
    ///   - completed: called in every turn after the handlers. It is used for the watchdog, and for work that is
    ///     cheaper once per turn than once per event.
    package func setTurnHandlers(began: (() -> Void)?, completed: (() -> Void)?) {
        (turnBegan, turnCompleted) = (began, completed)
    }

    /// Calls `handler` whenever `descriptor` is ready for `events`, has an error or hangs up.
    ///
    /// The descriptor must stay open until `remove`.
    /// - Throws: `SystemError` from `epoll_ctl`, such as `EPERM` for a regular file or `EEXIST` if the descriptor was
    ///   already added.
    package func add(
        _ descriptor: CInt, events: IOEvents, priority: TurnSchedule.Priority = .usual, _ handler: @escaping Handler
    ) throws(SystemError) -> Source {
        let index = freeIndices.last ?? sources.count
        nextGeneration &+= 1
        let source = Source(
            descriptor: descriptor, handler: handler, priority: priority, index: index, generation: nextGeneration,
            events: events)
        try control(EPOLL_CTL_ADD, source)
        if index == sources.count {
            sources.append(source)
        } else {
            freeIndices.removeLast()
            sources[index] = source
        }
        return source
    }

    /// Changes the events that a source watches for. Does nothing if the source was removed.
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

    /// Removes a source. Its handler is not called again. Call this before the descriptor is closed. Repeated calls are
    /// harmless.
    package func remove(_ source: Source) {
        guard contains(source) else { return }
        // This fails only for a descriptor that the kernel has already removed.
        _ = linux_epoll_control(epoll.rawValue, EPOLL_CTL_DEL, source.descriptor, 0, 0)
        sources[source.index] = nil
        freeIndices.append(source.index)
    }

    /// Runs turns until `stop()` is called. Returns immediately if it was already called.
    /// - Throws: `SystemError` from `epoll_wait` after that call has failed for a second.
    package func run() throws(SystemError) {
        while !isStopping {
            if turn(timeout: -1) { continue }
            failures += 1
            if failures > Self.mostFailures { throw .last("epoll_wait") }
            _ = poll(nil, 0, TurnSchedule.pause)
        }
        isStopping = false
    }

    /// Makes `run()` return after the current turn.
    package func stop() {
        isStopping = true
    }

    /// Waits for at most `timeout` milliseconds (or indefinitely if it is -1), and then calls the handlers of ready
    /// sources.
    /// - Returns: `false` if the wait itself failed.
    @discardableResult
    package func turn(timeout: CInt) -> Bool {
        let longest = schedule.hasPutOff ? TurnSchedule.pause : timeout
        let count = Int(epoll_wait(epoll.rawValue, ready, CInt(Self.eventsPerTurn), longest))
        guard count >= 0 else { return linux_errno() == EINTR }
        failures = 0
        schedule.beginTurn()
        if count == 1, !schedule.hasPutOff, let source = source(of: ready), source.priority == .brief {
            // If a single brief source, such as a panel, is ready, it is handled before any clock is read.
            turnBegan?()
            source.handler(IOEvents(rawValue: linux_epoll_events(ready)))
            turnCompleted?()
            return true
        }
        // The time of the turn is read before any handler takes time.
        _ = schedule.turnTime
        turnBegan?()
        schedule.run(
            count, priority: { source(of: ready + $0)?.priority },
            dispatch: { position in
                guard let source = source(of: ready + position) else { return }
                source.handler(IOEvents(rawValue: linux_epoll_events(ready + position)))
            })
        turnCompleted?()
        schedule.endTurn()
        return true
    }

    /// Returns the source of an event, unless it was removed.
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

/// The events for which a descriptor is ready, or for which it is watched.
package struct IOEvents: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let readable = IOEvents(rawValue: EPOLLIN.rawValue)
    package static let writable = IOEvents(rawValue: EPOLLOUT.rawValue)
    /// Both directions are closed. This is always reported.
    package static let hangup = IOEvents(rawValue: EPOLLHUP.rawValue)
    /// An error is pending on the descriptor. This is always reported.
    package static let error = IOEvents(rawValue: EPOLLERR.rawValue)
}
