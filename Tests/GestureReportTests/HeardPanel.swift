// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Recordings
import Testing
import TouchScripts

@testable import GestureReport

/// A virtual panel in fake time, and the report of a listener who hears its lines. The lines come from the real pipeline.
final class HeardPanel {
    /// 2026-11-02, a Monday, in days since 1970.
    static let firstDay: Int64 = 20_759

    /// The folder is removed together with this object.
    private let folder: ScratchFolder
    private let setup: PanelSetup
    private var pipeline: PanelPipeline
    private(set) var hearing: TouchHearing
    private let store: ReportStore
    let path: String
    /// The time in microseconds since the beginning of the first day.
    private(set) var now: Int64 = 0
    private var quarter: LocalQuarter
    private var landed: Int64 = 0
    private var counted: Int64 = 0
    /// Whether a contact that lands at a place in millimetres reaches the panel.
    var isAlive: (Point) -> Bool = { _ in true }
    /// Whether the panel loses every second report of a movement.
    var isSlow = false

    init(_ configuration: String, in folder: ScratchFolder, idle: Int64 = 60, background: [String] = []) throws {
        let (read, diagnostics) = ConfigurationReader.read([("gestured.toml", Array(configuration.utf8))])
        let rules = try #require(read, "\(diagnostics)")
        setup = PanelSetup(virtual: rules, rule: rules.devices.first)
        pipeline = PanelPipeline(setup)
        pipeline.interest = LineInterest(updates: true, failures: true)
        quarter = LocalQuarter(number: Self.firstDay * 96)
        hearing = TouchHearing(
            idle: idle * 1_000_000, background: background, leased: false, quarter: quarter)
        self.folder = folder
        path = folder("report.sqlite")
        store = ReportStore(path: path) { Issue.record("\($0)") }
        hear("{\"devices\":[{\"device\":\"\(setup.device)\",\"state\":\"ready\",\"output\":{\(output)}}]}") {
            $0.take(devices: $1)
        }
        let regions = JSONWriter.bytes { json in
            json.object { RegionsReply.write([setup], matching: { _ in true }, seesPrivate: false, into: &$0) }
        }
        hear(String(decoding: regions, as: UTF8.self)) { $0.take(regions: $1) }
    }

    private var output: String {
        let text = JSONWriter.bytes { json in json.object { OutputReply.write(setup, into: &$0) } }
        return String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
    }

    private func hear(_ reply: String, _ take: (inout TouchHearing, JSONValue) -> Void) {
        guard let value = JSONValue(parsing: Array(reply.utf8)) else { return }
        take(&hearing, value)
    }

    // MARK: time

    /// Lets time pass.
    func wait(until time: Int64) {
        while now < time {
            let end = (now / 900_000_000 + 1) * 900_000_000
            now = min(time, end)
            advance()
            hearing.advance(to: now)
            let next = LocalQuarter(number: Self.firstDay * 96 + now / 900_000_000)
            if next != quarter { begin(next) }
        }
    }

    private func advance() {
        pipeline.advance(to: Timestamp(microseconds: now)) { line in hear(line) }
    }

    private func begin(_ next: LocalQuarter) {
        landed = pipeline.contactCounts.open.landed
        hearing.add(.init(contacts: Int(landed - counted)), on: setup.device)
        counted = landed
        hearing.noteListened(seconds: 900)
        let tally = hearing.begin(next)
        store.add(tally, boxes: hearing.boxes)
        quarter = next
    }

    /// Ends the report: what is open is stored.
    func end() {
        advance()
        hearing.end()
        begin(LocalQuarter(number: quarter.number + 1))
        store.close()
    }

    // MARK: touches

    /// Plays what a hand does, from now on.
    func play(_ script: String, by hand: Hand = .steady, seed: UInt64 = 1) throws {
        let recording = try ScriptPlayer.recording(of: TouchScript([script]), on: setup, by: hand, seed: seed)
        let start = now
        var frames: [[KernelEvent]] = [[]]
        for case .event(var event) in recording.entries {
            event.time = Timestamp(microseconds: start + event.time.microseconds)
            frames[frames.count - 1].append(event)
            if event.endsFrame { frames.append([]) }
        }
        var isDead = false
        for (number, frame) in frames.enumerated() where !frame.isEmpty {
            if isSlow, number % 2 == 0, !frame.contains(where: { $0.code == EventCode.absMTTrackingID }) { continue }
            if frame.contains(where: { $0.code == EventCode.absMTTrackingID && $0.value >= 0 }) {
                isDead = !isAlive(place(frame))
            }
            guard !isDead, let time = frame.last?.time.microseconds else { continue }
            wait(until: time)
            for event in frame { pipeline.feed(event) { line in hear(line) } }
        }
        wait(until: now + 200_000)
    }

    /// The place of a frame's first contact in millimetres.
    private func place(_ frame: [KernelEvent]) -> Point {
        func value(_ code: UInt16) -> Int32 { frame.first { $0.code == code }?.value ?? 0 }
        return setup.mapping.point(x: value(EventCode.absMTPositionX), y: value(EventCode.absMTPositionY))
    }

    private func hear(_ line: borrowing EventLine) {
        guard line.audience.has(seesPrivate: false) else { return }
        var json = JSONWriter()
        line.write(number: 0, into: &json)
        let bytes = json.withBytes { Array($0.dropLast()) }
        guard let value = JSONValue(parsing: bytes) else {
            Issue.record("no JSON: \(json.text)")
            return
        }
        hearing.take(GestureClient.Event(value), now: now)
    }

    /// Switches to a scene.
    func show(scene: String) {
        take(line: "{\"event\":\"config\",\"seq\":0,\"change\":\"scene\",\"generation\":1,\"scene\":\"\(scene)\"}")
    }

    /// Hears a line that does not come from the pipeline.
    func take(line: String) {
        guard let value = JSONValue(parsing: Array(line.utf8)) else {
            Issue.record("no JSON: \(line)")
            return
        }
        hearing.take(GestureClient.Event(value), now: now)
    }

    /// Starts the daemon again.
    func restart() {
        hearing.take(.disconnected(cause: "the daemon has stopped"), now: now)
        pipeline = PanelPipeline(setup)
        pipeline.interest = LineInterest(updates: true, failures: true)
        (landed, counted) = (0, 0)
    }

    /// Leaves contacts at places that are named as noise out of sessions, as the service does.
    func take(_ health: GlassHealth) { hearing.ghosts = health.ghosts }

    // MARK: the report

    func data(days: Int64 = 30) throws -> ReportData {
        let first = LocalDay(number: Self.firstDay)
        return try ReportReader(path: path).read(from: first, through: LocalDay(number: first.number + days - 1))
    }
}
