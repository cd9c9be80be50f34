// SPDX-License-Identifier: MIT

/// The distribution of measured numbers.
struct Distribution: Hashable {
    /// In ascending order; at least one.
    let values: [Double]

    /// - Returns: nil without a finite number; what is not finite does not count.
    init?(_ values: some Sequence<Double>) {
        self.values = values.filter(\.isFinite).sorted()
        guard !self.values.isEmpty else { return nil }
    }

    var minimum: Double { values.first ?? 0 }
    var maximum: Double { values.last ?? 0 }
    var median: Double { quantile(0.5) }

    /// The value below which a share of the numbers lies: on the line between its two neighbours, as R and NumPy
    /// have it by default.
    /// - Parameter share: clamped to 0…1.
    func quantile(_ share: Double) -> Double {
        let place = min(max(share, 0), 1) * Double(values.count - 1)
        let below = Int(place.rounded(.down))
        let above = min(below + 1, values.count - 1)
        return values[below] + (values[above] - values[below]) * (place - Double(below))
    }

    /// How many numbers lie in each of several equal parts between the smallest and the largest. A number on a border
    /// belongs to the part above, the largest to the last.
    func counts(parts: Int) -> [Int] {
        let parts = max(1, parts)
        let width = maximum - minimum
        guard width > 0 else { return [values.count] }
        var counts = [Int](repeating: 0, count: parts)
        for value in values {
            let part = Int((value - minimum) / width * Double(parts))
            counts[min(max(part, 0), parts - 1)] += 1
        }
        return counts
    }

    /// The same as a line of bars, the highest for the fullest part; a part with any number has a bar.
    func bars(parts: Int) -> String {
        let counts = counts(parts: parts)
        let most = counts.max() ?? 1
        let heights: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        return String(
            counts.map { count in
                guard count > 0, most > 0 else { return " " }
                return heights[min(max((count * 8 + most - 1) / most - 1, 0), 7)]
            })
    }
}
