// SPDX-License-Identifier: MIT
import GestureEngine

/// A region that a finger has to hit.
struct AccessibilityTarget {
    /// The side of a square in pixels that a target contains, and the diameter of the circle around a smaller one (WCAG 2.2,
    /// 2.5.8). Pixels of the output are taken for CSS pixels.
    static let pixels = 24.0
    /// The side of a target in millimetres that Android's guidance recommends, as it depends on the finger.
    static let fingerMillimeters = 9.0

    let index: RegionIndex
    /// The shape in pixels.
    let shape: Shape
    /// The middle of the visible part of the bounding box, in pixels.
    let center: Point
    /// The largest rectangle inside the visible part, with the margin, in pixels. For a polygon, the bounding box is taken.
    let core: Rectangle
    /// The width and the height of `core` in millimetres.
    let size: (width: Double, height: Double)
    /// The rectangle of `core` if nothing cut the shape, in millimetres.
    let uncut: Rectangle

    var isSmall: Bool { Self.pixels.exceeds(core.width) || Self.pixels.exceeds(core.height) }
    var isSmallForFingers: Bool {
        Self.fingerMillimeters.exceeds(size.width) || Self.fingerMillimeters.exceeds(size.height)
    }

    /// - Returns: `nil` if no gesture of the region has a target, or if the region cannot be hit.
    init?(_ index: RegionIndex, in layout: PanelLayout, _ scenes: SceneMembers) {
        let region = layout.regions[index]
        guard region.gestures.contains(where: { $0.hasTarget }) else { return nil }
        let visible = region.bounds.intersection(region.clip).intersection(layout.panel.bounds)
        guard !visible.isEmpty, !region.shape.isFlat else { return nil }
        let (x, y) = (layout.panel.millimetersPerPixelX, layout.panel.millimetersPerPixelY)
        var core = region.core.intersection(visible)
        if region.margin > 0, !region.pass { core = Self.grown(core, index, in: layout, scenes) }
        self.index = index
        uncut = region.core
        shape = region.shape.scaled(1 / x, 1 / y)
        center = Point(x: (visible.minX + visible.maxX) / 2 / x, y: (visible.minY + visible.maxY) / 2 / y)
        self.core = core.scaled(1 / x, 1 / y)
        size = (core.width, core.height)
    }

    /// Returns the rectangle with the region's margin, which ends at the edge of the panel and where another region is drawn that
    /// does not contain this one.
    private static func grown(
        _ core: Rectangle, _ index: RegionIndex, in layout: PanelLayout, _ scenes: SceneMembers
    ) -> Rectangle {
        var grown = core.insetBy(-layout.regions[index].margin)
        for other in layout.regions.regionIndices where other != index {
            let box = layout.regions[other].bounds.intersection(layout.regions[other].clip)
            guard box.intersects(grown), !layout.regions[other].pass, scenes.areTogether(index, other),
                !layout.regions.isAncestor(other, of: index)
            else { continue }
            if box.minX >= core.maxX {
                grown.maxX = min(grown.maxX, box.minX)
            } else if box.maxX <= core.minX {
                grown.minX = max(grown.minX, box.maxX)
            } else if box.minY >= core.maxY {
                grown.maxY = min(grown.maxY, box.minY)
            } else if box.maxY <= core.minY {
                grown.minY = max(grown.minY, box.maxY)
            }
        }
        return grown.intersection(layout.panel.bounds)
    }

    /// Whether the circle around the middle meets another target, or the circle of another small one.
    func isNear(_ other: AccessibilityTarget) -> Bool {
        let radius = Self.pixels / 2
        return radius.exceeds(other.shape.distance(to: center))
            || (other.isSmall && Self.pixels.exceeds((other.center - center).length))
    }
}

