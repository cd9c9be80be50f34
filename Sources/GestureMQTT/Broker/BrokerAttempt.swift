// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import Synchronization

/// What a thread that connects ends with.
enum BrokerAttempt: Sendable {
    case connected(BrokerHandle)
    case failed(BrokerError)
}

/// Whoever comes second knows of the other: the thread that has connected, or the loop that does not wait any more.
final class Attempt: Sendable {
    private let isTaken = Atomic(false)

    /// - Returns: `false` when the thread has finished, and its outcome comes at once.
    func abandon() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }

    /// Of the thread.
    func run(
        _ settings: MQTTSettings, isVersionFive: Bool, isFresh: Bool, will: (topic: String, payload: [UInt8])?
    ) -> BrokerAttempt {
        do throws(BrokerError) {
            let handle = try BrokerHandle(settings, isVersionFive: isVersionFive, isFresh: isFresh, will: will)
            try handle.connect(settings)
            // If the attempt was given up meanwhile, the handle is released here.
            return abandon() ? .connected(handle) : .failed(BrokerError(cause: "too late"))
        } catch {
            _ = abandon()
            return .failed(error)
        }
    }
}
#endif
