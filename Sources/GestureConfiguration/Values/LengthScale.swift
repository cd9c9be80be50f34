// SPDX-License-Identifier: MIT
import GestureEngine

/// What lengths are inside one parent region of one panel.
struct LengthScale {
    let panel: PanelSize
    /// The parent's bounding box, or the panel, in pixels.
    let parent: PixelBox

    /// Along x in pixels; percent of the parent's width.
    func pixelsX(_ length: Length) -> Double {
        switch length {
        case .pixels(let number): number
        case .percent(let number): number / 100 * parent.width
        case .millimeters(let number): number / panel.millimetersPerPixelX
        }
    }

    /// Along y in pixels; percent of the parent's height.
    func pixelsY(_ length: Length) -> Double {
        switch length {
        case .pixels(let number): number
        case .percent(let number): number / 100 * parent.height
        case .millimeters(let number): number / panel.millimetersPerPixelY
        }
    }

    /// A length that has no direction (a radius, a margin, a threshold) in millimetres: pixels
    /// count as along x, percent as of the parent's shorter side.
    func millimeters(_ length: Length) -> Double {
        switch length {
        case .pixels(let number):
            return number * panel.millimetersPerPixelX
        case .percent(let number):
            let width = parent.width * panel.millimetersPerPixelX
            let height = parent.height * panel.millimetersPerPixelY
            return number / 100 * min(width, height)
        case .millimeters(let number):
            return number
        }
    }
}
