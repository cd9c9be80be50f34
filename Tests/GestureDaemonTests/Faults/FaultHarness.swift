// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc

/// A daemon in which one system call fails, and a fake panel. Many runs share the panel.
final class FaultHarness {
    /// The maximum time to wait for the daemon to recover, in seconds. It only matters if an expected event never
    /// arrives.
    static let patienceForHealing = 60.0

    let panel: FakePanel
    let folder: ScratchFolder
    let report: FaultReport
    let program: ChildProcess
    let manager: ServiceManager
    var isPlugged = false
    /// The timestamp of the last frame that had an explicit one. Later frames must have later timestamps.
    var lastTime: Int64 = 0
    private(set) var findings: [String] = []
    private let isHarmless: Bool
    private var firstSeen: Double?

    /// Starts the daemon.
    init(_ fault: SystemFault?, panel: FakePanel, trace: Bool = false) throws {
        self.panel = panel
        isHarmless = fault?.isHarmless != false
        folder = try ScratchFolder()
        report = try FaultReport(path: folder("faults"))
        manager = try ServiceManager(path: folder("notify"))
        var variables = ChildProcess.inherited.merging(panel.environment) { $1 }
        variables["LD_PRELOAD"] = try BuildProducts.faults() + ":" + (variables["LD_PRELOAD"] ?? "")
        // The preloaded library has no effect without these settings.
        if let fault {
            let settings = ["fault=\(fault)", "report=\(folder("faults"))"] + (trace ? ["trace=1"] : [])
            variables["GESTURED_MACHINE"] = settings.joined(separator: ",")
        }
        variables["NOTIFY_SOCKET"] = manager.path
        try FileManager.default.createDirectory(atPath: folder("conf.d"), withIntermediateDirectories: false)
        let file = try folder.write(FaultScenario.configuration, to: "gestured.toml")
        try folder.write(FaultScenario.smaller, to: "conf.d/regions.toml")
        program = try ChildProcess(
            [
                BuildProducts.program("gestured"), "-c", file, "--conf-dir", folder("conf.d"), "--socket",
                folder("socket"),
            ], environment: variables, errorFile: folder("log"))
    }

    /// The content of the log so far.
    var log: String {
        (try? String(decoding: Data(contentsOf: URL(fileURLWithPath: folder("log"))), as: UTF8.self)) ?? ""
    }

    func find(_ what: String) { findings.append(what) }

    /// Whether the client must receive the same lines as it would without the fault.
    var mustSeeNothing: Bool { isHarmless || report.failures == 0 }

    /// Whether to continue waiting. Until a call has failed, the time limit is long. Afterwards it is short, unless
    /// the failure is harmless.
    func patience(since start: Double) -> Bool {
        let now = MonotonicSeconds.now
        if report.failures > 0, firstSeen == nil { firstSeen = now }
        guard let firstSeen else { return now - start < LineReader.patience }
        if isHarmless { return now - start < Self.patienceForHealing && program.isRunning }
        return now - max(start, firstSeen) < 0.25 && program.isRunning
    }

    /// Connects to the daemon, and retries while it refuses clients. Returns `nil` after `seconds` without
    /// success.
    func connect(within seconds: Double = patienceForHealing) -> FaultClient? {
        let end = MonotonicSeconds.now + seconds
        var connected: FaultClient?
        waitUntil(within: seconds) {
            guard program.isRunning else { return true }
            guard let client = FaultClient(path: folder("socket")) else { return false }
            let state = client.wait(while: { MonotonicSeconds.now < end }) { $0["event"] == "state" }
            if state != nil { connected = client } else { findings += client.violations() }
            return state != nil
        }
        return connected
    }

    /// Sends a request and returns the reply; `nil` if none arrives in time.
    func ask(_ client: FaultClient, _ command: String, within seconds: Double = patienceForHealing) -> JSONLine? {
        guard client.send(command) else { return nil }
        let end = MonotonicSeconds.now + seconds
        return client.wait(while: { MonotonicSeconds.now < end }) { $0.description.hasPrefix("{\"reply\":") }
    }

    /// The targets of the daemon's open descriptors of devices, timers and other kinds that only the daemon opens.
    /// Sockets are left out because some belong to clients and umockdev. Files are left out because some may be
    /// inherited from the test runner.
    var descriptorTargets: [String] {
        let folder = "/proc/\(program.pid)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let targets = names.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)
        }
        return targets.filter { $0.hasPrefix("anon_inode:") || $0.contains("/dev/input/") }
    }
}
