// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureConfiguration
package import GestureEngine
package import GesturePipeline
import GestureProtocol

/// The panel that a script is played on: it finds the places of a script, and converts them to units of the device.
package struct ScriptPanel: ~Copyable {
    /// A finger keeps this distance from the border of its region, in millimetres, if there is room.
    private static let clearance = 3.0
    /// The number of places along each side of a region that are tried.
    private static let steps = 32

    package let setup: PanelSetup
    private let engine: GestureEngine
    private let device: DeviceAxes

    package init(_ setup: PanelSetup) {
        self.setup = setup
        engine = GestureEngine(setup.regions, arbitration: setup.arbitration, bounds: setup.size.bounds)
        device = DeviceAxes(setup)
    }

    var size: PanelSize { setup.size }

    /// The position in units of the device. The finger stays on the glass.
    func units(_ point: Point) -> (x: Int32, y: Int32) { device.units(point) }

    // MARK: Places

    func point(_ spot: TouchScript.Spot) throws(ScriptError) -> Point {
        guard let pair = spot.point else { return try middle(of: spot.region ?? "", spot.position) }
        let box = try spot.region.map { name throws(ScriptError) in
            setup.regions[try index(of: name, spot.position)].bounds
        }
        let area = box ?? size.bounds
        let point = Point(
            x: area.minX + length(pair.x, of: area.width, size.millimetersPerPixelX),
            y: area.minY + length(pair.y, of: area.height, size.millimetersPerPixelY))
        guard size.bounds.contains(point) else {
            throw ScriptError(
                spot.position,
                "the position is outside the panel, which has \(plain(size.widthPixels)) x \(plain(size.heightPixels)) px, "
                    + "\(tenths(size.widthMillimeters)) x \(tenths(size.heightMillimeters)) mm")
        }
        return point
    }

    private func tenths(_ number: Double) -> String { plain((number * 10).rounded() / 10) }

    /// A length on the glass, in millimetres.
    func length(_ coordinate: TouchScript.Coordinate) -> Double {
        length(coordinate, of: max(size.widthMillimeters, size.heightMillimeters), size.millimetersPerPixelX)
    }

    private func length(_ coordinate: TouchScript.Coordinate, of whole: Double, _ pixel: Double) -> Double {
        switch coordinate.unit {
        case .millimeters: coordinate.number
        case .percent: coordinate.number / 100 * whole
        case .pixels, nil: coordinate.number * pixel
        }
    }

    func index(of region: String, _ position: TextPosition) throws(ScriptError) -> Int {
        if let index = setup.regions.firstIndex(where: { $0.id == region }) { return index }
        let names = setup.regions.map(\.id)
        let cure = Spelling.nearest(to: region, among: names).map { Spelling.hint($0) }
        let list = names.isEmpty ? "; there are none" : "; the regions are \(names.prefix(20).joined(separator: ", "))"
        throw ScriptError(position, "no region \"\(region)\"\(cure ?? list)")
    }

    /// The place nearest to the middle of a region where it receives a finger.
    private func middle(of region: String, _ position: TextPosition) throws(ScriptError) -> Point {
        let index = try index(of: region, position)
        guard setup.regions[index].isEnabled else {
            throw ScriptError(position, "region \"\(region)\" is off in this scene; choose another with --scene")
        }
        let box = setup.regions[index].bounds.intersection(setup.regions[index].clip).intersection(size.bounds)
        let middle = Point(x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2)
        let parts = (0..<Self.steps).map { (Double($0) + 0.5) / Double(Self.steps) }
        let grid = parts.flatMap { y in
            parts.map { x in Point(x: box.minX + x * box.width, y: box.minY + y * box.height) }
        }
        let places = [middle] + grid.sorted { ($0 - middle).squaredLength < ($1 - middle).squaredLength }
        let own = places.filter { receives($0, index) }
        let clear = own.first { place in
            [Vector(dx: 1, dy: 0), Vector(dx: -1, dy: 0), Vector(dx: 0, dy: 1), Vector(dx: 0, dy: -1)]
                .allSatisfy { receives(place + $0 * Self.clearance, index) }
        }
        guard let place = clear ?? own.first else {
            throw ScriptError(
                position,
                "no finger lands in region \"\(region)\": other regions cover it; name a position, or one of them")
        }
        return place
    }

    private func receives(_ point: Point, _ region: Int) -> Bool {
        guard size.bounds.contains(point) else { return false }
        let route = engine.route(at: point)
        return setup.regions[region].pass
            ? route.regions.contains { $0.raw == region } : route.owner?.raw == region
    }

    // MARK: Shapes

    /// The regions in which a script may mean a gesture: its region, or all of them.
    func regions(of spot: TouchScript.Spot?) throws(ScriptError) -> [Region] {
        guard let spot, let region = spot.region else { return setup.regions }
        return [setup.regions[try index(of: region, spot.position)]]
    }
}

