// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// Who may not see private regions cannot find out by asking which there are: daemons whose configurations differ only in
/// private regions answer a great many requests with the same bytes.
@Suite("Daemon: private regions are not found by asking", .enabled(if: getuid() == 0, "only root can be somebody else"))
struct PrivacyOracleTests {
    /// The members of replies that differ from one daemon to the next anyway.
    private static let varying = [
        "instance", "pid", "uptime_ms", "files", "longest_turn_us", "time_us", "queued_bytes",
    ]

    private static func comparable(_ line: String) -> String {
        varying.reduce(line) { line, key in
            var parts = line.split(separator: "\"\(key)\":", omittingEmptySubsequences: false).map(String.init)
            for i in parts.indices.dropFirst() { parts[i] = String(parts[i].drop { $0 != "," && $0 != "}" }) }
            return parts.joined()
        }
    }

    private func touch(_ point: (x: Int, y: Int), id: Int, at time: Int64, _ panel: FakePanel) throws {
        try panel.at(time)
        try panel.land(0, id: id, x: point.x, y: point.y)
        try panel.at(time + 60_000)
        try panel.lift(0)
    }

    @Test(
        "random requests are answered alike",
        arguments: [
            (1, "control_uids = [65534]\nraw_uids = [65534]\n"), (2, "control_uids = [65534]\n"),
            (3, "define_uids = [65534]\n"), (4, "define_uids = [65534]\ndefine_parent = \"web\"\n"),
            (5, "define_uids = [65534]\ndefine_parent = \"pad\"\n"),
            (6, "control_uids = [65534]\nraw_uids = [65534]\n"),
        ] as [(UInt64, String)])
    func sameAnswers(seed: UInt64, access: String) throws {
        let controls = access.contains("control")
        let worlds = try PrivacyWorld.allCases.map { ($0, harness: try StrangerHarness($0.configuration(access))) }
        var requests = PrivacyRequests(seed: seed, controls: controls)
        var insider = PrivacyRequests(seed: seed + 1000, controls: true)
        // Ahead of the clock, by which no deadline comes.
        var time = try worlds[0].harness.panel.panel.now() + 60_000_000
        var accepted = 0
        for number in 0..<400 {
            let request = requests.next()
            let change = insider
            for (world, harness) in worlds where number % 5 == 0 {
                var change = change
                if let request = change.insider(in: world) { _ = try harness.panel.client.request(request) }
            }
            _ = insider.next()
            if number % 8 == 7 {
                let point = insider.openPoint()
                for world in worlds { try touch(point, id: number + 1, at: time, world.harness.panel.panel) }
                time += 3_000_000
            }
            let replies = try worlds.map { Self.comparable(try $0.harness.ask(request).description) }
            if replies[0].contains("\"ok\":true") { accepted += 1 }
            guard replies.allSatisfy({ $0 == replies[0] }) else {
                Issue.record("request \(number): \(request)\n\(replies.joined(separator: "\n"))")
                return
            }
        }
        #expect(accepted > 150)
        let events = worlds.map { world in
            world.harness.stranger.output.transcript.filter { $0.hasPrefix("{\"event\":") }.map(Self.comparable)
        }
        #expect(events[0].count > 20 && events[0].contains { $0.contains(#""event":"gesture""#) })
        for other in events where other != events[0] {
            let place = zip(other, events[0]).enumerated().first { $1.0 != $1.1 }
            let text = place.map { "\($1.0)\n\($1.1)" } ?? "\(other.count), \(events[0].count)"
            Issue.record("the events differ: \(text)")
        }
    }
}
