// SPDX-License-Identifier: MIT
import CLinux

/// One thread, one epoll: calls back what is ready, until it is told to stop.
///
/// Level triggered: a source that leaves something unread is called again in the next turn.
/// Adding, changing and removing sources inside a callback, also the one that runs, is safe: a
/// removed source is not called again, not even for what the same turn had found.
/// A turn allocates nothing.
package final class EventLoop {
    package typealias Handler = (IOEvents) -> Void

    /// One registration. Lives until it is removed; does not own its descriptor.
    package final class Source {
        package let descriptor: CInt
        fileprivate let handler: Handler
        fileprivate let index: Int
        fileprivate let generation: UInt32
        fileprivate(set) var events: IOEvents

        fileprivate init(
            descriptor: CInt, handler: @escaping Handler, index: Int, generation: UInt32, events: IOEvents
        ) {
            self.descriptor = descriptor
            self.handler = handler
            self.index = index
            self.generation = generation
            self.events = events
        }

        /// Comes back from epoll. The generation tells an event for a source that is gone from
        /// one for the source that has its place now.
        fileprivate var token: UInt64 { UInt64(generation) << 32 | UInt64(truncatingIfNeeded: index) }
    }

    /// Called in every turn before anything that is ready: for what must be known first.
    package var turnBegan: (() -> Void)?
    /// Called after every full turn: all that was ready has been called back. For the watchdog,
    /// and for what is cheaper once a turn than once an event.
    package var turnCompleted: (() -> Void)?

    /// How many turns there were: for what may take a share of one turn only.
    package private(set) var turnCount: UInt64 = 0

    /// More than the daemon ever has at once is no harm: the rest comes with the next turn.
    private static let eventsPerTurn = 64

    private let epoll: OwnedDescriptor
    private let ready: UnsafeMutablePointer<epoll_event>
    private var sources: [Source?] = []
    private var freeIndices: [Int] = []
    private var nextGeneration: UInt32 = 0
    private var isStopping = false
    /// What the kernel has refused, to be tried again.
    private var again: [() -> Void] = []
    /// The wait has failed so often in a row.
    private var failures = 0

    /// How long until what failed is tried again, in milliseconds: enough for others to let go of something.
    private static let pause: CInt = 10
    /// A wait that fails for a second will not be cured by another try.
    private static let mostFailures = 100

    /// - Throws: `SystemError` of `epoll_create1`.
    package init() throws(SystemError) {
        epoll = OwnedDescriptor(adopting: try retryingOnInterrupt("epoll_create1") { linux_epoll_create() })
        ready = .allocate(capacity: Self.eventsPerTurn)
        ready.initialize(repeating: epoll_event(), count: Self.eventsPerTurn)
    }

    deinit {
        ready.deallocate()
    }

    /// Calls `handler` whenever `descriptor` is ready for `events`, has an error or hangs up.
    ///
    /// The descriptor must stay open until `remove`.
    /// - Throws: `SystemError` of `epoll_ctl`; `EPERM` for a plain file, `EEXIST` when it is there already.
    package func add(
        _ descriptor: CInt, events: IOEvents, _ handler: @escaping Handler
    ) throws(SystemError) -> Source {
        let index = freeIndices.last ?? sources.count
        nextGeneration &+= 1
        let source = Source(
            descriptor: descriptor, handler: handler, index: index, generation: nextGeneration, events: events)
        try control(EPOLL_CTL_ADD, source)
        if index == sources.count {
            sources.append(source)
        } else {
            freeIndices.removeLast()
            sources[index] = source
        }
        return source
    }

    /// Waits for `events` from now on. A source that is removed is left alone.
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

    /// No callback comes from `source` after this. Twice is harmless; call it before the close.
    package func remove(_ source: Source) {
        guard contains(source) else { return }
        // A failure can only say that the kernel has forgotten it already.
        _ = linux_epoll_control(epoll.rawValue, EPOLL_CTL_DEL, source.descriptor, 0, 0)
        sources[source.index] = nil
        freeIndices.append(source.index)
    }

    /// Calls `body` after the next turn, which comes within 10 ms: for what the kernel has just refused.
    package func tryAgain(_ body: @escaping () -> Void) {
        again.append(body)
    }

    /// Turns until `stop()`; returns at once when that was called before.
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

    /// Makes `run()` return after the turn that is under way.
    package func stop() {
        isStopping = true
    }

    /// Waits for at most `timeout` milliseconds (-1: for ever), then calls back what is ready.
    /// - Returns: `false` when the wait itself has failed.
    @discardableResult
    package func turn(timeout: CInt) -> Bool {
        let longest = again.isEmpty ? timeout : Self.pause
        let count = epoll_wait(epoll.rawValue, ready, CInt(Self.eventsPerTurn), longest)
        guard count >= 0 else { return linux_errno() == EINTR }
        failures = 0
        turnCount &+= 1
        turnBegan?()
        for position in 0..<Int(count) {
            dispatch(ready + position)
        }
        if !again.isEmpty {
            let bodies = again
            again = []
            for body in bodies { body() }
        }
        turnCompleted?()
        return true
    }

    private func dispatch(_ event: UnsafeMutablePointer<epoll_event>) {
        let token = linux_epoll_token(event)
        let index = Int(token & 0xFFFF_FFFF)
        guard index < sources.count, let source = sources[index], source.token == token else { return }
        source.handler(IOEvents(rawValue: linux_epoll_events(event)))
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
