// SPDX-License-Identifier: MIT
import GestureConfiguration
import LinuxSystem

/// Keeping the configuration in force for the next start, and what is said while the files are refused.
extension Daemon {
    /// Microseconds between two reminders that the files are refused.
    private static let reminderInterval: Int64 = 3_600_000_000

    /// Keeps the files in force, in a thread: a disk may take seconds.
    func keepConfiguration() {
        guard keeping == nil, let kept = store.kept, let files = store.takeUnkept() else { return }
        let daemon = Unmanaged.passUnretained(self)
        do throws(SystemError) {
            keeping = try BackgroundWork(
                loop: loop,
                { () -> SystemError? in
                    do throws(SystemError) {
                        try kept.save(files)
                        return nil
                    } catch {
                        return error
                    }
                }
            ) { daemon.takeUnretainedValue().finishKeeping($0) }
        } catch {
            finishKeeping(error)
        }
    }

    private func finishKeeping(_ failure: SystemError?) {
        keeping = nil
        if let failure {
            log.warning(
                "state: \(failure); if the files are refused at the next start, this configuration is not there")
        }
        // A reload may have come meanwhile.
        keepConfiguration()
    }

    /// Says again, in the log and to clients, that the files are refused: once soon after a start, when clients are there,
    /// and then each hour.
    func remindOfRefusal() {
        guard case .rejected(let diagnostics) = store.last else { return }
        let now = MonotonicClock.now()
        if let refusalTold {
            guard now - refusalTold >= Self.reminderInterval else { return }
            log.write(diagnostics)
            log.error("configuration: the files are still refused; mend them and reload")
        }
        refusalTold = now
        broadcastOutcome()
    }
}
