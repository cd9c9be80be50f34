// SPDX-License-Identifier: MIT
import GestureClient
import GestureEngine

/// The path of a contact on the glass: its length, and the point that was the farthest from the landing.
struct ContactPath: Hashable {
    /// Movements that are shorter than this do not count, in millimetres, because the position of a finger that rests
    /// trembles.
    private static let tremble = 1.0
    /// The length in millimetres by which a path must exceed the straight line to be worth telling. Equals a tap's slop.
    private static let notable = 3.0

    private let pixel: PixelSize?
    private let start: Point
    private var counted: Point
    private var last: Point
    private var countedLength = 0.0
    /// The distance of the farthest point from the landing, in millimetres.
    private(set) var reach = 0.0
    /// The farthest point, in output pixels.
    private(set) var farthest: GestureClient.Point

    /// - Parameter pixel: the size of pixels; `nil`: it is not known, and neither is the length of the path.
    init(from start: GestureClient.Point, _ pixel: PixelSize?) {
        (self.pixel, farthest) = (pixel, start)
        self.start = (pixel ?? PixelSize()).onGlass(start)
        (counted, last) = (self.start, self.start)
    }

    mutating func move(to position: GestureClient.Point) {
        guard let pixel else { return }
        last = pixel.onGlass(position)
        let distance = (last - start).length
        if distance > reach { (reach, farthest) = (distance, position) }
        let step = (last - counted).length
        if step >= Self.tremble { (countedLength, counted) = (countedLength + step, last) }
    }

    /// The length in millimetres.
    var length: Double { countedLength + (last - counted).length }

    /// The movement from the landing to the last position, in millimetres.
    var moved: Vector { last - start }

    /// The distance between the ends, in millimetres.
    private var straight: Double { moved.length }

    /// Whether the ends of the path do not describe it: it is much longer than the straight line between them.
    var isDetour: Bool { length > 1.2 * straight + Self.notable }

    /// Whether the contact has come back from its farthest point.
    var isBack: Bool { reach > straight + Self.notable }
}
