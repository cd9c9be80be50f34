// SPDX-License-Identifier: MIT
#if THREAD_SANITIZER
    import Glibc

    /// Stands for `Synchronization.Mutex` in the build for ThreadSanitizer.
    ///
    /// That one waits in the kernel (`FUTEX_LOCK_PI`), where the sanitizer does not see that one thread's
    /// unlock comes before another's lock: it calls a program of nothing but such a mutex and two threads a
    /// race. It knows `pthread_mutex_t`; what the lock guards is the same, and so is checked.
    final class WatchedMutex<Value>: @unchecked Sendable {
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
