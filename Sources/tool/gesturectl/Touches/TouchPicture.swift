// SPDX-License-Identifier: MIT
import CLinux
import GestureClient

/// A picture of one panel: its contacts, their trails, and the regions.
struct TouchPicture {
    /// The time for which a trail is shown, in microseconds.
    private static let memory: Int64 = 1_000_000
    /// The number of lines for contacts below the picture: one for each finger of a hand.
    private static let listedContacts = 5

    let device: String
    /// Whether the panel is not ready.
    var isMissing = false
    private var width: Double
    private var height: Double
    private var regions: [GestureClient.Region]
    private(set) var contacts: [GestureClient.Contact] = []
    private var ignored: [GestureClient.IgnoredContact] = []
    private var trails: [Int: [(time: Int64, position: GestureClient.Point)]] = [:]

    /// - Parameters:
    ///   - width, height: the size of the output in pixels.
    init(device: String, width: Double, height: Double, regions: [GestureClient.Region]) {
        self.device = device
        self.width = max(1, width)
        self.height = max(1, height)
        self.regions = regions.filter { $0.device == device && $0.isEnabled }
    }

    /// Takes size and regions from another picture; contacts and trails are kept.
    mutating func show(_ other: TouchPicture) {
        (width, height, regions, isMissing) = (other.width, other.height, other.regions, false)
    }

    /// Whether there are trails. They fade, so the picture must be redrawn.
    var hasTrails: Bool { !trails.isEmpty }

    /// Handles a `touches` line.
    mutating func follow(_ touches: GestureClient.Touches) {
        let time = Int64(touches.time)
        contacts = touches.contacts
        ignored = touches.ignored
        for contact in contacts {
            trails[contact.id, default: []].append((time, contact.position))
        }
        fade(at: time)
    }

    /// Removes the parts of trails that are too old.
    mutating func fade(at time: Int64) {
        for (id, trail) in trails {
            let rest = trail.filter { time - $0.time < Self.memory }
            trails[id] = rest.isEmpty ? nil : rest
        }
    }

    /// Returns the lines of the picture, followed by a line for each contact.
    func lines(columns: Int, rows: Int) -> [String] {
        if isMissing { return ["\(device.safe): not ready; see gesturectl devices"] }
        let texts = contacts.map(Self.text) + ignored.map(Self.text)
        // The reserved space does not depend on the number of contacts, so that the scale stays constant.
        let reserved = min(Self.listedContacts, max(1, rows / 3))
        // Cells are about twice as high as wide and hold 2 x 4 dots, so dots are square.
        let room = max(1, rows - reserved - 1)
        let scale = min(Double(columns * 2) / width, Double(room * 4) / height)
        var canvas = BrailleCanvas(
            columns: min(columns, Int((width * scale / 2).rounded(.up))),
            rows: min(room, Int((height * scale / 4).rounded(.up))))
        for region in regions { draw(region, scale, &canvas) }
        for trail in trails.values {
            for (a, b) in zip(trail, trail.dropFirst()) {
                canvas.line(from: Self.dot(a.position, scale), to: Self.dot(b.position, scale))
            }
        }
        for contact in contacts {
            let dot = Self.dot(contact.position, scale)
            canvas.write("\(contact.slot % 10)", column: dot.x / 2, row: dot.y / 4)
        }
        for contact in ignored {
            let dot = Self.dot(contact.position, scale)
            canvas.write("x", column: dot.x / 2, row: dot.y / 4)
        }
        return canvas.lines + texts.prefix(reserved)
    }

    private func draw(_ region: GestureClient.Region, _ scale: Double, _ canvas: inout BrailleCanvas) {
        let corners = (region.shape?.outline ?? []).map { Self.dot($0, scale) }
        guard let first = corners.first else { return }
        let limit = (x: canvas.width - 1, y: canvas.height - 1)
        let inside = corners.map { (x: min(max($0.x, 0), limit.x), y: min(max($0.y, 0), limit.y)) }
        for (a, b) in zip(inside, inside.dropFirst() + inside.prefix(1)) { canvas.line(from: a, to: b) }
        let left = inside.map { $0.x }.min() ?? first.x
        let top = inside.map { $0.y }.min() ?? first.y
        let bottom = inside.map { $0.y }.max() ?? first.y
        // The names of regions with the same corner are placed one below the other.
        let rows = (top / 4 + (top % 4 > 1 ? 1 : 0))...max(top / 4 + 1, bottom / 4)
        let row = rows.first { canvas.isFree(column: left / 2 + 1, row: $0, count: region.id.columns) }
        canvas.write(region.id, column: left / 2 + 1, row: row ?? rows.lowerBound)
    }

