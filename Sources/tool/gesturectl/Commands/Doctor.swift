// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureProtocol
import LinuxSystem
import Recordings

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check service, configuration, panels and rights for problems.",
        discussion: """
            Prints what works, and a remedy for each problem; the exit status is 1 if there is a problem. Touch the \
            panels while they are measured: doctor reports how often a panel sends positions, and how much they \
            jitter. Run it as root for complete results. A \
            bundle is one JSON file for a bug report: all results, the daemon's replies, the log, the configuration \
            files as they are (including secret patterns: read it before you send it), and, if no region is private, \
            the panels' recorded events.
            """)

    @OptionGroup var socket: SocketOptions
    @OptionGroup var table: TableOptions

    @Option(help: ArgumentHelp("The time for which each panel is measured. (default: 10s)", valueName: "time"))
    var duration: Seconds?

    @Flag(help: "Do not measure the panels.")
    var quick = false

    @Flag(help: "Print one line of JSON.")
    var json = false

    @Option(help: ArgumentHelp("Also write a file for a bug report.", valueName: "file"), completion: .file())
    var bundle: String?

    /// The default time for each panel, in microseconds.
    private static let measuring: Int64 = 10_000_000

    func run() throws {
        if let bundle { try FileBytes.checkWritable(bundle) }
        var checkup = Checkup()
        checkup.examineSystem()
        checkup.examineConfiguration()
        checkup.examineGlass()
        var recordings: [(device: String, recording: Recording)] = []
        do {
            checkup.examine(try socket.connect())
            for device in checkup.devices where device.state == "ready" && !quick {
                if let recording = measure(device, &checkup) { recordings.append((device.id, recording)) }
            }
        } catch let error as ToolError {
            checkup.add("daemon", .problem, error.message)
        }
        let log = ProgramOutput.lines("journalctl -q --no-pager -o short-iso -u gestured -p warning -n 50")
        if Environment.isContainer {
            checkup.add("log", .unknown, "see the log of the container on the host, such as with podman logs")
        } else {
            checkup.add(
                "log", log.isEmpty ? .ok : .note,
                log.last.map { "\(log.count) warnings or errors; the last: \($0)" }
                    ?? "no warnings that are visible to this user")
        }
        if let bundle {
            if checkup.hasPrivateRegion { recordings = [] }
            // The bundle contains configuration files that not every user may read.
            try FileBytes.write(DoctorReport.bundle(checkup, log: log, recordings), to: bundle, isPrivate: true)
        }
        if json { StandardOutput.write(DoctorReport.line(checkup)) } else { table.write(DoctorReport.table(checkup)) }
        if checkup.hasProblem { throw ToolError(.notFound, "") }
    }

    /// Records a panel for a while, on its own connection.
    /// - Returns: `nil` if this user may not record it.
    private func measure(_ device: GestureClient.Device, _ checkup: inout Checkup) -> Recording? {
        let subject = Checkup.subject(of: device) + ": reports"
        do {
            StandardError.tell("measuring \"\(device.id.safe)\": touch it")
            let feed = try PanelFeed(try socket.connect(), device: device.id, signals: -1)
            guard var recording = try feed.begin() else { return nil }
            _ = try feed.forEachFrame(within: duration?.microseconds ?? Self.measuring) { frame in
                _ = recording.append(frame: frame)
                return true
            }
            checkup.add(subject, .ok, PanelRates(recording).text ?? "none: the panel was not touched")
            return recording
        } catch {
            checkup.add(subject, .unknown, (error as? ToolError)?.message ?? "\(error)")
            return nil
        }
    }
}

/// The output of `doctor`.
enum DoctorReport {
    static func table(_ checkup: Checkup) -> Table {
        var table = Table("VERDICT", "WHAT", "")
        table.colors = [0: { $0 == "problem" ? .red : $0 == "ok" ? .green : .dim }]
        table.rows = checkup.items.map { [$0.verdict.rawValue, $0.subject, $0.text] }
        return table
    }

    /// Returns `{"ok":true,"items":[{"what":"kernel","verdict":"ok","text":"6.1.0"}]}`.
    static func line(_ checkup: Checkup) -> [UInt8] {
        JSONWriter.line { write(checkup, into: &$0) }
    }

    /// Returns a line of JSON with everything that a bug report needs.
    static func bundle(
        _ checkup: Checkup, log: [String], _ recordings: [(device: String, recording: Recording)]
    ) -> [UInt8] {
        let files = (try? ConfigurationFiles().read()) ?? []
        return JSONWriter.line { json in
            write(checkup, into: &json)
            json.object("replies") { json in
                for (request, reply) in checkup.replies {
                    json.key(named: request)
                    json.append(json: reply.json)
                }
            }
            json.objects("files", files) { file, json in
                json.member("path", file.path)
                json.member("text", String(decoding: file.text, as: UTF8.self))
            }
            json.member("log", log)
            json.objects("recordings", recordings) { entry, json in
                let text = RecordingFormat.evemu.write(entry.recording, node: "")
                json.member("device", entry.device)
                json.member("text", String(decoding: text, as: UTF8.self))
            }
        }
    }

    private static func write(_ checkup: Checkup, into json: inout JSONWriter) {
        json.member("ok", !checkup.hasProblem)
        json.objects("items", checkup.items) { item, json in
            json.member("what", item.subject)
            json.member("verdict", item.verdict.rawValue)
            json.member("text", item.text)
        }
    }
}
