// SPDX-License-Identifier: MIT

/// Measures the cost of a frame in the engine itself, and how it depends on the number of regions.
extension Benchmarks {
    /// The maximum cost of a frame with 2000 regions, as a multiple of the cost with 10 regions.
    static let largestRatio = 1.5

    /// Only the best of many short rounds is used, so that other load on the machine does not affect the
    /// result.
    private static let rounds = 300
    private static let frames = 1_000

    static func engine() throws {
        write("\nthe engine alone, 10 contacts, each in a region of its own\n\n")
        write(
            "case                                             10 regions     2000 regions   ratio  limit  allocations\n"
        )
        let twenty = EngineScale(columns: 5, rows: 4)
        let updating = EngineScale(columns: 5, rows: 4, updates: true)
        let (small, large) = (EngineScale(columns: 5, rows: 2), EngineScale(columns: 50, rows: 40))
        var allocations: UInt64 = 0
        let ratios = [
            compare("ns/frame, all move", &allocations, { small.move(frames: frames) }, { large.move(frames: frames) }),
            compare(
                "ns/frame, all land or all lift", &allocations,
                { small.land(andLift: frames) }, { large.land(andLift: frames) }),
            compare(
                "ns/turn, all rest, deadlines are checked", &allocations,
                { small.wait(turns: frames) }, { large.wait(turns: frames) }),
        ]
        let moving = best(&allocations) { twenty.move(frames: frames) }
        let told = best(&allocations) { updating.move(frames: frames) }
        write("\n20 regions, all move, without updates:         \(Int(moving)) ns/frame\n")
        write("20 regions, all move, 10 drag updates a frame:  \(Int(told)) ns/frame\n")
        guard allocations == 0 else {
            throw BenchmarkError("the engine made \(allocations) allocations; there must be none")
        }
        guard ratios.allSatisfy({ $0 <= largestRatio }) else {
            throw BenchmarkError("2000 regions cost more than \(largestRatio) times as much as 10")
        }
    }

    /// Measures the two alternately, so that other load on the machine affects both.
    private static func compare(
        _ name: String, _ allocations: inout UInt64, _ small: () -> EngineScale.Cost, _ large: () -> EngineScale.Cost
    ) -> Double {
        var (few, many) = (EngineScale.Cost(), EngineScale.Cost())
        var allocated: UInt64 = 0
        for _ in 0..<rounds {
            let (one, other) = (small(), large())
            few.nanoseconds = min(few.nanoseconds, one.nanoseconds)
            many.nanoseconds = min(many.nanoseconds, other.nanoseconds)
            allocated += one.allocations + other.allocations
        }
        allocations += allocated
        let ratio = many.nanoseconds / few.nanoseconds
        write(
            name.padded(to: 46) + "\(Int(few.nanoseconds))".padded(to: 13, right: true)
                + "\(Int(many.nanoseconds))".padded(to: 17, right: true)
                + hundredths(ratio).padded(to: 8, right: true) + hundredths(largestRatio).padded(to: 7, right: true)
                + "\(allocated)".padded(to: 13, right: true) + "\n")
        return ratio
    }

    private static func best(_ allocations: inout UInt64, _ body: () -> EngineScale.Cost) -> Double {
        var best = Double.infinity
        for _ in 0..<rounds {
            let cost = body()
            best = min(best, cost.nanoseconds)
            allocations += cost.allocations
        }
        return best
    }

    private static func hundredths(_ value: Double) -> String {
        let whole = Int((value * 100).rounded())
        return "\(whole / 100).\(whole % 100 / 10)\(whole % 10)"
    }
}