    private static func dot(_ point: GestureClient.Point, _ scale: Double) -> (x: Int, y: Int) {
        (Int((point.x * scale).clamped), Int((point.y * scale).clamped))
    }

    private static func text(_ contact: GestureClient.IgnoredContact) -> String {
        "x  slot \(contact.slot)  \(shortest(contact.position.x)),\(shortest(contact.position.y))  "
            + "ignored, see \(Explanation.place(ofFilter: contact.filter.safe))"
    }

    private static func text(_ contact: GestureClient.Contact) -> String {
        var text = "\(contact.slot % 10)  slot \(contact.slot)  id \(contact.id)  "
        text += "\(shortest(contact.position.x)),\(shortest(contact.position.y))  "
        text += "\(contact.region?.safe ?? "no region")"
        if let major = contact.major { text += "  \(shortest(major)) mm" }
        return text
    }
}

extension GestureClient.Shape {
    /// The corners of the outline; a circle is approximated by a regular polygon.
    fileprivate var outline: [GestureClient.Point] {
        switch self {
        case .rectangle(let x, let y, let width, let height):
            return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)].map { .init(x: $0.0, y: $0.1) }
        case .polygon(let corners): return corners
        case .circle(let center, let radius):
            // A polygon of 16 corners: the radius is repeatedly rotated by 22.5 degrees.
            let turn = (cos: 0.923_879_532_511_286_7, sin: 0.382_683_432_365_089_8)
            var arm = (x: radius, y: 0.0)
            return (0..<16).map { _ in
                defer { arm = (arm.x * turn.cos - arm.y * turn.sin, arm.x * turn.sin + arm.y * turn.cos) }
                return .init(x: center.x + arm.x, y: center.y + arm.y)
            }
        }
    }
}

extension Double {
    /// The value, clamped so that a conversion to `Int` does not trap. A program other than gestured may listen on the
    /// socket and send any number.
    fileprivate var clamped: Double { isFinite ? Swift.min(Swift.max(self, -1e6), 1e6) : 0 }
}

/// A picture of dots and text for a terminal: each character is a braille pattern of 2 x 4 dots.
struct BrailleCanvas {
    let columns: Int
    let rows: Int
    private var dots: [UInt8]
    /// The text of each cell. The second cell of a wide letter has none.
    private var letters: [String?]

    /// The number of dots across and down.
    var width: Int { columns * 2 }
    var height: Int { rows * 4 }

    init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        dots = Array(repeating: 0, count: self.columns * self.rows)
        letters = Array(repeating: nil, count: self.columns * self.rows)
    }

    /// Sets a dot; dots outside the picture are ignored.
    mutating func set(_ x: Int, _ y: Int) {
        guard x >= 0, y >= 0, x < width, y < height else { return }
        // Unicode numbers the dots of a pattern 1-3 down the left side, 4-6 down the right side, 7 and 8 below.
        let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
        dots[y / 4 * columns + x / 2] |= bits[y % 4][x % 2]
    }

    /// Sets the dots between two points, including both.
    mutating func line(from a: (x: Int, y: Int), to b: (x: Int, y: Int)) {
        let steps = min(max(abs(b.x - a.x), abs(b.y - a.y), 1), width + height)
        for step in 0...steps {
            set(a.x + (b.x - a.x) * step / steps, a.y + (b.y - a.y) * step / steps)
        }
    }

    /// Whether no text has been written at this position.
    func isFree(column: Int, row: Int, count: Int) -> Bool {
        guard row >= 0, row < rows else { return false }
        return (column..<column + max(0, count)).allSatisfy { column in
            column < 0 || column >= columns || letters[row * columns + column] == nil
        }
    }

    /// Writes text over the dots; characters outside the picture are left out.
    mutating func write(_ text: String, column: Int, row: Int) {
        guard row >= 0, row < rows else { return }
        var place = column
        for letter in text.map(String.init) where letter.columns > 0 {
            let next = place + letter.columns
            if place >= 0, next <= columns {
                letters[row * columns + place] = letter
                for rest in place + 1..<next { letters[row * columns + rest] = "" }
            }
            place = next
        }
    }

    /// The rows as strings, without blanks at the end.
    var lines: [String] {
        (0..<rows).map { row in
            var line = ""
            for column in 0..<columns {
                let index = row * columns + column
                let pattern = Unicode.Scalar(0x2800 + UInt32(dots[index])).map { String($0) } ?? " "
                line.append(letters[index] ?? (dots[index] == 0 ? " " : pattern))
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
