// SPDX-License-Identifier: MIT
package import GestureEngine

/// Converts millimetres on the glass to output pixels.
package struct PixelScale: Hashable, Sendable {
    private let pixelsPerMillimeterX: Double
    private let pixelsPerMillimeterY: Double

    package init(_ size: PanelSize) {
        pixelsPerMillimeterX = size.widthPixels / size.widthMillimeters
        pixelsPerMillimeterY = size.heightPixels / size.heightMillimeters
    }

    package func x(_ millimeters: Double) -> Double { millimeters * pixelsPerMillimeterX }
    package func y(_ millimeters: Double) -> Double { millimeters * pixelsPerMillimeterY }
}
