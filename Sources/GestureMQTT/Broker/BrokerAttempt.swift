// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import Synchronization

/// The result of a thread that connects.
enum BrokerAttempt: Sendable {
    case connected(BrokerHandle)
    case failed(BrokerError)
}

/// Settles a race between the thread that connects and the loop that stops waiting: the one that is later detects that
/// the other one was first.
final class Attempt: Sendable {
    private let isTaken = Atomic(false)

    /// - Returns: `false` if the thread has finished, and its result is about to arrive.
    func abandon() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }

    /// Connects. Called by the thread.
    func run(
        _ settings: MQTTSettings, isVersionFive: Bool, isFresh: Bool, will: (topic: String, payload: [UInt8])?
    ) -> BrokerAttempt {
        do throws(BrokerError) {
            let handle = try BrokerHandle(settings, isVersionFive: isVersionFive, isFresh: isFresh, will: will)
            try handle.connect(settings)
            // If the attempt was abandoned meanwhile, the handle is released here.
            return abandon() ? .connected(handle) : .failed(BrokerError(cause: "too late"))
        } catch {
            _ = abandon()
            return .failed(error)
        }
    }
}
#endif
