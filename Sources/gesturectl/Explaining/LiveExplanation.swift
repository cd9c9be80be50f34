// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol
import LinuxSystem

/// Explains the daemon's events as they come.
struct LiveExplanation: ~Copyable {
    /// How often it checks what is complete, in microseconds.
    private static let tick: Int64 = 200_000

    let connection: DaemonConnection
    let signals: SignalWait
    var output: ExplanationOutput
    /// Ends after so many touches.
    let limit: Int
    /// The globs of regions that the user asked for.
    let patterns: [String]
    private(set) var collector = ExplanationCollector([])

    /// Runs until it is interrupted, or the daemon goes away.
    consuming func run() throws {
        try begin()
        defer { output.end() }
        while output.touches < limit {
            let deadline = collector.isWaiting ? MonotonicClock.now() + Self.tick : nil
            switch try connection.next(until: deadline, orReadable: signals.rawValue) {
            case .line(let line): try take(line)
            case .timeout: show(collector.advance(to: MonotonicClock.now()))
            case .ready: return show(collector.advance(to: .max))
            case .end:
                show(collector.advance(to: .max))
                throw connection.lost()
            }
        }
    }

    private mutating func begin() throws {
        take(regions: try connection.reply(to: RequestLine("regions")).json)
        do {
            _ = try connection.reply(to: subscription([.touches]))
        } catch let error as ToolError where error.status == .noPermission {
            // While a region is private, few users may see where it is touched.
            StandardError.write("gesturectl: where fingers land is not shown: \(error.message)\n")
            _ = try connection.reply(to: subscription([]))
        }
        let devices = Set(collector.regions.map(\.device)).sorted()
        guard !devices.isEmpty else {
            return StandardError.write("gesturectl: no region on a panel that is ready; see gesturectl devices\n")
        }
        for pattern in patterns where !collector.regions.contains(where: { Glob(pattern).matches($0.id) }) {
            StandardError.write("gesturectl: no region matches \"\(pattern.safe)\" now\n")
        }
        StandardOutput.endIfUnread()
        let names = devices.map { "\"\($0)\"" }.joined(separator: ", ")
        StandardError.write("gesturectl: touch \(names); end with Ctrl-C\n")
    }

    private func subscription(_ more: [GestureClient.Subscription.EventName]) -> RequestLine {
        .subscribe(.init(events: [.gesture, .failed, .config, .device] + more), id: 2)
    }

    private mutating func take(_ line: [UInt8]) throws {
        guard let event = JSONValue(parsing: line) else { return }
        if event["reply"]?.string == "regions", event["ok"]?.bool == true {
            return take(regions: event)
        }
        switch event["event"]?.string {
        case "gesture", "failed", "touches": show(collector.take(event))
        case "config", "device":
            // The regions may have changed.
            connection.send(RequestLine("regions", id: 3))
        case "overflow":
            StandardError.write("gesturectl: lines were lost: this terminal was too slow\n")
        default: break
        }
    }

    private mutating func take(regions reply: JSONValue) {
        collector.regions = GestureClient.Region.all(in: reply).map(ExplainedRegion.init)
        output.regions = collector.regions
    }

    private mutating func show(_ explanations: [Explanation]) {
        for explanation in explanations where output.touches < limit { output.show(explanation) }
    }
}
