// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc

/// The events of every run: a panel is plugged in, touched and unplugged, the configuration is reloaded, clients
/// connect, and the daemon stops. In each run, one system call fails.
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

    /// The result of a run, including the problems that were found.
    struct Outcome {
        /// Whether the selected call was made, so that the fault took effect.
        var hasFailed = false
        /// The exit status and the message of a daemon that did not start.
        var refusal: (status: Int32, words: String)?
        /// The number of open descriptors with one panel and one client.
        var descriptors = 0
        var findings: [String] = []
        var log = ""
    }

    private let harness: FaultHarness
    private var outcome = Outcome()

    /// - Parameter descriptors: the number of descriptors that are open at the end of a run without a fault.
    static func play(
        _ fault: SystemFault?, panel: FakePanel, descriptors: Int?, trace: Bool = false
    ) throws -> Outcome {
        var scenario = FaultScenario(harness: try FaultHarness(fault, panel: panel, trace: trace))
        try scenario.run(descriptors)
        return scenario.outcome
    }

    private init(harness: FaultHarness) {
        self.harness = harness
    }

    private mutating func run(_ descriptors: Int?) throws {
        if try !isStarted() {
            try end()
            return
        }
        var isWhole = false
        if let client = harness.connect() {
            isWhole = try act(client, isHealthy: false)
            for violation in client.violations() { harness.find(violation) }
        } else {
            harness.find("no client can connect")
        }
        if harness.report.failures > 0 || !isWhole { try heal() }
        try stop(descriptors)
        try end()
    }

    private mutating func end() throws {
        if harness.isPlugged { try harness.panel.remove() }
        outcome.hasFailed = harness.report.failures > 0
        outcome.log = harness.log
        for line in outcome.log.split(separator: "\n") where line.contains("stream: line ") || line.contains("Fatal") {
            harness.find(String(line))
        }
        outcome.findings = harness.findings
    }

    // MARK: Start

    /// Waits for `READY=1`. An exit is also accepted if the daemon printed one message and no client had connected
    /// yet.
    private mutating func isStarted() throws -> Bool {
        let seconds = harness.report.failures > 0 ? FaultHarness.patienceForHealing : LineReader.patience
        if (try? harness.manager.wait(for: "READY=1", from: harness.program, within: seconds)) != nil { return true }
        guard !harness.program.isRunning else {
            harness.find("never ready")
            try kill()
            return false
        }
        let ending = try harness.program.waitForExit()
        switch ending {
        case .exited(let status) where [69, 71, 78].contains(status):
            outcome.refusal = (status, harness.log)
            if !harness.log.contains("error: ") { harness.find("exit status \(status) without a message") }
        default: harness.find("ended during startup: \(ending)")
        }
        return false
    }

    private func kill() throws {
        harness.program.signal(9)
        _ = try harness.program.waitForExit()
    }

    // MARK: Events

    /// - Parameter isHealthy: whether the fault is over, so that no line may be missing.
    /// - Returns: whether every expected line arrived.
    private func act(_ client: FaultClient, isHealthy: Bool) throws -> Bool {
        let came = { (summary: String) in self.came(summary, to: client, isHealthy: isHealthy) }
        if !harness.isPlugged {
            try plug()
            guard came("device added") else { return false }
        }
        guard try touch(came), try reload(client, isHealthy: isHealthy) else { return false }
        let other = FaultClient(path: harness.folder("socket"))
        _ = other?.send(#"{"cmd":"subscribe","id":1,"events":["gesture","touches"],"regions":["ok"]}"#)
        return try replug(came)
    }

    private func came(_ summary: String, to client: FaultClient, isHealthy: Bool) -> Bool {
        let start = MonotonicSeconds.now
        let line = client.wait(
            while: {
                isHealthy
                    ? MonotonicSeconds.now - start < FaultHarness.patienceForHealing : harness.patience(since: start)
            }, where: { $0.summary == summary })
        if line == nil, isHealthy || harness.mustSeeNothing {
            harness.find("no \"\(summary)\"; came: \(client.transcript.suffix(2))")
        }
        return line != nil
    }

    private func plug() throws {
        try harness.panel.add()
        harness.isPlugged = true
    }

    /// A tap and a drag, then a hold. The first two have explicit times, so that delays on a busy machine do not
    /// change which gestures they are.
    private func touch(_ came: (String) -> Bool) throws -> Bool {
        let panel = harness.panel
        let now = max(try panel.now(), harness.lastTime + 20_000)
        harness.lastTime = now + 10_000
        try panel.at(now)
        try panel.land(id: 1, x: 100, y: 1000)
        try panel.at(now + 10_000)
        try panel.lift()
        try panel.at(nil)
        guard came("gesture tap ok"), came("gesture press end ok") else { return false }
        harness.lastTime = max(try panel.now(), harness.lastTime + 20_000)
        try panel.at(harness.lastTime)
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

    /// Unplugs the panel while a finger is on it, and plugs it in again.
    private func replug(_ came: (String) -> Bool) throws -> Bool {
        try harness.panel.land(id: 4, x: 100, y: 100)
        guard came("gesture press begin ok") else { return false }
        try harness.panel.remove()
        harness.isPlugged = false
        guard came("gesture press cancel device_removed ok"), came("device removed") else { return false }
        try plug()
        guard came("device added") else { return false }
        try harness.panel.land(id: 5, x: 100, y: 3000)
        try harness.panel.lift()
        return came("gesture press end ok")
    }

    /// Loads another configuration. The daemon must apply all of it or nothing.
    private func reload(_ client: FaultClient, isHealthy: Bool) throws -> Bool {
        let start = MonotonicSeconds.now
        try harness.folder.write(FaultScenario.larger, to: "conf.d/regions.toml")
        harness.program.signal(SIGHUP)
        let isPatient = {
            isHealthy ? MonotonicSeconds.now - start < FaultHarness.patienceForHealing : harness.patience(since: start)
        }
        guard let line = client.wait(while: isPatient, where: { $0["event"] == "config" }) else {
            if isHealthy { harness.find("no answer to SIGHUP") }
            return false
        }
        if isHealthy, line["change"] == "rejected" { harness.find("rejected: \(line)") }
        guard client.send(#"{"cmd":"status","id":1}"#),
            let status = client.wait(while: isPatient, where: { $0["reply"] == "status" })
        else { return false }
        let expected = line["change"] == "rejected" ? 2.0 : 3.0
        if !isHealthy, status.number("regions") != expected {
            harness.find("reload: \(line["change"] ?? "?"), but \(status.number("regions") ?? -1) regions")
        }
        return true
    }

    /// Checks with a new client that everything works again after the fault.
    private func heal() throws {
        guard let client = harness.connect() else {
            return harness.find(
                harness.program.isRunning ? "no client can connect after the fault" : "ended: \(try ending())")
        }
        defer { for violation in client.violations() { harness.find(violation) } }
        // If the files could not be read at the start, the log asks for a reload.
        if harness.log.contains("no region is active until they are corrected") {
            _ = harness.ask(client, #"{"cmd":"reload","id":7}"#)
        }
        if harness.isPlugged {
            try harness.panel.lift()
            var isBack = false
            waitUntil(within: FaultHarness.patienceForHealing) {
                isBack = isReady(client)
                return isBack || !harness.program.isRunning
            }
            guard isBack else {
                harness.find("the panel is lost for good")
                _ = harness.ask(client, #"{"cmd":"reload","id":7}"#)
                if isReady(client) { harness.find("(a reload brought it back)") }
                return
            }
        }
        _ = try act(client, isHealthy: true)
    }

    private func isReady(_ client: FaultClient) -> Bool {
        harness.ask(client, #"{"cmd":"devices","id":1}"#)?.objects("devices").contains { $0["state"] == "ready" }
            == true
    }

    private func ending() throws -> ChildProcess.Ending { try harness.program.waitForExit() }

    // MARK: End

    /// Counts the daemon's descriptors with one client connected. Waits, because the daemon may not yet have
    /// closed the connections of the others.
    private mutating func countDescriptors(_ expected: Int?) {
        guard var client = harness.connect() else { return harness.find("no client can connect at the end") }
        let start = MonotonicSeconds.now
        while harness.ask(client, #"{"cmd":"status","id":1}"#)?.number("clients") != 1 {
            guard MonotonicSeconds.now - start < FaultHarness.patienceForHealing else {
                return harness.find("disconnected clients are still counted")
            }
            // The fault may have ended this client's connection.
            if client.isAtEnd, let other = harness.connect() { client = other }
        }
        // A thread that is about to end may still have a descriptor open for a moment.
        if let expected { waitUntil { harness.descriptorTargets.count <= expected } }
        let targets = harness.descriptorTargets
        outcome.descriptors = targets.count
        if let expected, targets.count > expected {
            harness.find("\(targets.count) descriptors are open, not \(expected): \(targets.sorted())")
        }
    }

    private mutating func stop(_ descriptors: Int?) throws {
        guard harness.program.isRunning else {
            return harness.find("ended too early: \(try ending())")
        }
        countDescriptors(descriptors)
        harness.program.signal(SIGTERM)
        do {
            let ending = try harness.program.waitForExit(within: FaultHarness.patienceForHealing)
            if ending != .exited(0) { harness.find("ended with \(ending)") }
        } catch {
            harness.find("does not end: \(error)")
            try kill()
        }
    }
}
