// SPDX-License-Identifier: MIT
import CLinux

/// Work that would block the loop for too long. It is done by a separate thread, and the loop receives the result.
///
/// An object must be used only on the thread of its loop. The two threads share no data: the work is passed to the new
/// thread when it is started, and the result is returned when it ends. The new thread also frees memory that only the
/// work used.
package final class BackgroundWork<Outcome: Sendable> {
    private let loop: EventLoop
    private let job: Job
    private let completed: (Outcome) -> Void
    private var thread = pthread_t()
    private var source: EventLoop.Source?

    /// Starts the work immediately.
    /// - Parameters:
    ///   - trimsMemory: whether to return freed memory to the kernel afterwards. The loop may have to wait while this
    ///     is done.
    ///   - completed: called once by the loop with the result of `work`.
    /// - Throws: `SystemError` if no thread or descriptor is available. In that case, nothing is done.
    package init(
        loop: EventLoop, trimsMemory: Bool = true, _ work: @escaping @Sendable () -> Outcome,
        completed: @escaping (Outcome) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.completed = completed
        job = Job(done: try Wakeup(), trimsMemory: trimsMemory) { Unmanaged.passRetained(Box(work())).toOpaque() }
        // This reference is unowned, because the source is removed before this object is freed.
        source = try loop.add(job.done.descriptor, events: .readable) { [unowned self] _ in finish() }
        do throws(SystemError) {
            thread = try job.start()
        } catch {
            removeSource()
            throw error
        }
    }

    deinit {
        abandon()
    }

    /// Discards the result without waiting for the work to end. Does nothing if the work has been completed.
    package func abandon() {
        guard source != nil else { return }
        removeSource()
        pthread_detach(thread)
    }

    /// Waits for the work to end, and passes its result to `completed` now. Does nothing if the work has been completed.
    package func wait() {
        if source != nil { finish() }
    }

    private func finish() {
        removeSource()
        var outcome: UnsafeMutableRawPointer?
        // This does not take long, because the thread is about to exit.
        guard pthread_join(thread, &outcome) == 0, let outcome else { return }
        completed(Unmanaged<Box<Outcome>>.fromOpaque(outcome).takeRetainedValue().value)
    }

    private func removeSource() {
        if let source { loop.remove(source) }
        source = nil
    }
}

private final class Box<Value> {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// The argument of the thread. It keeps open the descriptor that signals completion.
private final class Job {
    /// The stack size in bytes. It is as large as that of the main thread, because the TOML parser is recursive.
    private static let stackSize = 8 << 20

    let done: Wakeup
    private let trimsMemory: Bool
    /// Does the work and returns a retained `Box`. Used only by the thread.
    private var body: (@Sendable () -> UnsafeMutableRawPointer)?

    init(done: Wakeup, trimsMemory: Bool, _ body: @escaping @Sendable () -> UnsafeMutableRawPointer) {
        self.done = done
        self.trimsMemory = trimsMemory
        self.body = body
    }

    func start() throws(SystemError) -> pthread_t {
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        var code = pthread_attr_init(&attributes)
        guard code == 0 else { throw SystemError(call: "pthread_create", code: code) }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        let job = Unmanaged.passRetained(self)
        code = pthread_create(
            &thread, &attributes,
            { argument in argument.flatMap { Unmanaged<Job>.fromOpaque($0).takeRetainedValue().run() } },
            job.toOpaque())
        guard code == 0 else {
            job.release()
            throw SystemError(call: "pthread_create", code: code)
        }
        return thread
    }

    private func run() -> UnsafeMutableRawPointer? {
        let outcome = body?()
        body = nil
        if trimsMemory { linux_trim_memory() }
        done.signal()
        return outcome
    }
}
