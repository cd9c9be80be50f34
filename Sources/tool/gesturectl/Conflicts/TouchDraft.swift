// SPDX-License-Identifier: MIT
import GestureEngine

/// A touch that is being drawn, in millimetres on the glass.
struct TouchDraft {
    private struct Frame {
        var wait: Int64
        var changes: [(contact: Int, action: SketchedTouch.Action, position: Point)]
    }

    /// The time from one report to the next, in milliseconds.
    static let report: Int64 = 10

    private var frames: [Frame] = []
    /// The time since the last frame, in milliseconds.
    private var pause: Int64 = 0
    private var next = 0
    private var contacts: [(id: Int, position: Point)] = []

    mutating func wait(_ milliseconds: Int64) { pause += max(0, milliseconds) }

    mutating func down(_ points: some Sequence<Point>) {
        var changes: [(contact: Int, action: SketchedTouch.Action, position: Point)] = []
        for point in points {
            contacts.append((next, point))
            changes.append((next, .down, point))
            next += 1
        }
        add(changes)
    }

    /// Moves all contacts with one report after the usual time.
    /// - Parameter points: a position for each contact, in the order of landings.
    mutating func move(to points: [Point]) {
        pause += Self.report
        for (index, point) in zip(contacts.indices, points) { contacts[index].position = point }
        add(zip(contacts, points).map { ($0.id, .move, $1) })
    }

    mutating func up() {
        add(contacts.map { ($0.id, .up, $0.position) })
        contacts = []
    }

    /// A touch without movement.
    mutating func touch(_ points: [Point], for milliseconds: Int64) {
        down(points)
        wait(milliseconds)
        up()
    }

    private mutating func add(_ changes: [(contact: Int, action: SketchedTouch.Action, position: Point)]) {
        guard !changes.isEmpty else { return }
        frames.append(Frame(wait: pause, changes: changes))
        pause = 0
    }

    /// The touch in pixels: whole ones, or tenths of pixels that are larger than half a millimetre.
    func sketch(on panel: PanelSize) -> SketchedTouch {
        let (width, height) = (panel.millimetersPerPixelX, panel.millimetersPerPixelY)
        func pixels(_ length: Double, _ size: Double, _ most: Double) -> Double {
            let units = size > 0.5 ? 10.0 : 1
            let last = (most * units).rounded(.up) / units - 1 / units
            return min(max((length / size * units).rounded() / units, 0), last)
        }
        return SketchedTouch(
            frames: frames.map { frame in
                SketchedTouch.Frame(
                    wait: frame.wait,
                    changes: frame.changes.map { change in
                        SketchedTouch.Change(
                            contact: change.contact, action: change.action,
                            x: pixels(change.position.x, width, panel.widthPixels),
                            y: pixels(change.position.y, height, panel.heightPixels))
                    })
            })
    }
}
