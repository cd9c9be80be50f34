// SPDX-License-Identifier: MIT
import Dispatch
package import Testing

/// Runs the tests of a suite that wait with `await` on a thread that they share only with each other.
///
/// Swift's own threads are as many as processors, and all other tests block them in turn. A test that awaits a line would
/// continue only after most of the others, long after its time limit.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(SerialThread.shared) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    package static var ownThread: OwnThread { OwnThread() }
}

private final class SerialThread: TaskExecutor {
    static let shared = SerialThread()

    private let queue = DispatchQueue(label: "tests that await")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
