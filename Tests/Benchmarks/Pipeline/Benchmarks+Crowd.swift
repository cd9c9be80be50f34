// SPDX-License-Identifier: MIT
import CAllocationCount
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem

/// Measures the cost of one event for many clients.
extension Benchmarks {
    private static let crowdSize = 64
    private static let events = 40_000

    /// Totals for several events.
    private struct EventCost {
        var events = 0
        var encodings = 0
        var writes: UInt64 = 0
        var allocations: UInt64 = 0
        var microseconds: Int64 = 0

        func perEvent(_ count: Int64) -> Double { Double(count) / Double(max(1, events)) }
    }

    /// Sends each event separately, as if only one finger moved. This causes the most writes per event.
    static func crowd() throws {
        let audience = try Audience(clients: crowdSize, regions: BenchmarkPanel.regions)
        var run = PanelRun(try BenchmarkPanel.setup(#""drag""#), updates: true)
        run.land { audience.server.broadcast($0) }
        var cost = EventCost()
        let sink: PanelPipeline.Sink = { line in
            let (writes, allocations, start) = (send_count(), allocation_count(), MonotonicClock.now())
            audience.server.broadcast(line)
            audience.server.endTurn()
            cost.microseconds += MonotonicClock.now() - start
            cost.allocations += allocation_count() - allocations
            cost.writes += send_count() - writes
            cost.encodings += 1
        }
        _ = run.move(frames: 2_000, batch: 1, sink, after: { audience.listen() })
        cost = EventCost()
        let before = audience.lines
        let frames = events / FingerEvents.fingers
        cost.events = run.move(frames: frames, batch: 1, sink, after: { audience.listen() }).lines
        try report(cost, received: audience.lines - before, writesPerTurn: writesPerTurn(audience, &run))
    }

    /// The number of write calls for the lines of one frame with ten contacts.
    private static func writesPerTurn(_ audience: Audience, _ run: inout PanelRun) -> Double {
        let frames = 1000
        let before = send_count()
        _ = audience.hear(&run, frames: frames)
        return Double(send_count() - before) / Double(frames)
    }

    private static func report(_ cost: EventCost, received: Int, writesPerTurn: Double) throws {
        let encodings = cost.perEvent(Int64(cost.encodings))
        let writes = cost.perEvent(Int64(clamping: cost.writes))
        write("\nan event for \(crowdSize) clients, sent by itself                       figure   limit\n")
        var missed: [String] = []
        func show(_ what: String, _ figure: Double, _ limit: Double?) {
            let isMet = limit.map { figure <= $0 } ?? true
            let text = String(Double(Int(figure * 100)) / 100).padded(to: 14, right: true)
            let most = limit.map { String(Int($0)) } ?? ""
            write(what.padded(to: 56) + text + most.padded(to: 8, right: true) + (isMet ? "  ok\n" : "  FAILED\n"))
            if !isMet { missed.append(what) }
        }
        show("encodings", encodings, 1)
        show("writes", writes, Double(crowdSize))
        show("writes for ten events of one turn", writesPerTurn, Double(crowdSize))
        show("allocations", Double(cost.allocations), 0)
        show("microseconds", cost.perEvent(cost.microseconds), nil)
        show("lines that a client missed", Double(cost.events - received), 0)
        guard missed.isEmpty else {
            throw BenchmarkError("an event for \(crowdSize) clients: \(missed) over the limit")
        }
    }
}
