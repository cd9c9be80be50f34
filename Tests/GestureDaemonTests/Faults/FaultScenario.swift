// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc

/// What happens in every run: a panel is plugged in, touched and taken away, the configuration read anew,
/// clients come; then the end. With one system call that fails on the way.
struct FaultScenario {
    static let configuration = TestConfiguration.panel + "[filter]\nstorm = \"off\"\n"

    static let smaller = """
        [[region]]
        id = "ok"
        shape = { rect = ["0%", "0%", "50%", "75%"] }
        gestures = ["press", { type = "tap", min_gap = "1ms" }, "drag"]
        [[region]]
        id = "hold"
        shape = { rect = ["0%", "75%", "50%", "25%"] }
        gestures = [{ type = "long_press", delay = "30ms" }]

        """

    static let larger =
        smaller + """
            [[region]]
            id = "no"
            shape = { rect = ["50%", "0%", "50%", "100%"] }
            gestures = ["press"]

            """

    /// How a run ended, and what was wrong with it.
    struct Outcome {
        /// Whether the call was reached that was to fail.
        var hasFailed = false
        /// The exit status of a daemon that did not start, and what it said.
        var refusal: (status: Int32, words: String)?
        /// Open descriptors with one panel and one client.
        var descriptors = 0
        var findings: [String] = []
        var log = ""
    }

    private let bed: FaultBed
    private var outcome = Outcome()

    /// - Parameter descriptors: as many as a run without a fault has open at its end.
    static func play(
        _ fault: SystemFault?, panel: FakePanel, descriptors: Int?, trace: Bool = false
    ) throws -> Outcome {
        var scenario = FaultScenario(bed: try FaultBed(fault, panel: panel, trace: trace))
        try scenario.run(descriptors)
        return scenario.outcome
    }

    private init(bed: FaultBed) {
        self.bed = bed
    }

    private mutating func run(_ descriptors: Int?) throws {
        if try !isStarted() {
            try end()
            return
        }
        var isWhole = false
        if let client = bed.connect() {
            isWhole = try act(client, isHealthy: false)
            for violation in client.violations() { bed.find(violation) }
        } else {
            bed.find("no client can connect")
        }
        if bed.report.failures > 0 || !isWhole { try heal() }
        try stop(descriptors)
        try end()
    }

    private mutating func end() throws {
        if bed.isPlugged { try bed.panel.remove() }
        outcome.hasFailed = bed.report.failures > 0
        outcome.log = bed.log
        for line in outcome.log.split(separator: "\n") where line.contains("stream: line ") || line.contains("Fatal") {
            bed.find(String(line))
        }
        outcome.findings = bed.findings
    }

    // MARK: The start

    /// Waits for READY=1, or for an exit that is right: with one word on why, before anybody relied on it.
    private mutating func isStarted() throws -> Bool {
        let seconds = bed.report.failures > 0 ? FaultBed.patienceForHealing : LineReader.patience
        if (try? bed.manager.wait(for: "READY=1", from: bed.program, within: seconds)) != nil { return true }
        guard !bed.program.isRunning else {
            bed.find("never ready")
            try kill()
            return false
        }
        let ending = try bed.program.waitForExit()
        switch ending {
        case .exited(let status) where [69, 71, 78].contains(status):
            outcome.refusal = (status, bed.log)
            if !bed.log.contains("error: ") { bed.find("exit \(status) without a word") }
        default: bed.find("ended at its start: \(ending)")
        }
        return false
    }

    private func kill() throws {
        bed.program.signal(9)
        _ = try bed.program.waitForExit()
    }

    // MARK: What happens

