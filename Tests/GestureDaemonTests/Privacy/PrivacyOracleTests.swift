// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// A client without access to private regions cannot find out through queries which ones exist, or whether they are
/// touched: daemons whose configurations and touches differ only in private regions reply to random requests with
/// the same bytes.
@Suite("Daemon: queries do not reveal private regions", .enabled(if: getuid() == 0, "only root can change the user"))
struct PrivacyOracleTests {
    /// The members of replies that differ between daemons in any case. They are not compared. Until the first touch,
    /// `idle_ms` counts from the start of each daemon; IdleWatchTests say what it tells of private touches.
    private static let varying = [
        "instance", "pid", "uptime_ms", "idle_ms", "files", "longest_turn_us", "time_us", "queued_bytes", "seq",
    ]

    private static func comparable(_ line: String) -> String {
        varying.reduce(line) { line, key in
            var parts = line.split(separator: "\"\(key)\":", omittingEmptySubsequences: false).map(String.init)
            for i in parts.indices.dropFirst() { parts[i] = String(parts[i].drop { $0 != "," && $0 != "}" }) }
            return parts.joined()
        }
    }

    /// Touches a point for 60 ms. In the frame of the landing, another finger lands in a private region or lifts from
    /// it. The frames of all panels therefore have the same times, regardless of the touches in their private regions.
    /// The times are in the future, so that the clock does not make any deadline expire.
    private func touch(
        _ point: (x: Int, y: Int), id: Int, at time: Int64, with other: String, _ panel: FakePanel
    ) throws {
        try panel.at(time)
        try panel.command("frame \(other) 3 47 0 3 57 \(id) 3 53 \(point.x) 3 54 \(point.y) 1 330 1")
        try panel.at(time + 60_000)
        try panel.command("frame 3 47 0 3 57 -1")
    }

    /// The first of these points that lies in a private region, in units of the panel.
    private func hidden(_ points: [(x: Int, y: Int)], _ insider: SocketClient) throws -> (x: Int, y: Int)? {
        try points.first { point in
            let owner = try insider.request(#"{"cmd":"at","x":\#(point.x / 4),"y":\#(point.y / 4)}"#)["owner"]
            guard let owner, PrivacyWorld.names.contains(owner) else { return false }
            // In a world without that private region, a client may have defined a region with the same name.
            let regions = try insider.request(#"{"cmd":"regions","region":"\#(owner)"}"#).objects("regions")
            return regions.first?.flag("private") == true
        }
    }

    @Test(
        "random requests get equal answers",
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
        // The times are in the future, so that the clock does not make any deadline expire.
        var time = try worlds[0].harness.panel.panel.now() + 60_000_000
        var (accepted, touches) = (0, 0)
        var held: [Bool] = worlds.map { _ in false }
        for number in 0..<400 {
            let request = requests.next()
            let change = insider
            for (world, harness) in worlds where number % 5 == 0 {
                var change = change
                if let request = change.insider(in: world) { _ = try harness.panel.client.request(request) }
            }
            _ = insider.next()
            if number % 8 == 7 {
                let (point, points) = (insider.openPoint(), (0..<4).map { _ in insider.hiddenPoint() })
                for (place, world) in worlds.enumerated() {
                    let found = try hidden(points, world.harness.panel.client)
                    held[place] = found != nil
                    let other = found.map { "3 47 1 3 57 \(number + 1001) 3 53 \($0.x) 3 54 \($0.y)" } ?? ""
                    try touch(point, id: number + 1, at: time, with: other, world.harness.panel.panel)
                }
                touches += held.count { $0 }
                time += 3_000_000
            } else if number % 8 == 1, number > 7 {
                let point = insider.openPoint()
                for (isHeld, world) in zip(held, worlds) {
                    let other = isHeld ? "3 47 1 3 57 -1" : ""
                    try touch(point, id: number + 1, at: time - 2_000_000, with: other, world.harness.panel.panel)
                }
            }
            let replies = try worlds.map { world in
                // A refusal names the file of the daemon.
                let reply = try world.harness.ask(request).description
                return Self.comparable(reply.replacing(world.harness.panel.folder.path, with: "FOLDER"))
            }
            if replies[0].contains("\"ok\":true") { accepted += 1 }
            guard replies.allSatisfy({ $0 == replies[0] }) else {
                Issue.record("request \(number): \(request)\n\(replies.joined(separator: "\n"))")
                return
            }
        }
        #expect(accepted > 150 && touches > 5, "\(accepted), \(touches)")
        // A change that waits takes effect when the region is idle. Depending on the world, that is between two
        // frames or after both, so the order of these events may differ.
        let events = worlds.map { world in
            let lines = world.harness.stranger.output.transcript.filter { $0.hasPrefix("{\"event\":") }
                .map(Self.comparable)
            let isConfig = lines.map { $0.contains(#""event":"config""#) }
            return zip(lines, isConfig).filter { !$1 }.map { $0.0 } + zip(lines, isConfig).filter { $1 }.map { $0.0 }
        }
        #expect(events[0].count > 20 && events[0].contains { $0.contains(#""event":"gesture""#) })
        for other in events where other != events[0] {
            let place = zip(other, events[0]).enumerated().first { $1.0 != $1.1 }
            let text = place.map { "\($1.0)\n\($1.1)" } ?? "\(other.count), \(events[0].count)"
            Issue.record("the events differ: \(text)")
        }
    }
}
