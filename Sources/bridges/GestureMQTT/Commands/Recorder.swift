// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import CLinux
import GestureClient
import GestureProtocol
import LinuxSystem
import Recordings

/// Records a panel for a few seconds on a separate connection, and sends the recording in pieces.
final class Recorder {
    /// The size of a piece in bytes. The last line of a piece may exceed it.
    private static let piece = 32_768
    /// The maximum total size of all frames in bytes. If it is exceeded, the recording ends. Frames take up to ten
    /// times as much memory.
    private static let most = 2 << 20
    private static let longest = 60
    /// The maximum time to wait until no contact is on the panel, in microseconds.
    private static let patience: Int64 = 10_000_000
    private static let pause: Int64 = 100_000
    /// The error message that is sent if this user would receive events of private regions.
    static let refusal = "there are private regions, and this user would see them"

    private let command: Command
    private unowned let service: Service
    private let ended: () -> Void
    private let seconds: Int
    private var link: DaemonLink?
    private var timer: DeadlineTimer?
    private var device: String?
    private var recording: Recording?
    private var bytes = 0
    private var end: Int64
    private var isDone = false

    /// - Parameter ended: called once, after this initializer has returned.
    init(_ command: Command, _ service: Service, ended: @escaping () -> Void) throws(SystemError) {
        (self.command, self.service, self.ended) = (command, service, ended)
        let wanted = command.json?.whole("seconds") ?? 10
        seconds = min(max(wanted, 1), Self.longest)
        device = command.json?["device"]?.string
        end = MonotonicClock.now() + Self.patience
        let this = Unmanaged.passUnretained(self)
        timer = try DeadlineTimer(loop: service.loop) { this.takeUnretainedValue().tick() }
        link = try DaemonLink(
            path: service.settings.socket, subscription: GestureClient.Subscription(events: [.frame]),
            loop: service.loop
        ) { this.takeUnretainedValue().take($0) }
        link?.connect()
        timer?.arm(at: end)
    }

    private func take(_ event: GestureClient.Event) {
        switch event {
        case .hello: choose()
        case .other("frame", let json): append(json)
        case .overflow: finish()
        case .disconnected(let cause):
            finish(link?.refusal.map { command.failure($0) } ?? command.failure("unavailable", cause))
        default: break
        }
    }

    private func choose() {
        link?.request("devices") { [weak self] reply in
            guard let self else { return }
            guard case .success(let value) = reply else { return fail("unavailable", "the daemon does not answer") }
            let ready = GestureClient.Device.all(in: value).filter { $0.state == "ready" }
            guard let panel = ready.first(where: { self.device == nil || $0.id == self.device }) else {
                return fail("not_found", "no such panel is ready")
            }
            device = panel.id
            describe()
        }
    }

    /// Starts recording as soon as no contact is on the panel, so that a replay starts in the same state.
    private func describe() {
        guard let device else { return }
        link?.request("describe", [("device", .text(device))]) { [weak self] reply in
            guard let self, recording == nil else { return }
            switch reply {
            case .failure(let error): finish(command.failure(error))
            case .success(let value):
                guard value.flag("idle") else { return timer?.arm(at: MonotonicClock.now() + Self.pause) ?? () }
                recording = Recording(describing: value, device: device)
                end = MonotonicClock.now() + Int64(seconds) * 1_000_000
                timer?.arm(at: end)
            }
        }
    }

    private func append(_ json: String) {
        guard let frame = JSONValue(parsing: Array(json.utf8)), frame["device"]?.string == device else { return }
        _ = recording?.append(frame: frame)
        bytes += json.utf8.count
        if bytes > Self.most || frame.flag("removed") { finish() }
    }

    private func tick() {
        if MonotonicClock.now() < end { return describe() }
        if recording == nil { return fail("busy", "not recorded: the panel was touched continuously") }
        finish()
    }

    private func finish() {
        guard let recording, let device else { return fail("unavailable", "lines of the recording were lost") }
        // The configuration may have changed in the meantime.
        guard !service.mayHavePrivateRegions else { return fail("permission_denied", Self.refusal) }
        let id = "\(MonotonicClock.wallTime() / 1000)"
        // The recording is written twice: once to count the pieces, because each piece contains their number, and once
        // to send them. This way, only one piece is in memory at a time.
        var (pieces, number) = (0, 0)
        EvemuWriter.write(recording, inPiecesOf: Self.piece) { _ in pieces += 1 }
        EvemuWriter.write(recording, inPiecesOf: Self.piece) { text in
            service.spool.add(topic: service.topics.recording(id)) { messageID in
                Reports.object { json in
                    json.member("id", messageID)
                    json.member("recording", id)
                    json.member("device", device)
                    json.member("format", "evemu")
                    json.member("piece", number)
                    json.member("pieces", pieces)
                    json.member("text", String(decoding: text, as: UTF8.self))
                }
            }
            number += 1
        }
        let topic = service.topics.recording(id)
        finish(
            command.success { json in
                json.member("recording", id)
                json.member("topic", topic)
                json.member("pieces", pieces)
            })
        service.send()
    }

    private func fail(_ code: String, _ text: String) { finish(command.failure(code, text)) }

    private func finish(_ answer: BrokerMessage) {
        guard !isDone else { return }
        isDone = true
        link?.close()
        timer?.cancel()
        service.publish(answer)
        // `ended` is called later, because it releases the link, and the link's functions are still on the stack.
        let ended = ended
        service.loop.schedule.tryAgain { ended() }
    }
}
#endif
