// SPDX-License-Identifier: MIT
import GestureEngine

/// Makes a touch shorter and its numbers rounder while something still holds for it.
struct TouchShrinker {
    private(set) var touch: SketchedTouch
    private let panel: PanelSize
    private let holds: (SketchedTouch) -> Bool
    /// The number of attempts that are left.
    private var patience: Int

    /// - Parameter holds: whether a touch still shows what this one shows.
    init(
        _ touch: SketchedTouch, on panel: PanelSize, patience: Int = 200, holds: @escaping (SketchedTouch) -> Bool
    ) {
        (self.touch, self.panel, self.patience, self.holds) = (touch, panel, patience, holds)
    }

    mutating func shrink() {
        dropMovements()
        for grid in [100.0, 50, 10, 5] where attempt(touch.rounded(to: grid, on: panel)) { break }
        roundTimes()
        dropMovements()
    }

    @discardableResult
    private mutating func attempt(_ candidate: SketchedTouch) -> Bool {
        guard patience > 0, candidate != touch else { return false }
        patience -= 1
        guard holds(candidate) else { return false }
        touch = candidate
        return true
    }

    /// Leaves out reports of movements: first half of them, then quarters, and so on.
    private mutating func dropMovements() {
        var length = max(1, touch.frames.count / 2)
        while length >= 1 {
            var start = 0
            while start < touch.frames.count {
                if !attempt(touch.withoutMovements(in: start..<min(start + length, touch.frames.count))) {
                    start += length
                }
            }
            length = length == 1 ? 0 : length / 2
        }
    }

    private mutating func roundTimes() {
        for index in touch.frames.indices {
            for step: Int64 in [100, 50, 10] {
                var candidate = touch
                candidate.frames[index].wait = (touch.frames[index].wait + step / 2) / step * step
                if candidate.frames[index].wait > 0, attempt(candidate) { break }
            }
        }
    }
}

extension SketchedTouch {
    /// The touch without the movements of some frames; what remains has the same times.
    fileprivate func withoutMovements(in range: Range<Int>) -> Self {
        var result = SketchedTouch()
        var pause: Int64 = 0
        for (index, frame) in frames.enumerated() {
            let kept = range.contains(index) ? frame.changes.filter { $0.action != .move } : frame.changes
            pause += frame.wait
            guard !kept.isEmpty else { continue }
            result.frames.append(Frame(wait: pause, changes: kept))
            pause = 0
        }
        return result
    }

    /// The touch with positions on a grid.
    fileprivate func rounded(to grid: Double, on panel: PanelSize) -> Self {
        func rounded(_ value: Double, _ size: Double) -> Double {
            let most = ((size - 1) / grid).rounded(.down) * grid
            return min((value / grid).rounded() * grid, max(most, 0))
        }
        var result = self
        for frame in frames.indices {
            for change in frames[frame].changes.indices {
                let (x, y) = (frames[frame].changes[change].x, frames[frame].changes[change].y)
                result.frames[frame].changes[change].x = rounded(x, panel.widthPixels)
                result.frames[frame].changes[change].y = rounded(y, panel.heightPixels)
            }
        }
        return result
    }
}
