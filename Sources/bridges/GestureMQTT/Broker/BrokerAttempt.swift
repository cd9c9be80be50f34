// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import Synchronization

/// The result of an attempt to connect, which is made on a thread.
enum BrokerAttempt: Sendable {
    case connected(BrokerHandle)
    case failed(BrokerError)
}

/// Settles the race between the thread that connects and the loop, which may stop waiting for it. Whichever finishes
/// second is informed that the other one was first.
final class Attempt: Sendable {
    private let isTaken = Atomic(false)

    /// - Returns: `false` if the thread has finished, so that its result is about to arrive.
    func abandon() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }

    /// Connects. Called by the thread.
    func run(
        _ settings: MQTTSettings, isVersionFive: Bool, isFresh: Bool, will: (topic: String, payload: [UInt8])?
    ) -> BrokerAttempt {
        do throws(BrokerError) {
            let handle = try BrokerHandle(settings, isVersionFive: isVersionFive, isFresh: isFresh, will: will)
            try handle.connect(settings)
            // If the attempt has been abandoned in the meantime, the handle is released here.
            return abandon() ? .connected(handle) : .failed(BrokerError(cause: "too late"))
        } catch {
            _ = abandon()
            return .failed(error)
        }
    }
}
#endif
