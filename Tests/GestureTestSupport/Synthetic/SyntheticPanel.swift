// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine

/// A fictitious panel with the properties of real ones, which have rates of 64 to 242 Hz, 2 to 60 slots, and mostly no
/// resolution.
package struct SyntheticPanel: Sendable {
    package var name: String
    /// The size of the glass in millimetres.
    package var width: Double
    package var height: Double
    var unitsPerMillimeter: Double
    /// Whether the axes state the number of units per millimetre.
    var hasResolution = false
    package var slots: Int
    /// Reports per second.
    package var rate: Double
    /// Whether the panel has `BTN_TOUCH`, `ABS_X` and `ABS_Y`, which the kernel adds.
    var hasButton = true
    package var isTouchpad = false

    static let all = [
        SyntheticPanel(name: "two-slots-64", width: 152, height: 91, unitsPerMillimeter: 5.26, slots: 2, rate: 64),
        SyntheticPanel(name: "seven-inches-73", width: 154, height: 86, unitsPerMillimeter: 5.19, slots: 10, rate: 73),
        SyntheticPanel(
            name: "phone-100", width: 64, height: 107, unitsPerMillimeter: 24, slots: 10, rate: 100, hasButton: false),
        SyntheticPanel(
            name: "laptop-120", width: 344, height: 194, unitsPerMillimeter: 40, hasResolution: true, slots: 16,
            rate: 120),
        SyntheticPanel(
            name: "monitor-133", width: 527, height: 296, unitsPerMillimeter: 10, hasResolution: true, slots: 40,
            rate: 133),
        SyntheticPanel(name: "wall-242", width: 1210, height: 680, unitsPerMillimeter: 27, slots: 60, rate: 242),
        SyntheticPanel(
            name: "touchpad-80", width: 100, height: 60, unitsPerMillimeter: 40, slots: 2, rate: 80, isTouchpad: true),
    ]

    package static let sevenInches = all[1]
    package static let laptop = all[3]

    private var lastUnits: (x: Int, y: Int) {
        (Int(width * unitsPerMillimeter) - 1, Int(height * unitsPerMillimeter) - 1)
    }

    func units(_ position: Point) -> (x: Int, y: Int) {
        let (x, y) = (
            Int((position.x * unitsPerMillimeter).rounded()), Int((position.y * unitsPerMillimeter).rounded())
        )
        return (min(max(x, 0), lastUnits.x), min(max(y, 0), lastUnits.y))
    }

    /// The description of the device in evemu's format.
    var description: String {
        let resolution = hasResolution ? Int(unitsPerMillimeter) : 0
        let none = " 00 00 00 00 00 00 00 00\n"
        let keys =
            hasButton
            ? String(repeating: "B: 01" + none, count: 5) + "B: 01 \(isTouchpad ? "20" : "00") 04 00 00 00 00 00 00\n"
            : ""
        let (x, y) = ("0 \(lastUnits.x) 0 0 \(resolution)\n", "0 \(lastUnits.y) 0 0 \(resolution)\n")
        return """
            # EVEMU 1.2
            N: Synthetic \(name)
            I: 0003 0001 0001 0100
            P: \(isTouchpad ? "01" : "02") 00 00 00 00 00 00 00
            \(keys)B: 03 \(hasButton ? "03" : "00") 00 00 00 00 80 60 02

            """ + (hasButton ? "A: 00 \(x)A: 01 \(y)" : "")
                + "A: 2f 0 \(slots - 1) 0 0 0\nA: 35 \(x)A: 36 \(y)A: 39 0 65535 0 0 0\n"
    }
}

/// Writes the events that a panel's driver and the kernel would report for fingers, without repeating unchanged values.
struct SyntheticWriter {
    private let panel: SyntheticPanel
    private(set) var text = ""
    private(set) var contacts = SyntheticRecording.Contacts()
    private var time = 0.0
    private var slot = 0
    /// The finger in each slot.
    private var owners: [Int?]
    private var places: [(x: Int, y: Int)]
    private var pointer = (x: 0, y: 0)
    private var frame: [String] = []

    init(_ panel: SyntheticPanel) {
        self.panel = panel
        text = panel.description
        owners = Array(repeating: nil, count: panel.slots)
        places = Array(repeating: (0, 0), count: panel.slots)
    }

    /// Reports one frame.
    ///
    /// - Parameters:
    ///   - milliseconds: the time since the first frame.
    ///   - fingers: the fingers that are down, by number, with their positions.
    mutating func report(_ fingers: [(number: Int, place: (x: Int, y: Int))], at milliseconds: Double) {
        time = milliseconds
        let before = owners.count { $0 != nil }
        for index in owners.indices {
            guard let owner = owners[index], !fingers.contains(where: { $0.number == owner }) else { continue }
            owners[index] = nil
            append(index, "0039 -1")
        }
        for (number, place) in fingers { update(number, place) }
        let count = owners.count { $0 != nil }
        contacts.atOnce = max(contacts.atOnce, count)
        if before == 0, count > 0 { contacts.spans += 1 }
        if panel.hasButton {
            if (before == 0) != (count == 0) { frame.append("0001 014a \(count == 0 ? 0 : 1)") }
            if let oldest = oldest { pointTo(places[oldest]) }
        }
        flush()
    }

    private var oldest: Int? { owners.indices.filter { owners[$0] != nil }.min { owners[$0] ?? 0 < owners[$1] ?? 0 } }

    private mutating func update(_ number: Int, _ place: (x: Int, y: Int)) {
        var index = owners.firstIndex(of: number)
        if index == nil, let free = owners.firstIndex(of: nil) {
            index = free
            owners[free] = number
            append(free, "0039 \(100 + contacts.all)")
            contacts.all += 1
        }
        guard let index else { return }
        if place.x != places[index].x { append(index, "0035 \(place.x)") }
        if place.y != places[index].y { append(index, "0036 \(place.y)") }
        places[index] = place
    }

    private mutating func pointTo(_ place: (x: Int, y: Int)) {
        if place.x != pointer.x { frame.append("0003 0000 \(place.x)") }
        if place.y != pointer.y { frame.append("0003 0001 \(place.y)") }
        pointer = place
    }

    private mutating func append(_ index: Int, _ event: String) {
        if slot != index { frame.append("0003 002f \(index)") }
        slot = index
        frame.append("0003 " + event)
    }

    private mutating func flush() {
        guard !frame.isEmpty else { return }
        // A recording need not begin at time 0.
        let microseconds = 5_000_000 + Int((time * 1000).rounded())
        let fraction = String(1_000_000 + microseconds % 1_000_000).dropFirst()
        let stamp = "E: \(microseconds / 1_000_000).\(fraction) "
        for event in frame + ["0000 0000 0"] { text += stamp + event + "\n" }
        frame.removeAll()
    }
}