/// The inverse of a panel's `AxisMapping`, which is affine.
package struct DeviceAxes {
    private let origin: Point
    /// The movements on the glass that correspond to the whole axes.
    private let (across, down): (Vector, Vector)
    private let (x, y): (AxisRange, AxisRange)

    package init(_ setup: PanelSetup) {
        let corners = setup.mapping.corners
        (origin, across, down) = (corners[0], corners[1] - corners[0], corners[3] - corners[0])
        let none = AxisRange(minimum: 0, maximum: 0)
        (x, y) = setup.description.positionAxes ?? (none, none)
    }

    /// The position in units of the device.
    package func units(_ point: Point) -> (x: Int32, y: Int32) {
        let way = point - origin
        let area = across.dx * down.dy - across.dy * down.dx
        guard area != 0 else { return (x.minimum, y.minimum) }
        return (
            Self.value((way.dx * down.dy - way.dy * down.dx) / area, x),
            Self.value((across.dx * way.dy - across.dy * way.dx) / area, y)
        )
    }

    /// The value at a part of an axis.
    private static func value(_ part: Double, _ axis: AxisRange) -> Int32 {
        let value = Double(axis.minimum) + (part * Double(axis.count)).rounded()
        return Int32(min(max(value, Double(axis.minimum)), Double(axis.maximum)))
    }
}

extension PanelSetup {
    /// The number of a virtual panel's units in a pixel: those to which positions are rounded.
    private static let unitsPerPixel = 1024.0

    /// Creates the setup of a virtual panel, as the configuration describes it.
    /// - Parameters:
    ///   - size: overrides the size from the rule.
    ///   - isPlugged: whether a daemon shall find the panel among its devices, by the same rule. Without a size in
    ///     the rule, the daemon takes units for pixels.
    package init(
        virtual configuration: Configuration, rule: DeviceRule?, size: PanelSize? = nil, isPlugged: Bool = false
    ) {
        self.init(nominal: configuration, rule: rule, size: size)
        let change = configuration.outputChange(for: description, named: device)
        output = output.applying(change)
        let hasSize = rule?.output.sizePixels != nil
        description = Self.virtualPanel(self.size, output, isPlugged && !hasSize ? 1 : Self.unitsPerPixel)
        if isPlugged, let rule { description = rule.match.identifying(description) }
        touchProtocol = .slots(count: 10)
        mapping = AxisMapping(description, output: output)
        application = configuration.application(for: self.size, rule: rule)
        if let rule { (share, cancel, wake) = (rule.share, rule.cancel, rule.wake) }
    }

    private static func virtualPanel(
        _ size: PanelSize, _ output: OutputSettings, _ unitsPerPixel: Double
    ) -> DeviceDescription {
        let matrix = AffineMatrix.identity.rotated(by: output.rotation)
        let isUpright = abs(matrix.a) >= abs(matrix.b)
        func axis(_ pixels: Double, _ millimeters: Double) -> AxisRange {
            let count = min(pixels * unitsPerPixel, Double(Int32.max)).rounded()
            return AxisRange(
                minimum: 0, maximum: Int32(count) - 1, resolution: Int32((count / max(millimeters, 1)).rounded()))
        }
        let wide = axis(size.widthPixels, size.widthMillimeters)
        let high = axis(size.heightPixels, size.heightMillimeters)
        return DeviceDescription(
            name: "gestured virtual panel", bus: 0x06, properties: [1], keys: [Int(EventCode.btnTouch)],
            axes: [
                Int(EventCode.absMTSlot): AxisRange(minimum: 0, maximum: 9),
                Int(EventCode.absMTTrackingID): AxisRange(minimum: 0, maximum: 65535),
                Int(EventCode.absMTPositionX): isUpright ? wide : high,
                Int(EventCode.absMTPositionY): isUpright ? high : wide,
                Int(EventCode.absMTToolType): AxisRange(minimum: 0, maximum: 2),
            ])
    }
}
