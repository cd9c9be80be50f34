// SPDX-License-Identifier: MIT
import GestureConfiguration
import LinuxSystem

/// Stores the accepted configuration for the next start. Writing is done on a thread, because a disk may take seconds.
final class ConfigurationKeeper {
    private let loop: EventLoop
    private let log: Log
    private let store: ConfigurationStore
    private var work: BackgroundWork<Result<Void, SystemError>>?

    init(loop: EventLoop, log: Log, store: ConfigurationStore) {
        (self.loop, self.log, self.store) = (loop, log, store)
    }

    /// Stores the accepted files, unless they are already stored.
    func keep() {
        guard work == nil, let kept = store.kept, let files = store.takeUnkept() else { return }
        do throws(SystemError) {
            work = try BackgroundWork(loop: loop, { Result { () throws(SystemError) in try kept.save(files) } }) {
                [unowned self] in finish($0)
            }
        } catch {
            finish(.failure(error))
        }
    }

    func stop() { work?.abandon() }

    private func finish(_ result: Result<Void, SystemError>) {
        work = nil
        if case .failure(let failure) = result {
            log.warning(
                "state: \(failure); this configuration is not available if the files are refused at the next start")
        }
        // A reload may have accepted other files in the meantime.
        keep()
    }
}
