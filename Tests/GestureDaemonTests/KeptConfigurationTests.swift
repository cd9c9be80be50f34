// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc
import Testing

/// `--state-dir`: the daemon stores the current configuration, and falls back to it if the files are invalid at the
/// next start.
@Suite("Daemon: the last good configuration")
struct KeptConfigurationTests {
    let state: ScratchFolder
    var kept: String { state("last-good.json") }

    init() throws {
        state = try ScratchFolder()
    }

    /// Starts a daemon with its own configuration folder, as after a restart; the state folder is shared.
    private func start(_ configuration: String, speed: Int? = nil) throws -> PanelHarness {
        try PanelHarness(configuration, arguments: ["--state-dir", state.path], speed: speed)
    }

    /// Waits until the stored configuration contains `text`; a thread writes it.
    private func waitForKept(_ text: String) throws {
        let came = waitUntil { (try? String(contentsOfFile: kept, encoding: .utf8))?.contains(text) == true }
        guard came else { throw TestFailure("\(kept) does not contain \(text)") }
    }

    private func configuration(_ harness: PanelHarness) throws -> JSONLine? {
        try harness.client.request(#"{"cmd":"status","id":2}"#).object("config")
    }

    private func regions(_ harness: PanelHarness) throws -> [String] {
        try harness.client.request(#"{"cmd":"regions","id":4}"#).objects("regions").compactMap { $0["region"] }
    }

    /// Starts a daemon without a panel. `configuration` may be invalid.
    private func startAlone(_ configuration: String) throws -> (DaemonProcess, SocketClient) {
        let daemon = try DaemonProcess(configuration, in: try ScratchFolder(), arguments: ["--state-dir", state.path])
        return (daemon, try daemon.connect())
    }

    @Test("is used after a start with an invalid file, until the file is corrected")
    func use() throws {
        try withExtendedLifetime(try start(TestConfiguration.twoButtons)) { _ in try waitForKept(#"\"no\""#) }
        let harness = try start(TestConfiguration.wrong)
        #expect(try regions(harness) == ["ok", "no"])
        let status = try #require(try configuration(harness))
        #expect(status["state"] == "last_good")
        #expect(status.number("errors") == 1)
        #expect(status.number("generation") == 1)
        #expect(harness.daemon.log.contains("unknown key \"gestrues\""))
        #expect(harness.daemon.log.contains("using the last good configuration from \(kept)"))
        #expect(harness.daemon.manager.received.contains { $0.contains("the configuration files are refused") })
        // The panel works with the stored configuration.
        try harness.press(x: 3000, y: 100, on: "no")
        try harness.panel.lift()
        // Another refused reload has no effect; a valid one replaces the stored configuration.
        #expect(try harness.client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == false)
        #expect(try configuration(harness)?["state"] == "last_good")
        try harness.daemon.configure(TestConfiguration.button)
        #expect(try harness.client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == true)
        #expect(try configuration(harness)?["state"] == "ok")
        #expect(try regions(harness) == ["ok"])
    }

    @Test("is the one that was last applied, not one that was refused")
    func reload() throws {
        let harness = try start(TestConfiguration.button)
        try waitForKept(#"\"ok\""#)
        try harness.daemon.configure(TestConfiguration.twoButtons)
        #expect(try harness.client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == true)
        try waitForKept(#"\"no\""#)
        let before = try Data(contentsOf: URL(fileURLWithPath: kept))
        try harness.daemon.configure(TestConfiguration.wrong)
        #expect(try harness.client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == false)
        #expect(try harness.daemon.stop() == .exited(0))
        #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == before)
    }

    @Test("a line and the log report refused files soon after the start and then every hour")
    func reminders() throws {
        try withExtendedLifetime(try start(TestConfiguration.button)) { _ in try waitForKept(#"\"ok\""#) }
        // At this speed, an hour takes 3.6 s.
        let harness = try start(TestConfiguration.wrong, speed: 1000)
        for _ in 0..<2 {
            let line = try harness.client.wait(for: "config line") { $0["event"] == "config" }
            #expect(line["change"] == "rejected")
            #expect(line.number("generation") == 2)
            #expect(line.objects("diagnostics").first?["code"] == "unknown_key")
        }
        // The error is logged at the start and once more after an hour.
        let log = harness.daemon.log
        #expect(log.ranges(of: "unknown key \"gestrues\"").count == 2)
        #expect(log.ranges(of: "the files are still refused; correct them and reload").count == 1)
    }

    @Test("without one the daemon runs without a region, until the file is corrected")
    func none() throws {
        let (daemon, client) = try startAlone(TestConfiguration.wrong)
        var status = try client.request(#"{"cmd":"status","id":2}"#)
        #expect(status.object("config")?["state"] == "rejected")
        #expect(status.number("regions") == 0)
        #expect(daemon.log.contains("the files are refused, so no region is active until they are corrected"))
        #expect(!FileManager.default.fileExists(atPath: kept))
        try daemon.configure(TestConfiguration.button)
        #expect(try client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == true)
        status = try client.request(#"{"cmd":"status","id":2}"#)
        #expect(status.object("config")?["state"] == "ok")
        #expect(status.number("regions") == 1)
        try waitForKept(#"\"ok\""#)
    }

    @Test(
        "is not used if it is damaged",
        arguments: ["{", "{\"files\":[]}", "{\"files\":[{\"path\":\"a\",\"text\":\"no toml\"}]}"])
    func damaged(text: String) throws {
        try state.write(text, to: "last-good.json")
        let (daemon, client) = try startAlone(TestConfiguration.wrong)
        #expect(try client.request(#"{"cmd":"status","id":2}"#).number("regions") == 0)
        #expect(daemon.log.contains(kept))
    }

    @Test("takes no memory if the daemon cannot have written it", arguments: ["[],", "{},", "0,", "\"\","])
    func foreign(value: String) throws {
        let text = "{\"files\":[" + String(repeating: value, count: 11_000_000 / value.utf8.count) + "0]}"
        try state.write(text, to: "last-good.json")
        let (daemon, client) = try startAlone(TestConfiguration.wrong)
        #expect(try client.request(#"{"cmd":"status","id":2}"#).number("regions") == 0)
        #expect(daemon.log.contains("values"))
        // With a sanitizer, the peak is about 100 MB. Before the fix it was more than 1 GB.
        #expect(try daemon.peakMemory() < 400_000_000)
    }

    @Test("without a folder the daemon works, and logs what it cannot store")
    func noFolder() throws {
        let harness = try PanelHarness(arguments: ["--state-dir", state("nowhere")])
        #expect(try configuration(harness)?["state"] == "ok")
        waitUntil { harness.daemon.log.contains("state: ") }
        #expect(
            harness.daemon.log.contains(
                "No such file or directory; this configuration is not available if the files are refused at the next start"
            ))
    }
}

extension DaemonProcess {
    /// The daemon's peak memory use (`VmHWM`), in bytes.
    func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(program.pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line?.split(separator: " ").compactMap { Int($0) }.first
        return try #require(kilobytes) * 1024
    }
}
