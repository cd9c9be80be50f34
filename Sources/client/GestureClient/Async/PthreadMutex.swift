// SPDX-License-Identifier: MIT
#if THREAD_SANITIZER
import Glibc

/// Replaces `Synchronization.Mutex` in builds for ThreadSanitizer.
///
/// `Mutex` waits in the kernel (`FUTEX_LOCK_PI`), where the sanitizer cannot see that an unlock precedes the next lock.
/// It would report a race in any program with such a mutex and two threads. `pthread_mutex_t` is supported.
final class PthreadMutex<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private nonisolated(unsafe) let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ value: sending Value) {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value.pointee)
    }
}
#endif
