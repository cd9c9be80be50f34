// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import GestureClient
import GestureProtocol
import LinuxSystem

/// Carries out the commands from the broker that the settings allow.
final class Commands {
    /// The maximum number of commands per second. The daemon accepts 64 requests per second.
    private static let mostInSecond = 32

    private unowned let service: Service
    /// The current second, and the number of commands received in it.
    private var second: (number: Int64, commands: Int) = (0, 0)
    private let allowed: MQTTSettings.Commands
    private let change: ConfigChange
    private var recorder: Recorder?
    /// The commands that are not allowed and that the log has named.
    private var refused: Set<CommandWord> = []

    init(_ service: Service) throws(SystemError) {
        self.service = service
        allowed = service.settings.commands
        change = try ConfigChange(service.settings, loop: service.loop)
        if allowed.config { change.prepare() }
    }

    /// The topics to subscribe to. Commands that are not allowed are answered, too.
    var topics: [String] { CommandWord.allCases.map { service.topics.command($0.rawValue) } }

    /// Call this when the connection to the daemon has been made. After a restart, the daemon may have read a file that
    /// was not confirmed.
    func daemonIsThere() {
        if allowed.config { change.daemonIsThere(service) }
    }

    func stop() {
        recorder = nil
        change.stop()
    }

    func take(_ message: BrokerMessage) {
        guard let name = service.topics.command(of: message.topic), let word = CommandWord(rawValue: name) else {
            return
        }
        // A retained command was meant for an earlier time.
        guard !message.isRetained else { return Service.log("\(message.topic): a retained command is ignored") }
        guard hasRoom() else { return }
        let command = Command(word, message, service.topics)
        guard word.isAllowed(by: allowed) else { return refuse(command) }
        Service.log("command \(word.rawValue)")
        if let complaint = command.complaint { return service.publish(command.failure("bad_request", complaint)) }
        switch word {
        case .scene: setScene(command)
        case .profile: setProfile(command)
        case .enable: switchRegions(command, isOn: true)
        case .disable: switchRegions(command, isOn: false)
        case .activity: service.request("activity") { [weak self] in self?.answer(command, $0) }
        case .reload: reload(command)
        case .config: change.begin(command, service)
        case .confirm: change.confirm(command, service)
        case .record: record(command)
        }
    }

    /// Answers a command whose switch is off, and logs it the first time.
    private func refuse(_ command: Command) {
        let (word, file) = (command.word, MQTTSettings.standardFile)
        let text =
            "\(word.rawValue) is off; set \(word.key) = true in [commands] of \(file), then run: "
            + "systemctl reload gestured-mqtt"
        if refused.insert(word).inserted { Service.log("command \(text)") }
        service.publish(command.failure("permission_denied", text))
    }

    /// Whether the rate allows another command. Commands beyond the limit are not answered, because the answers would
    /// have to be kept in memory until the broker accepts them.
    private func hasRoom() -> Bool {
        let now = MonotonicClock.now() / 1_000_000
        second = (now, second.number == now ? second.commands + 1 : 1)
        if second.commands == Self.mostInSecond + 1 {
            Service.log("too many commands; the remaining commands of this second are dropped")
        }
        return second.commands <= Self.mostInSecond
    }

    private func setScene(_ command: Command) {
        guard let scene = command.text("scene") else {
            return service.publish(
                command.failure("bad_request", "expected the name of a scene, or {\"scene\":\"name\"}"))
        }
        var keys: [(String, GestureClient.JSON)] = [("scene", .text(scene))]
        if let time = command.json?["for_ms"] {
            // The daemon refuses a number that is out of range.
            guard let milliseconds = time.integer.flatMap({ Int(exactly: $0) }) else {
                return service.publish(command.failure("bad_request", "for_ms must be an integer of milliseconds"))
            }
            keys.append(("for_ms", .whole(milliseconds)))
        }
        service.request("set_scene", keys) { [weak self] reply in
            self?.answer(command, reply)
        }
    }

    private func setProfile(_ command: Command) {
        guard let profile = command.text("profile") else {
            return service.publish(
                command.failure("bad_request", "expected the name of a profile, or {\"profile\":\"name\"}"))
        }
        if let key = command.json?.keys.first(where: { !["profile", "id"].contains($0) }) {
            return service.publish(command.failure("bad_request", "unknown key \"\(SafeText.excerpt(key))\""))
        }
        service.request("set_profile", [("profile", .text(profile))]) { [weak self] in self?.answer(command, $0) }
    }

    private func switchRegions(_ command: Command, isOn: Bool) {
        guard let regions = command.texts("region") else {
            return service.publish(
                command.failure("bad_request", "expected a glob for regions, or {\"region\":[\"glob\"]}"))
        }
        service.request("set_region", [("region", regions), ("enabled", .flag(isOn))]) { [weak self] reply in
            self?.answer(command, reply) { $0.member("enabled", $1.flag("enabled")) }
        }
    }

    private func reload(_ command: Command) {
        service.request("reload") { [weak self] reply in
            self?.answer(command, reply) { $0.member("generation", $1.whole("config_generation")) }
        }
    }

    private func record(_ command: Command) {
        guard recorder == nil else { return service.publish(command.failure("busy", "a recording is in progress")) }
        guard !service.mayHavePrivateRegions else {
            return service.publish(command.failure("permission_denied", Recorder.refusal))
        }
        do throws(SystemError) {
            recorder = try Recorder(command, service) { [weak self] in self?.recorder = nil }
        } catch {
            service.publish(command.failure("internal", error.description))
        }
    }

    private func answer(
        _ command: Command, _ reply: DaemonLink.Answer, _ write: (inout JSONWriter, JSONValue) -> Void = { _, _ in }
    ) {
        switch reply {
        case .success(let value): service.publish(command.success { write(&$0, value) })
        case .failure(let error): service.publish(command.failure(error))
        }
    }
}

extension Service {
    func request(
        _ command: String, _ keys: [(String, GestureClient.JSON)] = [], _ answer: @escaping (DaemonLink.Answer) -> Void
    ) {
        daemon?.request(command, keys, answer)
    }
}
#endif
