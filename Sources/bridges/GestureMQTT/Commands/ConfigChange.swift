// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import CLinux
import GestureClient
import GestureEngine
import GestureProtocol
import LinuxSystem

/// A configuration that the broker sends. It is checked, applied, and reverted unless it is confirmed.
///
/// Until the change is confirmed, the previous file is kept next to the new one, so that the change can be reverted
/// even after a power failure.
final class ConfigChange {
    /// A change that is waiting to be confirmed.
    private struct Pending {
        let command: Command
        let id: String
        /// The number of regions before the change.
        let regions: Int
    }

    private let file: String
    private let patience: Int64
    private var pending: Pending?
    private var checking: BackgroundWork<(outcome: ChildJob.Outcome, output: [UInt8])>?
    /// Whether the previous file was restored and the daemon has not read it yet.
    private var needsReload = false
    private var timer: DeadlineTimer?
    private weak var service: Service?
    private var count = 0

    init(_ settings: MQTTSettings, loop: EventLoop) throws(SystemError) {
        file = settings.config.file
        patience = settings.config.confirm.microseconds
        let this = Unmanaged.passUnretained(self)
        timer = try DeadlineTimer(loop: loop) { this.takeUnretainedValue().expire() }
    }

    private var before: String { file + ".before" }
    /// Returns a file that the daemon can read, because it is created with a mode that allows this.
    private func store(_ path: String) -> StateFile { StateFile(path, isPublic: true) }

    /// Creates the file so that the daemon can be configured to read it. Reverts a change that was not confirmed.
    func prepare() {
        if access(before, F_OK) == 0 {
            Service.log("\(file): the change was not confirmed; the previous file is restored")
            restore()
        }
        guard access(file, F_OK) != 0 else { return }
        do throws(SystemError) { try store(file).replace(with: []) } catch { Service.log("config: \(error)") }
    }

    func daemonIsThere(_ service: Service) {
        guard needsReload else { return }
        needsReload = false
        service.request("reload") { _ in }
    }

    /// Reverts a change that has not been confirmed.
    func stop() {
        checking = nil
        // The daemon carries out requests that were sent before the connection was closed.
        if pending != nil { rollBack() }
        timer?.cancel()
    }

    // MARK: starting a change

    func begin(_ command: Command, _ service: Service) {
        self.service = service
        guard pending == nil, checking == nil else { return service.publish(Self.busy(command)) }
        guard !command.payload.isEmpty else {
            return service.publish(command.failure("bad_request", "expected a configuration of at most 1 MiB"))
        }
        service.request("status") { [weak self] reply in
            switch reply {
            case .failure(let error): service.publish(command.failure(error))
            case .success(let status): self?.check(command, status, service)
            }
        }
    }

    private func check(_ command: Command, _ status: JSONValue, _ service: Service) {
        guard pending == nil, checking == nil else { return service.publish(Self.busy(command)) }
        let files = status["config"]?.texts("files") ?? []
        do throws(SystemError) {
            checking = try ConfigCheck.start(command.payload, as: file, among: files, loop: service.loop) {
                [weak self] verdict in
                self?.checking = nil
                guard let verdict else { return self?.putInForce(command, status, service) ?? () }
                service.publish(command.failure(verdict.code, verdict.message, verdict.diagnostics))
            }
        } catch {
            service.publish(command.failure("internal", error.description))
        }
    }

    private func putInForce(_ command: Command, _ status: JSONValue, _ service: Service) {
        do throws(ConfigurationFileError) {
            let old = try ConfigurationFiles.read(file, mayBeMissing: true) ?? []
            do throws(SystemError) {
                try store(before).replace(with: old)
                try store(file).replace(with: command.payload)
            } catch {
                restore()
                return service.publish(command.failure("internal", error.description))
            }
        } catch {
            return service.publish(command.failure("internal", error.description))
        }
        count += 1
        let pending = Pending(
            command: command, id: "\(getpid())-\(count)", regions: status.whole("regions"))
        self.pending = pending
        timer?.arm(at: MonotonicClock.now() + patience)
        service.request("reload") { [weak self] in self?.reloaded($0, pending, service) }
    }

    private func reloaded(_ reply: DaemonLink.Answer, _ change: Pending, _ service: Service) {
        guard pending?.id == change.id else { return }
        if case .failure(let error) = reply {
            rollBack()
            return service.publish(change.command.failure(error))
        }
        service.request("status") { [weak self] reply in
            guard case .success(let status) = reply, self?.pending?.id == change.id else { return }
            self?.applied(status, change, service)
        }
    }

    private func applied(_ status: JSONValue, _ change: Pending, _ service: Service) {
        let regions = status.whole("regions")
        guard regions >= change.regions / 2 + change.regions % 2 else {
            rollBack()
            let text =
                "only \(regions) of \(change.regions) regions would remain; the previous configuration was restored"
            return service.publish(change.command.failure("rolled_back", text))
        }
        service.publish(
            change.command.success { json in
                json.member("state", "unconfirmed")
                json.member("change", change.id)
                json.member("confirm_within_ms", patience / 1000)
                json.member("regions", regions)
            })
    }

    private static func busy(_ command: Command) -> BrokerMessage {
        command.failure("busy", "another configuration is waiting to be confirmed")
    }

    // MARK: ending a change

    func confirm(_ command: Command, _ service: Service) {
        guard let change = pending, command.text("change") == change.id else {
            return service.publish(command.failure("not_found", "no such configuration is waiting to be confirmed"))
        }
        do throws(SystemError) {
            try store(before).remove()
        } catch {
            return service.publish(command.failure("internal", error.description))
        }
        pending = nil
        timer?.arm(at: nil)
        service.publish(
            command.success { json in
                json.member("state", "confirmed")
                json.member("change", change.id)
            })
    }

    private func expire() {
        guard let change = pending else { return }
        rollBack()
        service?.publish(
            change.command.failure(
                "rolled_back", "\(change.id) was not confirmed in time; the previous configuration was restored"))
    }

    private func rollBack() {
        restore()
        guard let service else { return }
        service.request("reload") { [weak self] reply in
            if case .failure(.unavailable) = reply { return }
            self?.needsReload = false
        }
    }

    private func restore() {
        pending = nil
        needsReload = true
        timer?.arm(at: nil)
        do throws(SystemError) {
            try store(before).move(to: store(file))
        } catch {
            Service.log("config: \(error)")
        }
    }
}
#endif