extension AccessibilityCheck {
    mutating func checkTargets() {
        let place = Dictionary(targets.map { ($0.index, $0) }) { first, _ in first }
        for target in targets where target.isSmall || target.isSmallForFingers {
            if target.isSmall, let other = neighbour(of: target), !hasEquivalent(target, place, { !$0.isSmall }) {
                let (width, height) = (short(target.core.width), short(target.core.height))
                report(
                    .targetSize, target.index,
                    "\(subject(target)) is \(width) x \(height) px, and a circle of 24 px around its middle meets region "
                        + "\"\(regions[other].name)\"",
                    cure: cutCure(target, AccessibilityTarget.pixels * layout.panel.millimetersPerPixelX)
                        ?? "make it 24 x 24 px or larger, or leave more room around it")
            } else if layout.isSizeKnown, target.isSmallForFingers,
                !hasEquivalent(target, place, { !$0.isSmallForFingers })
            {
                let (width, height) = (short(target.size.width), short(target.size.height))
                let more = regions[target.index].margin > 0 ? "" : ", or give it a margin"
                report(
                    .fingerSize, target.index,
                    "\(subject(target)) is \(width) x \(height) mm, too small for many fingers",
                    cure: cutCure(target, AccessibilityTarget.fingerMillimeters)
                        ?? "make it 9 x 9 mm or larger\(more)")
            }
        }
    }

    /// Returns the cure for a target that only its parent or the edge of the panel makes small; `nil` for others.
    private func cutCure(_ target: AccessibilityTarget, _ millimeters: Double) -> String? {
        guard !millimeters.exceeds(target.uncut.width), !millimeters.exceeds(target.uncut.height) else { return nil }
        let region = regions[target.index]
        let visible = region.bounds.intersection(layout.panel.bounds)
        if let parent = region.parent, visible.intersection(region.clip) != visible {
            return "enlarge its parent \"\(regions[parent].name)\", which cuts it, or move it"
        }
        return visible == region.bounds ? nil : "move it away from the edge of the panel, which cuts it"
    }

    /// Returns the smallest region that is too near to a small target. Regions with `pass` take no touch from it.
    private func neighbour(of target: AccessibilityTarget) -> RegionIndex? {
        let near = targets.filter { other in
            other.index != target.index && target.isNear(other) && !regions[other.index].pass
                && scenes.areTogether(target.index, other.index)
        }
        return near.min { $0.size.width * $0.size.height < $1.size.width * $1.size.height }?.index
    }

    /// Whether every action of a target can be had from a tap in another region that is large enough.
    private func hasEquivalent(
        _ target: AccessibilityTarget, _ place: [RegionIndex: AccessibilityTarget],
        _ isLarge: (AccessibilityTarget) -> Bool
    ) -> Bool {
        regions[target.index].gestures.filter { $0.hasTarget }.allSatisfy { gesture in
            guard let action = gesture.action else { return false }
            return hasTap(for: action, inScenesOf: target.index) { index in
                index != target.index && place[index].map(isLarge) == true
            }
        }
    }

    private func subject(_ target: AccessibilityTarget) -> String {
        "region \"\(regions[target.index].name)\" on panel \"\(layout.name)\""
    }

    /// Returns a length with at most one decimal, rounded down, so that a length below a limit never reads like the limit.
    private func short(_ length: Double) -> String {
        // A length that is whole apart from rounding errors stays whole.
        plain(((length + 0.001) * 10).rounded(.down) / 10)
    }
}

extension Region {
    /// A rectangle inside the shape: the largest square in a circle, and the bounding box of a polygon.
    fileprivate var core: Rectangle {
        guard case .circle(let center, let radius) = shape else { return bounds }
        let half = radius / 2.0.squareRoot()
        return Rectangle(minX: center.x - half, minY: center.y - half, maxX: center.x + half, maxY: center.y + half)
    }
}

extension Rectangle {
    fileprivate func scaled(_ x: Double, _ y: Double) -> Self {
        Rectangle(minX: minX * x, minY: minY * y, maxX: maxX * x, maxY: maxY * y)
    }
}

extension Shape {
    fileprivate func scaled(_ x: Double, _ y: Double) -> Self {
        switch self {
        case .rectangle(let box): .rectangle(box.scaled(x, y))
        case .circle(let center, let radius): .circle(center: center.scaled(x, y), radius: radius * x)
        case .polygon(let corners): .polygon(corners.map { $0.scaled(x, y) })
        }
    }
}

extension Point {
    fileprivate func scaled(_ x: Double, _ y: Double) -> Self { Point(x: self.x * x, y: self.y * y) }
}
