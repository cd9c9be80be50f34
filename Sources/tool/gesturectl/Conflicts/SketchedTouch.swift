// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import Recordings
import TouchScripts

/// A touch in output pixels, which can be played on a panel and printed for `gesturectl try`.
struct SketchedTouch: Hashable {
    enum Action: Hashable {
        case down, move, up
    }

    struct Change: Hashable {
        /// The number of the contact, counted from 0 in the order of landings.
        var contact: Int
        var action: Action
        /// The position in output pixels.
        var x: Double
        var y: Double

        /// The position in millimetres.
        func place(on panel: PanelSize) -> Point {
            Point(x: x * panel.millimetersPerPixelX, y: y * panel.millimetersPerPixelY)
        }
    }

    struct Frame: Hashable {
        /// The time since the frame before, in milliseconds.
        var wait: Int64
        var changes: [Change]
    }

    /// The most contacts at a time.
    private static let slots = 10

    var frames: [Frame] = []

    /// The touch as statements: `down a 600,400; +90ms; up a`.
    var notation: String {
        frames.map { frame in
            let changes = frame.changes.map(Self.text).joined(separator: " & ")
            return frame.wait > 0 ? "+\(frame.wait)ms; \(changes)" : changes
        }.joined(separator: "; ")
    }

    /// Adds another touch.
    /// - Parameter wait: the time from the end of this one, in milliseconds.
    mutating func append(_ other: Self, after wait: Int64) {
        let landed = 1 + (frames.flatMap(\.changes).map(\.contact).max() ?? -1)
        for (index, frame) in other.frames.enumerated() {
            var frame = frame
            if index == 0, !frames.isEmpty { frame.wait += wait }
            for change in frame.changes.indices { frame.changes[change].contact += landed }
            frames.append(frame)
        }
    }

    private static func text(_ change: Change) -> String {
        let name =
            change.contact < 26
            ? String(UnicodeScalar(UInt8(ascii: "a") + UInt8(change.contact))) : "c\(change.contact)"
        let place = "\(shortest(change.x)),\(shortest(change.y))"
        return switch change.action {
        case .down: "down \(name) \(place)"
        case .move: "move \(name) \(place)"
        case .up: "up \(name)"
        }
    }

    /// The touch as a recording of a virtual panel.
    /// - Parameters:
    ///   - axes: the axes of the panel.
    ///   - start: the time of the first landing.
    func recording(of setup: PanelSetup, _ axes: DeviceAxes, from start: Timestamp) -> Recording {
        var recording = Recording(description: setup.description)
        var time = start
        var slots: [Int: Int32] = [:]
        for frame in frames {
            time = time + .milliseconds(frame.wait)
            var lifted: [Int] = []
            func add(_ code: UInt16, _ value: Int32) { recording.entries.append(.event(.axis(code, value, at: time))) }
            for change in frame.changes {
                let slot = slots[change.contact] ?? (0..<Int32(Self.slots)).first { !slots.values.contains($0) }
                guard let slot else { continue }
                slots[change.contact] = slot
                add(EventCode.absMTSlot, slot)
                if change.action == .up {
                    add(EventCode.absMTTrackingID, -1)
                    lifted.append(change.contact)
                    continue
                }
                if change.action == .down { add(EventCode.absMTTrackingID, Int32(clamping: change.contact)) }
                let place = axes.units(change.place(on: setup.size))
                add(EventCode.absMTPositionX, place.x)
                add(EventCode.absMTPositionY, place.y)
            }
            recording.entries.append(.event(.report(at: time)))
            for contact in lifted { slots[contact] = nil }
        }
        return recording
    }
}
