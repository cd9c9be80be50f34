// SPDX-License-Identifier: MIT

extension Double {
    /// Distances that differ by at most this much, in millimetres, are treated as equal, so that rounding errors do not
    /// decide whether a limit is exceeded, whatever the panel's resolution.
    private static let tolerance = 0.001

    /// Whether a length in millimetres is above a limit. Also used for angles in degrees and speeds in millimetres per
    /// second.
    package func exceeds(_ limit: Double) -> Bool { self - limit > Self.tolerance }
}

/// A point on the glass in millimetres, from the top left corner of the output; y points down.
public struct Point: Hashable, Sendable, BitwiseCopyable {
    public var x: Double
    public var y: Double

    @inlinable public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    public static let zero = Point(x: 0, y: 0)

    @inlinable public static func - (a: Self, b: Self) -> Vector { Vector(dx: a.x - b.x, dy: a.y - b.y) }

    @inlinable public static func + (a: Self, v: Vector) -> Self { Point(x: a.x + v.dx, y: a.y + v.dy) }
}

/// A movement on the glass in millimetres, or a velocity in millimetres per second.
public struct Vector: Hashable, Sendable, BitwiseCopyable {
    public var dx: Double
    public var dy: Double

    @inlinable public init(dx: Double, dy: Double) {
        self.dx = dx
        self.dy = dy
    }

    public static let zero = Vector(dx: 0, dy: 0)

    @inlinable public var squaredLength: Double { dx * dx + dy * dy }

    @inlinable public var length: Double { squaredLength.squareRoot() }

    /// The length along a vector of length 1.
    @inlinable public func component(along unit: Vector) -> Double { dx * unit.dx + dy * unit.dy }

    @inlinable public static func + (a: Self, b: Self) -> Self { Vector(dx: a.dx + b.dx, dy: a.dy + b.dy) }

    @inlinable public static func - (a: Self, b: Self) -> Self { Vector(dx: a.dx - b.dx, dy: a.dy - b.dy) }

    @inlinable public static func * (a: Self, factor: Double) -> Self { Vector(dx: a.dx * factor, dy: a.dy * factor) }
}

/// An axis-parallel rectangle in millimetres. Half-open: it contains `minX` but not `maxX`.
package struct Rectangle: Hashable, Sendable, BitwiseCopyable {
    package var minX: Double
    package var minY: Double
    package var maxX: Double
    package var maxY: Double

    package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    package var width: Double { maxX - minX }

    package var height: Double { maxY - minY }

    /// Whether the rectangle contains no point.
    package var isEmpty: Bool { !(minX < maxX && minY < maxY) }

    package func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }

    /// The overlap of both rectangles; empty if they do not intersect.
    package func intersection(_ other: Self) -> Self {
        Rectangle(
            minX: max(minX, other.minX), minY: max(minY, other.minY),
            maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    }

    /// The smallest rectangle that contains both.
    package func union(_ other: Self) -> Self {
        Rectangle(
            minX: min(minX, other.minX), minY: min(minY, other.minY),
            maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
    }

    /// Whether the rectangles have a point in common.
    package func intersects(_ other: Self) -> Bool { !intersection(other).isEmpty }

    /// The rectangle with all sides moved inwards by `distance` millimetres.
    package func insetBy(_ distance: Double) -> Self {
        Rectangle(minX: minX + distance, minY: minY + distance, maxX: maxX - distance, maxY: maxY - distance)
    }
}

/// The size of an output in the pixels that clients use, and on the glass.
///
/// Invariant: all four values are finite and positive.
package struct PanelSize: Hashable, Sendable {
    package var widthPixels: Double
    package var heightPixels: Double
    package var widthMillimeters: Double
    package var heightMillimeters: Double

    package init(widthPixels: Double, heightPixels: Double, widthMillimeters: Double, heightMillimeters: Double) {
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.widthMillimeters = widthMillimeters
        self.heightMillimeters = heightMillimeters
    }

    /// The width of one output pixel in millimetres.
    package var millimetersPerPixelX: Double { widthMillimeters / widthPixels }
    package var millimetersPerPixelY: Double { heightMillimeters / heightPixels }

    /// The rectangle of the whole output.
    package var bounds: Rectangle { Rectangle(minX: 0, minY: 0, maxX: widthMillimeters, maxY: heightMillimeters) }
}
