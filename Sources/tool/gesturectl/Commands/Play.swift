// SPDX-License-Identifier: MIT
import ArgumentParser
import ContactTracking
import GestureProtocol
import Glibc
import LinuxSystem
import Recordings
import TouchInput
import TouchScripts

struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play touches on a virtual panel, for all programs of this machine.",
        discussion: """
            Plays a recording, or touches as for gesturectl try, such as "tap ok". Makes a panel like that of the \
            recording, or of the configuration, waits until the daemon and other programs have opened it, plays the \
            touches in their time, and removes the panel, also if it is interrupted or killed. Needs the right to \
            write to /dev/uinput, as root has it, but no daemon. Prints the panel's node, and which programs read it.

            Only touches are played, no other keys. The panel has no udev properties of its own, and no fuzz, \
            because the recorded kernel has applied it. Where the recording was suspended, all touches lift; where its \
            panel was unplugged, this one is removed at once.
            """)

    @Argument(
        help: ArgumentHelp(
            "Touches, a file with touches, whose name ends in \(TouchArguments.ending), or a recording; - for a "
                + "recording on standard input.", valueName: "touches"), completion: .file())
    var touches: String

    @OptionGroup var socket: SocketOptions

    @Option(
        help: ArgumentHelp(
            "The recording's device, by its node, name or id, or the panel's id in the configuration. (default: the "
                + "first panel)", valueName: "device"))
    var device: String?

    @OptionGroup var made: TouchOptions

    @OptionGroup var configuration: ConfigurationOptions

    @Option(
        help: ArgumentHelp("The scene whose regions touches name. (default: the initial scene)", valueName: "id"),
        completion: DaemonNames.scenes)
    var scene: String?

    @Option(
        help: ArgumentHelp("The longest wait for programs that open the panel. (default: 30s)", valueName: "time"))
    var wait: Seconds?

    @Option(help: ArgumentHelp("Shorten pauses without a touch to this time.", valueName: "time"))
    var maxGap: Seconds?

    @Option(
        help: ArgumentHelp(
            "How long the panel stays after the last touch, so that gestures end. (default: 1s)", valueName: "time"))
    var stay: Seconds?

    /// The default of `--wait`, in microseconds.
    static let wait: Int64 = 30_000_000
    /// The default of `--stay`, in microseconds.
    static let stay: Int64 = 1_000_000

    func validate() throws {
        guard isRecording else { return }
        let given = [
            ("--config", configuration.isGiven), ("--scene", scene != nil), ("--size", made.size != nil),
            ("--hand", made.hand != .steady), ("--seed", made.seed != 1),
        ]
        if let option = given.first(where: { $0.1 })?.0 {
            throw ValidationError("\(option) is for touches; a recording has its own panel, so leave \(option) out")
        }
    }

    func run() throws {
        let place = isRecording ? touches.safe : "touches"
        let recording = try PlayedRecording(
            isRecording ? LibinputDevice(reading: touches, device: device).recording : written(), named: place)
        if recording.losses > 0 {
            let times = counted(recording.losses, "time")
            StandardError.tell("\(place): the recorder lost events \(times), so touches may be missing")
        }
        let daemon = try connect()
        let signals = try SignalWait()
        var player = try recording.plug(signals: signals.rawValue)
        StandardOutput.write("\(player.node): \"\(recording.description.name.safe)\"\n")
        var readers = PanelReaders(of: player.node, daemon: daemon, signals: signals.rawValue)
        guard try readers.wait(atMost: wait?.microseconds ?? Self.wait) else { return signals.end() }
        StandardOutput.write(readers.text)
        let end = try recording.play(
            on: &player, longestPause: maxGap?.microseconds, stay: stay?.microseconds ?? Self.stay)
        if end == .interrupted { return signals.end() }
        let touches = counted(player.held.landings, "touch", plural: "touches")
        let what = end == .unplugged ? "unplugged as recorded, after" : "played"
        StandardOutput.write("\(what) \(touches) in \(fixed(Double(player.duration) / 1_000_000, 1)) s\n")
    }

    /// Whether the argument names a recording. Each statement of touches has a space.
    private var isRecording: Bool {
        guard !touches.hasSuffix(TouchArguments.ending) else { return false }
        return !touches.contains { $0 == " " || $0 == "\n" } || access(touches, F_OK) == 0
    }

    /// Returns the touches that the argument describes.
    private func written() throws(ToolError) -> Recording {
        // With a size, no configuration is needed to name positions.
        let nothing: (path: String, text: [UInt8])? = made.size == nil ? nil : ("--size", [])
        let configuration = try ConfigurationLoading.load(configuration.files, adding: nothing)
            .switched(toScene: scene, profile: nil)
        let setup = try TouchArguments.setup(
            of: configuration, device: device, size: made.size?.size, isPlugged: true)
        return try TouchArguments.recording(of: [touches], on: setup, by: made.hand, seed: made.seed)
    }

    /// Connects to the daemon that shall use the panel.
    /// - Returns: `nil` if there is none. A daemon that was named with `--socket` must be there.
    private func connect() throws(ToolError) -> DaemonConnection? {
        do throws(ToolError) {
            return try DaemonConnection(path: socket.path)
        } catch {
            if socket.given != nil { throw error }
            return nil
        }
    }
}
