// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem

/// Explains what the daemon tells, as it happens.
struct LiveExplanation: ~Copyable {
    /// How often it looks whether something has been quiet for long enough, in milliseconds.
    private static let tick: CInt = 200

    private let connection: DaemonConnection
    private let signals: SignalWait
    private var output: ExplanationOutput
    private let limit: Int
    private let patterns: [String]
    private var collector = ExplanationCollector([])

    /// - Parameter limit: ends after so many touches.
    init(
        connection: DaemonConnection, signals: consuming SignalWait, output: ExplanationOutput, limit: Int?,
        filter: EventFilter
    ) {
        self.connection = connection
        self.signals = signals
        self.output = output
        self.limit = limit ?? .max
        patterns = filter.region
    }

    /// Until it is interrupted, or the daemon goes away.
    consuming func run() throws {
        try begin()
        defer { output.end() }
        while output.touches < limit {
            switch try connection.next(within: collector.isWaiting ? Self.tick : -1, orReadable: signals.rawValue) {
            case .line(let line): try take(line)
            case .timeout: show(collector.advance(to: MonotonicClock.now()))
            case .interrupted: return show(collector.finish())
            case .end:
                show(collector.finish())
                throw connection.lost()
            }
        }
    }

    private mutating func begin() throws {
        let reply = try connection.reply(to: RequestLine("regions", id: 1), id: 1)
        take(regions: reply.json)
        do {
            _ = try connection.reply(to: subscription(["touches"]), id: 2)
        } catch let error as ToolError where error.status == .noPermission {
            // While a region is private, only few may know where it is touched.
            StandardError.write("gesturectl: where fingers land is not shown: \(error.message)\n")
            _ = try connection.reply(to: subscription([]), id: 2)
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

    private func subscription(_ more: [String]) -> RequestLine {
        var request = RequestLine("subscribe", id: 2)
        request.add("events", ["gesture", "failed", "config", "device"] + more)
        request.add("phases", ["begin", "end", "cancel"])
        return request
    }

    private mutating func take(_ line: [UInt8]) throws {
        guard let event = JSONValue(parsing: line) else { return }
        if event["reply"]?.string == "regions", event["ok"]?.bool == true { return take(regions: event) }
        switch event["event"]?.string {
        case "gesture", "failed", "touches": show(collector.take(event))
        case "config", "device":
            // What lies where may be another now.
            try connection.send(RequestLine("regions", id: 3))
        case "overflow":
            StandardError.write("gesturectl: lines were lost: this terminal was too slow\n")
        default: break
        }
    }

    private mutating func take(regions json: JSONValue) {
        collector.regions = (json["regions"]?.elements ?? []).compactMap(RegionEntry.init).map(ExplainedRegion.init)
        output.regions = collector.regions
    }

    private mutating func show(_ explanations: [Explanation]) {
        for explanation in explanations where output.touches < limit { output.show(explanation) }
    }
}
