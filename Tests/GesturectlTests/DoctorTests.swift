// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureEngine
import GestureProtocol
import GestureTestSupport
import Recordings
import Testing

@testable import gesturectl

@Suite("gesturectl doctor")
struct DoctorTests {
    private static let status =
        #"{"reply":"status","id":1,"ok":true,"version":"0.0.9","config":{"files":[],"generation":1,"state":"last_good","errors":1,"warnings":0},"dropped":0,"resyncs":3,"longest_turn_us":1840}"#
    private static let devices =
        #"{"reply":"devices","id":1,"ok":true,"devices":[{"device":"panel","node":"/dev/input/event4","name":"Goodix","state":"ready","grab":"other","contacts":0},{"device":"event5","node":"/dev/input/event5","name":"Pad","state":"failed","reason":"Permission denied","contacts":0},{"device":"wall","node":"/dev/input/event6","name":"Wall","state":"ready","reason":"display of wake: open /x: Permission denied","contacts":0}]}"#

    /// - Parameters:
    ///   - isPrivate: whether the only region is private.
    ///   - counts: the members of the panel in the reply to `counts`; `nil` if this user may not see the reply.
    private static func daemon(isPrivate: Bool, counts: String? = nil) throws -> FakeDaemon {
        try FakeDaemon(connections: 2) { request in
            if request.contains("\"counts\""), let counts {
                return .init(
                    #"{"reply":"counts","id":1,"ok":true,"devices":[{"device":"panel",\#(counts)}],"regions":[]}"#)
            }
            if request.contains("\"status\"") { return .init(status) }
            if request.contains("\"devices\"") {
                return .init(
                    devices.replacing(#""id":1"#, with: request.contains(#""id":2"#) ? #""id":2"# : #""id":1"#))
            }
            if request.contains("\"regions\"") {
                return .init(
                    #"{"reply":"regions","id":1,"ok":true,"regions":[{"region":"ok","private":\#(isPrivate),"gestures":[]}]}"#
                )
            }
            if request.contains("\"describe\"") { return .init(RecordTests.description(idle: true)) }
            if request.contains("\"subscribe\"") { return .init(RecordTests.subscribed) }
            return .init(
                #"{"reply":null,"id":1,"ok":false,"error":{"code":"permission_denied","message":"not for you"}}"#)
        }
    }

    /// The findings of a report by subject, with verdict and text.
    private func items(_ line: String) throws -> [String: (verdict: String, text: String)] {
        let report = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let items = try #require(report["items"] as? [[String: String]])
        return Dictionary(
            items.map { ($0["what"] ?? "", ($0["verdict"] ?? "", $0["text"] ?? "")) }, uniquingKeysWith: { $1 })
    }

    @Test("reports problems and their remedies")
    func problems() throws {
        let daemon = try Self.daemon(isPrivate: false)
        let outcome = try Tool.run(["doctor", "--quick", "--json", "--socket", daemon.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors.isEmpty)
        #expect(outcome.output.hasPrefix(#"{"ok":false,"items":[{"what":"kernel","verdict":"ok","#))
        let items = try items(outcome.output)
        #expect(items["daemon"]?.verdict == "problem")
        #expect(items["daemon"]?.text.contains("systemctl restart gestured") == true)
        #expect(items["configuration"]?.verdict == "problem")
        #expect(items["configuration"]?.text.contains("an earlier configuration is in use") == true)
        #expect(items["losses"]?.text == "3 losses of events in the kernel")
        #expect(items["longest turn"]?.text == "1 ms: the longest delay of a touch")
        #expect(items["panel"]?.verdict == "problem")
        #expect(items["panel"]?.text == "/dev/input/event4, Goodix: grab other")
        #expect(items["panel event5"]?.text == "/dev/input/event5, Pad: failed: Permission denied")
        #expect(items["panel wall"]?.verdict == "problem")
        #expect(
            items["panel wall"]?.text
                == "/dev/input/event6, Wall: display of wake: open /x: Permission denied")
        #expect(items["clients"]?.text == "not for you")
        #expect(items["panel: readers"]?.text.hasPrefix("none") == true)
        #expect(items["panel: mapping"]?.text.contains("libinput") == false)
        #expect(items["libinput"] == nil || items["libinput"]?.verdict == "ok")
    }

    @Test("in a container, it recommends nothing that only the host can do", arguments: [false, true])
    func container(hasDaemon: Bool) throws {
        let daemon = try Self.daemon(isPrivate: false)
        let outcome = try Tool.run(
            ["doctor", "--quick", "--json", "--socket", hasDaemon ? daemon.path : "/nowhere/socket"],
            environment: ["container": "podman"])
        #expect(outcome.status == 1)
        let items = try items(outcome.output)
        for (subject, item) in items {
            for command in ["systemctl", "journalctl", "usermod", "systemd-sysusers", "udevadm"] {
                #expect(!item.text.contains(command), "\(subject): \(item.text)")
            }
        }
        #expect(items["container"]?.verdict == "note")
        #expect(items["log"]?.text.contains("podman logs") == true)
        #expect(items["gestured.service"] == nil && items["user"] == nil)
        #expect(
            items["daemon"]?.text.contains(hasDaemon ? "restart the daemon's container" : "mount the folder") == true)
    }

    @Test(
        "notices a panel that loses fingers, and names the line to add",
        arguments: [
            (
                #""contacts":400,"flickers":4"#, "problem",
                "the panel lost a finger for a moment 4 times in 400 contacts; "
                    + "add bridge = \"80ms\" to [filter], or filter = { bridge = \"80ms\" } to the panel's [[device]]"
            ),
            (#""contacts":401,"flickers":4"#, "ok", "fingers are not lost repeatedly"),
            (#""contacts":20,"flickers":2"#, "ok", "fingers are not lost repeatedly"),
            (#""contacts":400,"flickers":0,"bridged":90"#, "ok", "fingers are not lost repeatedly"),
        ])
    func flickers(counts: String, verdict: String, text: String) throws {
        let daemon = try Self.daemon(isPrivate: false, counts: counts)
        let outcome = try Tool.run(["doctor", "--quick", "--json", "--socket", daemon.path])
        let item = try items(outcome.output)["panel: contacts"]
        #expect(item?.verdict == verdict)
        #expect(item?.text == text)
    }

    @Test("without a daemon it reports that and checks everything else; the default is a table")
    func noDaemon() throws {
        let outcome = try Tool.run(["doctor", "--socket", "/nowhere/socket"])
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix("VERDICT"))
        let line = outcome.output.split(separator: "\n").first { $0.contains("  daemon  ") }
        #expect(line?.hasPrefix("problem") == true)
        #expect(line?.contains("/nowhere/socket: no daemon") == true)
        for subject in ["kernel", "gestured.service", "user", "files", "log"] {
            #expect(outcome.output.contains("  \(subject) "), "no \(subject)")
        }
    }

    @Test("a bundle has all replies, and the panel's events only if no region is private", arguments: [false, true])
    func bundle(isPrivate: Bool) throws {
        let folder = try ScratchFolder()
        let daemon = try Self.daemon(isPrivate: isPrivate)
        let outcome = try Tool.run(
            ["doctor", "--duration", "50ms", "--socket", daemon.path, "--bundle", folder("bundle")])
        #expect(outcome.status == 1)
        let data = try Data(contentsOf: URL(fileURLWithPath: folder("bundle")))
        let bundle = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(Set((bundle["replies"] as? [String: Any] ?? [:]).keys) == ["status", "devices", "regions"])
        for key in ["items", "files", "log"] { #expect(bundle[key] is [Any], "no \(key)") }
        let recordings = try #require(bundle["recordings"] as? [[String: String]])
        #expect(recordings.map { $0["device"] ?? "" } == (isPrivate ? [] : ["panel"]))
        if let text = recordings.first?["text"] { #expect(text.contains("Goodix")) }
        #expect(try Tool.run(["doctor", "--quick", "--bundle", "/nowhere/bundle"]).status == 73)
    }

    @Test("the rates of a panel are in time and device units")
    func rates() {
        var recording = Recording(description: DeviceDescription(), entries: [])
        func frame(_ milliseconds: Int64, _ events: [(UInt16, Int32)]) {
            let time = Timestamp(microseconds: milliseconds * 1000)
            for (code, value) in events { recording.entries.append(.event(.axis(code, value, at: time))) }
            recording.entries.append(.event(.report(at: time)))
        }
        #expect(PanelRates(recording).text == nil)
        frame(0, [(EventCode.absMTTrackingID, 7), (EventCode.absMTPositionX, 100), (EventCode.absMTPositionY, 50)])
        for i in 1...5 { frame(Int64(i) * 10, [(EventCode.absMTPositionX, 100 + Int32(i % 2) * 3)]) }
        frame(80, [(EventCode.absMTTrackingID, -1)])
        // The pause between two contacts does not affect the rate.
        frame(5000, [(EventCode.absMTTrackingID, 8), (EventCode.absMTPositionX, 4000)])
        frame(5010, [(EventCode.absMTTrackingID, -1)])
        #expect(
            PanelRates(recording).text
                == "9 frames of 2 contacts, one every 10 ms (100 Hz), longest gap 30 ms; a position moves by 3 units per frame (median)"
        )
    }
}
