// SPDX-License-Identifier: MIT
import GestureProtocol

/// What lies on one panel now: contacts, where they came from, and the regions under them.
struct TouchPicture {
    struct Contact: Hashable {
        var id: Int64
        var slot: Int64
        var x: Double
        var y: Double
        var region: String?
        var major: Double?
    }

    private struct Footprint {
        var time: Int64
        var x: Double
        var y: Double
    }

    /// How long a trail is seen, in microseconds.
    private static let memory: Int64 = 1_000_000

    let device: String
    /// The panel is not there now.
    var isMissing = false
    private var width: Double
    private var height: Double
    private var regions: [RegionEntry]
    private(set) var contacts: [Contact] = []
    private var trails: [Int64: [Footprint]] = [:]

    /// - Parameters:
    ///   - width, height: of the output in pixels.
    init(device: String, width: Double, height: Double, regions: [RegionEntry]) {
        self.device = device
        self.width = max(1, width)
        self.height = max(1, height)
        self.regions = regions.filter { $0.device == device && $0.enabled }
    }

    /// Takes over size and regions; contacts and trails stay.
    mutating func show(_ other: TouchPicture) {
        (width, height, regions, isMissing) = (other.width, other.height, other.regions, false)
    }

    /// Something is to be drawn that will fade.
    var hasTrails: Bool { !trails.isEmpty }

    /// Takes over one `touches` line.
    mutating func follow(_ event: JSONValue) {
        let time = event["time_us"]?.integer ?? 0
        contacts = (event["contacts"]?.elements ?? []).compactMap(Contact.init)
        for contact in contacts {
            trails[contact.id, default: []].append(Footprint(time: time, x: contact.x, y: contact.y))
        }
        fade(at: time)
    }

    /// Forgets what is too old to be seen.
    mutating func fade(at time: Int64) {
        for (id, trail) in trails {
            let rest = trail.filter { time - $0.time < Self.memory }
            trails[id] = rest.isEmpty ? nil : rest
        }
    }

    /// The picture, and under it a line for each contact.
    func lines(columns: Int, rows: Int) -> [String] {
        if isMissing { return ["\(device.safe): not ready; see gesturectl devices"] }
        let listed = min(contacts.count, max(1, rows / 3))
        // Cells are about twice as high as wide, and hold 2 x 4 dots: dots are square.
        let room = max(1, rows - listed - 1)
        let scale = min(Double(columns * 2) / width, Double(room * 4) / height)
        var canvas = BrailleCanvas(
            columns: min(columns, Int((width * scale / 2).rounded(.up))),
            rows: min(room, Int((height * scale / 4).rounded(.up))))
        for region in regions { draw(region, scale, &canvas) }
        for trail in trails.values {
            for (a, b) in zip(trail, trail.dropFirst()) {
                canvas.line(from: Self.dot(a.x, a.y, scale), to: Self.dot(b.x, b.y, scale))
            }
        }
        for contact in contacts {
            let dot = Self.dot(contact.x, contact.y, scale)
            canvas.write("\(contact.slot % 10)", column: dot.x / 2, row: dot.y / 4)
        }
        return canvas.lines + contacts.prefix(listed).map(Self.text)
    }

    private func draw(_ region: RegionEntry, _ scale: Double, _ canvas: inout BrailleCanvas) {
        let corners = region.shape.outline.map { Self.dot($0.x, $0.y, scale) }
        guard let first = corners.first else { return }
        let limit = (x: canvas.width - 1, y: canvas.height - 1)
        let inside = corners.map { (x: min(max($0.x, 0), limit.x), y: min(max($0.y, 0), limit.y)) }
        for (a, b) in zip(inside, inside.dropFirst() + inside.prefix(1)) { canvas.line(from: a, to: b) }
        let left = inside.map { $0.x }.min() ?? first.x
        let top = inside.map { $0.y }.min() ?? first.y
        let bottom = inside.map { $0.y }.max() ?? first.y
        // Regions that begin at the same corner have their names one below the other.
        let rows = (top / 4 + (top % 4 > 1 ? 1 : 0))...max(top / 4 + 1, bottom / 4)
        let row = rows.first { canvas.isFree(column: left / 2 + 1, row: $0, count: region.id.count) }
        canvas.write(region.id, column: left / 2 + 1, row: row ?? rows.lowerBound)
    }

    private static func dot(_ x: Double, _ y: Double, _ scale: Double) -> (x: Int, y: Int) {
        (Int((x * scale).clamped), Int((y * scale).clamped))
    }

    private static func text(_ contact: Contact) -> String {
        var text = "\(contact.slot % 10)  slot \(contact.slot)  id \(contact.id)  "
        text += "\(shortest(contact.x)),\(shortest(contact.y))  \(contact.region ?? "no region")"
        if let major = contact.major { text += "  \(shortest(major)) mm" }
        return text
    }
}

extension TouchPicture.Contact {
    /// - Returns: nil when a key that must be there is missing or of another type.
    init?(_ json: JSONValue) {
        guard let id = json["id"]?.integer, let slot = json["slot"]?.integer, let x = json["x"]?.number,
            let y = json["y"]?.number
        else { return nil }
        self.init(
            id: id, slot: slot, x: x, y: y, region: json["region"]?.string?.safe, major: json["major_mm"]?.number)
    }
}

extension RegionEntry.Shape {
    /// Its corners; a circle is a polygon of many.
    var outline: [RegionEntry.Corner] {
        switch self {
        case .rect(let x, let y, let width, let height):
            return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)].map {
                RegionEntry.Corner(x: $0.0, y: $0.1)
            }
        case .polygon(let corners): return corners
        case .circle(let x, let y, let radius):
            // The unit vectors of a regular polygon with 16 corners, by turning the first again and again.
            let turn = (cos: 0.923_879_532_511_286_7, sin: 0.382_683_432_365_089_8)
            var arm = (x: radius, y: 0.0)
            return (0..<16).map { _ in
                defer { arm = (arm.x * turn.cos - arm.y * turn.sin, arm.x * turn.sin + arm.y * turn.cos) }
                return RegionEntry.Corner(x: x + arm.x, y: y + arm.y)
            }
        }
    }
}

extension Double {
    /// Safe to make an `Int` of: a daemon of another version may say anything.
    fileprivate var clamped: Double { isFinite ? Swift.min(Swift.max(self, -1e6), 1e6) : 0 }
}