    /// - Parameter isHealthy: nothing fails any more: everything must come.
    /// - Returns: whether everything came.
    private func act(_ client: FaultClient, isHealthy: Bool) throws -> Bool {
        let came = { (summary: String) in self.came(summary, to: client, isHealthy: isHealthy) }
        if !bed.isPlugged {
            try plug()
            guard came("device added") else { return false }
        }
        guard try touch(came), try reload(client, isHealthy: isHealthy) else { return false }
        let other = FaultClient(path: bed.folder("socket"))
        _ = other?.send(#"{"cmd":"subscribe","id":1,"events":["gesture","touches"],"regions":["ok"]}"#)
        return try replug(came)
    }

    private func came(_ summary: String, to client: FaultClient, isHealthy: Bool) -> Bool {
        let start = MonotonicSeconds.now
        let line = client.wait(
            while: {
                isHealthy ? MonotonicSeconds.now - start < FaultBed.patienceForHealing : bed.patience(since: start)
            }, where: { $0.summary == summary })
        if line == nil, isHealthy || bed.mustSeeNothing {
            bed.find("no \"\(summary)\"; came: \(client.transcript.suffix(2))")
        }
        return line != nil
    }

    private func plug() throws {
        try bed.panel.add()
        bed.isPlugged = true
    }

    /// A tap and a drag, with times of their own so that a busy machine makes nothing else of them; a hold.
    private func touch(_ came: (String) -> Bool) throws -> Bool {
        let panel = bed.panel
        let now = max(try panel.now(), bed.lastTime + 20_000)
        bed.lastTime = now + 10_000
        try panel.at(now)
        try panel.land(id: 1, x: 100, y: 1000)
        try panel.at(now + 10_000)
        try panel.lift()
        try panel.at(nil)
        guard came("gesture tap ok"), came("gesture press end ok") else { return false }
        bed.lastTime = max(try panel.now(), bed.lastTime + 20_000)
        try panel.at(bed.lastTime)
        try panel.land(id: 2, x: 100, y: 100)
        for x in 1...5 { try panel.move(x: 100 + 200 * x, y: 100) }
        try panel.at(nil)
        guard came("gesture drag begin ok") else { return false }
        try panel.lift()
        guard came("gesture press end ok") else { return false }
        try panel.land(id: 3, x: 100, y: 3500)
        guard came("gesture long_press begin hold") else { return false }
        try panel.lift()
        return came("gesture long_press end hold")
    }

    /// Unplugged under a finger, and plugged in again.
    private func replug(_ came: (String) -> Bool) throws -> Bool {
        try bed.panel.land(id: 4, x: 100, y: 100)
        guard came("gesture press begin ok") else { return false }
        try bed.panel.remove()
        bed.isPlugged = false
        guard came("gesture press cancel device_removed ok"), came("device removed") else { return false }
        try plug()
        guard came("device added") else { return false }
        try bed.panel.land(id: 5, x: 100, y: 3000)
        try bed.panel.lift()
        return came("gesture press end ok")
    }

    /// Another configuration: it is taken as a whole or not at all.
    private func reload(_ client: FaultClient, isHealthy: Bool) throws -> Bool {
        let start = MonotonicSeconds.now
        try bed.folder.write(FaultScenario.larger, to: "conf.d/regions.toml")
        bed.program.signal(SIGHUP)
        let isPatient = {
            isHealthy ? MonotonicSeconds.now - start < FaultBed.patienceForHealing : bed.patience(since: start)
        }
        guard let line = client.wait(while: isPatient, where: { $0["event"] == "config" }) else {
            if isHealthy { bed.find("no answer to SIGHUP") }
            return false
        }
        if isHealthy, line["change"] == "rejected" { bed.find("rejected: \(line)") }
        guard client.send(#"{"cmd":"status","id":1}"#),
            let status = client.wait(while: isPatient, where: { $0["reply"] == "status" })
        else { return false }
        let expected = line["change"] == "rejected" ? 2.0 : 3.0
        if !isHealthy, status.number("regions") != expected {
            bed.find("reload: \(line["change"] ?? "?"), but \(status.number("regions") ?? -1) regions")
        }
        return true
    }

    /// After the fault: everything must work again, for a new client.
    private func heal() throws {
        guard let client = bed.connect() else {
            return bed.find(bed.program.isRunning ? "no client can connect after it" : "ended: \(try ending())")
        }
        defer { for violation in client.violations() { bed.find(violation) } }
        if bed.isPlugged {
            try bed.panel.lift()
            let start = MonotonicSeconds.now
            while !isReady(client) {
                guard MonotonicSeconds.now - start < FaultBed.patienceForHealing, bed.program.isRunning else {
                    bed.find("the panel is lost for good")
                    _ = bed.ask(client, #"{"cmd":"reload","id":7}"#)
                    if isReady(client) { bed.find("(a reload brought it back)") }
                    return
                }
                usleep(20_000)
            }
        }
        _ = try act(client, isHealthy: true)
    }

    private func isReady(_ client: FaultClient) -> Bool {
        bed.ask(client, #"{"cmd":"devices","id":1}"#)?.objects("devices").contains { $0["state"] == "ready" } == true
    }

    private func ending() throws -> ChildProcess.Ending { try bed.program.waitForExit() }

    // MARK: The end

    /// With one client: the others' ends may not have been noticed yet.
    private mutating func countDescriptors(_ expected: Int?) {
        guard var client = bed.connect() else { return bed.find("no client can connect at the end") }
        let start = MonotonicSeconds.now
        while bed.ask(client, #"{"cmd":"status","id":1}"#)?.number("clients") != 1 {
            guard MonotonicSeconds.now - start < FaultBed.patienceForHealing else {
                return bed.find("clients that are gone are counted")
            }
            // It may have been this one's turn.
            if client.isAtEnd, let other = bed.connect() { client = other }
        }
        outcome.descriptors = bed.descriptorCount
        if let expected, outcome.descriptors > expected {
            bed.find("\(outcome.descriptors) descriptors are open, not \(expected): \(bed.descriptorTargets.sorted())")
        }
    }

    private mutating func stop(_ descriptors: Int?) throws {
        guard bed.program.isRunning else {
            return bed.find("ended before its time: \(try ending())")
        }
        countDescriptors(descriptors)
        bed.program.signal(SIGTERM)
        do {
            let ending = try bed.program.waitForExit(within: FaultBed.patienceForHealing)
            if ending != .exited(0) { bed.find("its end: \(ending)") }
        } catch {
            bed.find("does not end: \(error)")
            try kill()
        }
    }
}
