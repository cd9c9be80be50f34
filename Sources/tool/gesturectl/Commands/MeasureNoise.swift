// SPDX-License-Identifier: MIT
import ArgumentParser
import ContactTracking
import GestureClient
import GestureEngine
import GesturePipeline
import Glibc
import LinuxSystem
import Recordings

/// The subject of `gesturectl measure`.
enum MeasuredSubject: String, CaseIterable, ExpressibleByArgument {
    case tap, swipe, hold, noise

    /// `nil` for noise, which is what nobody does.
    var gesture: MeasuredGesture? { MeasuredGesture(rawValue: rawValue) }
}

/// `gesturectl measure noise`.
extension Measure {
    private static let standardDuration: Int64 = 30_000_000

    func measureNoise() throws {
        if let recording {
            let file = try LibinputDevice(reading: recording, device: choice.device)
            let setup = try setup(file.recording, source: recording)
            var map = NoiseMap(setup.size.bounds)
            var frames = Self.frames(file.recording, setup)
            for entry in file.recording.entries { for frame in frames.take(entry) { map.take(frame) } }
            let report = NoiseReport(setup, map)
            return show(report, report.finding?.table(device: setup.device, match: nil) ?? [])
        }
        let connection = try socket.connect()
        StandardOutput.endIfUnread()
        let signals = try SignalWait()
        let panel = try connection.panel(choice.device)
        let feed = try PanelFeed(connection, panel: panel, signals: signals.rawValue)
        // A panel with noise is never without contacts, so this does not wait for that.
        let (recording, _) = try connection.describe(feed.device)
        let description = recording.description
        let id = panel.calibrationID(description)
        // A panel that shares its [[device]] needs one of its own, which only the user can put before that one.
        let isShared = panel.id.contains("@") && write == nil
        let configured = try isShared ? nil : CalibrationConfiguration(configuration.files, panel, id: id)
        let file = write.map {
            CalibrationFile(
                .configuration, .mask, $0, device: id,
                folder: configuration.confDir ?? ConfigurationFiles.standardDirectory)
        }
        try file?.check()
        if file != nil { try panel.checkDistinct(description, on: connection) }
        let report = try listen(feed, recording)
        let match = configured == nil ? CalibrationConfiguration.match(description) : configured?.match(description)
        show(report, report.finding?.table(device: configured?.id ?? id, match: match) ?? [])
        guard let finding = report.finding else { return }
        guard let file else { return StandardError.tell("nothing was written; to keep it, pass --write") }
        let text = file.text(finding, device: configured?.id ?? id, description, match: match)
        try configured?.check(with: text, at: file.path)
        try file.write(text)
    }

    private func listen(_ feed: PanelFeed, _ recording: Recording) throws -> NoiseReport {
        var setup = try MeasureSetup(recording, config: configuration.files, profile: profile, source: feed.device)
        _ = setup.follow(feed.output)
        let time = duration?.microseconds ?? Self.standardDuration
        StandardError.tell(
            "on \"\(feed.device.safe)\": do not touch the panel for \(shortest(Double(time) / 1e6)) s; to end earlier, "
                + "press Ctrl-C")
        var map = NoiseMap(setup.panel.size.bounds)
        var frames = Self.frames(recording, setup.panel)
        var buffer = recording
        let end = try feed.forEachFrame(within: time) { frame in
            buffer.entries.removeAll(keepingCapacity: true)
            guard buffer.append(frame: frame) else { return true }
            for entry in buffer.entries { for frame in frames.take(entry) { map.take(frame) } }
            return true
        }
        switch end {
        case .daemonGone: throw feed.connection.lost()
        case .removed: throw ToolError(.notFound, "the panel has gone; plug it in and measure it again")
        case .framesLost: throw ToolError(.busy, "frames were lost; measure the panel again")
        case nil: return NoiseReport(setup.panel, map)
        }
    }

    private func setup(_ recording: Recording, source: String) throws -> PanelSetup {
        try MeasureSetup(recording, config: configuration.files, profile: profile, source: source).panel
    }

    /// The frames of a panel of which only the masks in force hide contacts.
    private static func frames(_ recording: Recording, _ panel: PanelSetup) -> RecordingFrames {
        RecordingFrames(
            of: recording, protocol: panel.touchProtocol, mapping: panel.mapping,
            filter: FilterSettings(
                palmCancels: false, maxTouch: nil, masks: panel.filter.masks, maxContactAge: nil, storm: nil))
    }

    private func show(_ report: NoiseReport, _ table: [String]) {
        StandardOutput.write(json ? report.line(table) : Array(report.text(table).utf8))
    }
}
