// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Glibc
import LinuxSystem
import Recordings
import TouchInput

/// A recording, and the virtual panel that it needs.
struct PlayedRecording {
    /// The name of a panel whose recording has none. The kernel requires one.
    private static let name = "gesturectl play"
    /// It does not begin with the prefix by which daemons know their own devices.
    private static let phys = "gesturectl/play"

    /// The description of the virtual panel.
    let description: DeviceDescription
    /// The steps to play. There is at least one.
    let steps: [PlayedStep]
    /// The number of times at which the recorder itself lost events.
    let losses: Int

    private let touchProtocol: TouchProtocol
    /// The initial positions of the slots.
    private let startFrame: [KernelEvent]
    /// The name of the recording in messages.
    private let place: String

    /// - Throws: `ToolError` 65 if the device is no panel, such as a keyboard, or if there is nothing to play.
    init(_ recording: Recording, named place: String) throws(ToolError) {
        switch Admission.decide(recording.description, matchedByConfiguration: true) {
        case .accepted(let touchProtocol, _): self.touchProtocol = touchProtocol
        case .refused(let reason):
            let name = recording.description.name.safe
            throw ToolError(.data, "\(place): \"\(name)\" is no panel that can be played: \(reason)")
        }
        let played = PlayedSteps(of: recording, touchProtocol)
        guard !played.steps.isEmpty else { throw ToolError(.data, "\(place): there is nothing to play") }
        (steps, losses) = (played.steps, played.losses)
        description = Self.playable(recording.description)
        startFrame = touchProtocol == .unslotted ? [] : recording.startFrame
        self.place = place
    }

    /// Makes the panel. It is removed when the player is freed.
    /// - Parameter signals: a descriptor that is readable when the tool should end.
    func plug(signals: CInt) throws(ToolError) -> Player {
        try making { () throws(SystemError) in
            var player = Player(on: try VirtualPanel(description), touchProtocol, signals: signals)
            try player.start(startFrame)
            return player
        }
    }

    /// Brings the slots into the state in which a panel begins, after an earlier recording.
    func reset(_ player: inout Player) throws(ToolError) {
        guard case .slots(let count) = touchProtocol else { return }
        let time = Timestamp(microseconds: 0)
        var frame: [KernelEvent] = []
        for slot in 0..<Int32(clamping: count) {
            frame.append(.axis(EventCode.absMTSlot, slot, at: time))
            frame.append(.axis(EventCode.absMTToolType, 0, at: time))
        }
        frame.append(.axis(EventCode.absMTSlot, 0, at: time))
        frame.append(.report(at: time))
        try making { () throws(SystemError) in try player.start(frame) }
    }

    /// Plays the steps on a panel of this description; see `Player`.
    func play(on player: inout Player, longestPause: Int64?, stay: Int64) throws(ToolError) -> Player.End {
        try making { () throws(SystemError) in try player.play(steps, longestPause: longestPause, stay: stay) }
    }

    /// Returns the description of the virtual panel. The kernel must not apply the fuzz to values to which another kernel
    /// has applied it.
    private static func playable(_ recorded: DeviceDescription) -> DeviceDescription {
        var description = recorded
        if description.name.isEmpty { description.name = name }
        description.phys = phys
        for code in description.axes.keys { description.axes[code]?.fuzz = 0 }
        return description
    }

    private func making<T>(_ body: () throws(SystemError) -> T) throws(ToolError) -> T {
        do throws(SystemError) {
            return try body()
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: SystemError) -> ToolError {
        let text = "\(error.path ?? error.call): \(error.reason)"
        switch error.code {
        case EACCES, EPERM:
            return ToolError(
                .noPermission,
                Environment.isContainer
                    ? text + "; start the container with --device /dev/uinput, as a user who may write to it"
                    : text + "; only root makes panels: run it with sudo, or let a udev rule give you /dev/uinput")
        case ENOENT, ENODEV, ENXIO:
            return ToolError(
                .cannotCreate,
                Environment.isContainer
                    ? text + "; start the container with --device /dev/uinput"
                    : text + "; load the kernel module: modprobe uinput")
        case EINVAL:
            return ToolError(
                .data, "\(place): the kernel refuses this panel (\(text)); correct the ranges of its axes")
        default: return ToolError(.cannotCreate, text)
        }
    }
}
