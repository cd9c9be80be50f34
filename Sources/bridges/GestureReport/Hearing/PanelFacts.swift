// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol

/// The panels and regions as the daemon's replies describe them.
struct PanelFacts {
    /// A region's bounding box on its panel, in tenths of a millimetre.
    struct Box: Hashable {
        var device: String
        var region: String
        var left: Int
        var top: Int
        var right: Int
        var bottom: Int
    }

    private struct Scale {
        var grid: CellGrid
        /// Millimetres for each pixel.
        var x: Double
        var y: Double
    }

    private let background: [String]
    private let takesLeased: Bool
    private var scales: [String: Scale] = [:]
    private var passing: Set<String> = []
    private(set) var ready: Set<String> = []
    private(set) var boxes: Set<Box> = []

    init(background: [String], leased: Bool) { (self.background, takesLeased) = (background, leased) }

    mutating func take(devices reply: JSONValue) {
        (scales, ready) = ([:], [])
        for device in GestureClient.Device.all(in: reply) where device.state == "ready" {
            ready.insert(device.id)
            guard let output = device.output, output.width > 0, output.height > 0,
                let grid = CellGrid(width: output.physicalWidth, height: output.physicalHeight)
            else { continue }
            scales[device.id] = Scale(
                grid: grid, x: output.physicalWidth / output.width, y: output.physicalHeight / output.height)
        }
    }

    mutating func take(regions reply: JSONValue) {
        let regions = reply.list("regions").map { GestureClient.Region($0) }.filter { !$0.isPrivate }
        passing = Set(regions.filter { $0.isPass }.map { $0.id })
        boxes = Set(regions.filter { takesLeased || !$0.isLeased }.compactMap { box($0) })
    }

    /// Whether touches of a region do not show that something is there: it stands for the empty screen.
    func isNothing(_ region: String) -> Bool { background.contains { Glob($0).matches(region) } }

    /// Whether a region lets touches through to others.
    func passes(_ region: String) -> Bool { passing.contains(region) }

    /// The cell of a position in output pixels.
    func cell(_ position: GestureClient.Point, on device: String) -> (grid: CellGrid, cell: Int)? {
        guard let scale = scales[device],
            let cell = scale.grid.cell(x: position.x * scale.x, y: position.y * scale.y)
        else { return nil }
        return (scale.grid, cell)
    }

    /// A position in output pixels, in millimetres.
    func place(_ position: GestureClient.Point, on device: String, at time: Int64) -> DragMotion.Place? {
        scales[device].map { .init(x: position.x * $0.x, y: position.y * $0.y, time: time) }
    }

    /// The distance of two positions in output pixels, in millimetres.
    func distance(_ a: GestureClient.Point, _ b: GestureClient.Point, on device: String) -> Double? {
        guard let scale = scales[device] else { return nil }
        let (x, y) = ((a.x - b.x) * scale.x, (a.y - b.y) * scale.y)
        return (x * x + y * y).squareRoot()
    }

    private func box(_ region: GestureClient.Region) -> Box? {
        guard let scale = scales[region.device], let shape = region.shape else { return nil }
        let (x, y): (ClosedRange<Double>, ClosedRange<Double>)
        switch shape {
        case .rectangle(let left, let top, let width, let height):
            (x, y) = (left...max(left, left + width), top...max(top, top + height))
        case .circle(let center, let radius):
            (x, y) = (center.x - abs(radius)...center.x + abs(radius), center.y - abs(radius)...center.y + abs(radius))
        case .polygon(let corners):
            guard let left = corners.map(\.x).min(), let right = corners.map(\.x).max(),
                let top = corners.map(\.y).min(), let bottom = corners.map(\.y).max()
            else { return nil }
            (x, y) = (left...right, top...bottom)
        }
        func tenths(_ pixels: Double, _ scale: Double) -> Int {
            Int(max(-1e6, min(pixels * scale * 10, 1e6)).rounded())
        }
        return Box(
            device: region.device, region: region.id, left: tenths(x.lowerBound, scale.x),
            top: tenths(y.lowerBound, scale.y), right: tenths(x.upperBound, scale.x),
            bottom: tenths(y.upperBound, scale.y))
    }
}
