// SPDX-License-Identifier: MIT
import GestureEngine

/// A point of the display that the user touches.
struct CalibrationTarget: Hashable {
    /// The position, from 0 to 1 across the display.
    var position: Point

    /// The numbers of targets for which there is a layout.
    static let counts = 4...9
    /// The distance of the outer targets from the edge, as a share of the display. Closer to the edge, some panels are not
    /// linear, and a bezel is in the way.
    private static let margin = 0.1

    /// Returns targets that are spread over the display, from the top left to the bottom right.
    ///
    /// The fifth target lies beside the centre: at the centre, it could not be distinguished which of two opposite corners
    /// was touched wrongly, and the residuals of a barrel distortion would be 0.
    /// - Parameter count: a number in `counts`.
    static func layout(_ count: Int) -> [Self] {
        let (near, far) = (margin, 1 - margin)
        let middle: [Double] =
            switch count {
            case 5: [0.7]
            case 7: [0.4]
            case 8: [near, far]
            case 9: [near, 0.5, far]
            default: []
            }
        let outer = count > 5 ? [near, 0.5, far] : [near, far]
        return [(outer, near), (middle, 0.5), (outer, far)].flatMap { columns, y in
            columns.map { Self(position: Point(x: $0, y: y)) }
        }
    }

    /// The place on the display in words: `top left`, `right`, `centre`.
    var place: String {
        func third(_ value: Double, _ names: (String, String)) -> String? {
            value < 1.0 / 3 ? names.0 : value > 2.0 / 3 ? names.1 : nil
        }
        let words = [third(position.y, ("top", "bottom")), third(position.x, ("left", "right"))].compactMap { $0 }
        return words.isEmpty ? "centre" : words.joined(separator: " ")
    }
}
