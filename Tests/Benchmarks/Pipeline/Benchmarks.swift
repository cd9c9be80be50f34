// SPDX-License-Identifier: MIT
import CLinux
import GesturePipeline
import GestureProtocol
import GestureServer

/// Prints the cost of a frame from kernel events to lines. Fails if a limit is exceeded.
@main
struct Benchmarks {
    /// The required number of frames with ten contacts per second, on one core.
    static let framesPerSecond = 300_000
    /// The maximum number of allocations in all measured frames. There must be none after the first frames.
    static let allocations: UInt64 = 0

    /// All kinds of gestures. One of them sends a line for each frame.
    private static let everyGesture = #""press", "tap", "double_tap", "two_finger_tap", "long_press", "swipe", "drag""#

    static func main() {
        do {
            let arguments = CommandLine.arguments
            if arguments.dropFirst() == ["changes"] { return try changes() }
            if arguments.count == 5, arguments[1] == "landings", let count = Int(arguments[2]) {
                return try landings(count, arguments[3], arguments[4])
            }
            if arguments.count == 3, let frames = Int(arguments[2]) {
                if let clients = Int(arguments[1]) { return try plain(frames: frames, clients: clients) }
                let isShared = arguments[1] == "shared"
                return try plain(frames: frames, updates: arguments[1] == "updates", isShared: isShared)
            }
            write("10 fingers that move, \(BenchmarkPanel.regions) regions, kernel events in, lines out\n\n")
            write("case                                             frames/s    ns/frame  lines/frame  allocations\n")
            let moving = try pipeline("moving, without updates", everyGesture, updates: false)
            let shared = try pipeline(
                "the same, shared with an application", everyGesture, updates: false, isShared: true)
            let updates = try pipeline("moving, 10 drag updates a frame", everyGesture, updates: true)
            let clients = try audience("the same, sent to 4 clients, one core for all", clients: 4)
            try crowd()
            try engine()
            try changes()
            try check([moving, shared, updates, clients], speed: moving)
        } catch {
            write("benchmarks: error: \(error)\n")
            exit(1)
        }
    }

    /// Only plays frames with five drags, for a program that counts instructions (`Tests/Benchmarks/instructions`).
    private static func plain(frames: Int, updates: Bool, isShared: Bool) throws {
        var panel = PanelRun(try BenchmarkPanel.setup(#""drag""#), updates: updates, fingers: 5, isShared: isShared)
        var bytes = 0
        panel.land { bytes &+= $0.body.count }
        let run = panel.move(frames: frames) { bytes &+= $0.body.count }
        write("\(run.lines) lines, \(bytes) bytes, \(panel.twinEvents) events for an application\n")
    }

    /// Plays frames with five drags and updates, and sends each frame to clients.
    private static func plain(frames: Int, clients: Int) throws {
        let audience = try Audience(clients: clients, regions: BenchmarkPanel.regions)
        var panel = PanelRun(try BenchmarkPanel.setup(#""drag""#), updates: true, fingers: 5)
        panel.land { audience.server.broadcast($0) }
        let run = audience.hear(&panel, frames: frames)
        write("\(run.lines) lines, \(audience.lines) read\n")
    }

    /// Measures the path from kernel events to lines.
    private static func pipeline(
        _ name: String, _ gestures: String, updates: Bool, isShared: Bool = false
    ) throws -> Measurement {
        var panel = PanelRun(try BenchmarkPanel.setup(gestures), updates: updates, isShared: isShared)
        var bytes = 0
        panel.land { bytes &+= $0.body.count }
        _ = panel.move(frames: 20_000) { bytes &+= $0.body.count }
        var best = Measurement()
        for _ in 0..<5 {
            let run = panel.move(frames: 200_000) { bytes &+= $0.body.count }
            let allocations = best.allocations + run.allocations
            if run.framesPerSecond > best.framesPerSecond { best = run }
            best.allocations = allocations
        }
        panel.lift { bytes &+= $0.body.count }
        show(name, best)
        return best
    }

    /// Measures the path from kernel events to clients, which read in the same thread.
    private static func audience(_ name: String, clients: Int) throws -> Measurement {
        let audience = try Audience(clients: clients, regions: BenchmarkPanel.regions)
        var panel = PanelRun(try BenchmarkPanel.setup(#""drag""#), updates: true)
        panel.land { audience.server.broadcast($0) }
        _ = audience.hear(&panel, frames: 4_000)
        let before = audience.lines
        let result = audience.hear(&panel, frames: 20_000)
        show(name, result)
        guard audience.lines - before == result.lines else {
            throw BenchmarkError("\(result.lines) lines were made, but a client read \(audience.lines - before)")
        }
        return result
    }

    private static func check(_ all: [Measurement], speed: Measurement) throws {
        let allocated = all.reduce(0) { $0 + $1.allocations }
        guard allocated <= allocations else { throw BenchmarkError("\(allocated) allocations; there must be none") }
        guard speed.framesPerSecond >= framesPerSecond else {
            throw BenchmarkError("\(speed.framesPerSecond) frames/s; at least \(framesPerSecond) are required")
        }
    }

    private static func show(_ name: String, _ result: Measurement) {
        let nanoseconds = Int(result.microseconds * 1000) / max(1, result.frames)
        write(
            name.padded(to: 46) + String(result.framesPerSecond).padded(to: 11, right: true)
                + String(nanoseconds).padded(to: 12, right: true)
                + String(result.lines / max(1, result.frames)).padded(to: 13, right: true)
                + String(result.allocations).padded(to: 13, right: true) + "\n")
    }

    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = CLinux.write(1, bytes, bytes.count)
    }
}

extension String {
    func padded(to width: Int, right: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - count))
        return right ? space + self : self + space
    }
}
