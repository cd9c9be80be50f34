// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport

/// The regions for the replay of recordings: a page with all gestures, a button in it, and a region with `pass`.
enum RecordingRegions {
    /// - Parameters:
    ///   - width: the width of the glass. Borders of regions do not coincide with units of a device.
    ///   - mirrored: whether left and right are swapped.
    static func make(width: Double, height: Double, mirrored: Bool = false) -> [Region] {
        let page = region("page", (0, 0, width, height), everything)
        let x = mirrored ? width - width * 0.61803 : width * 0.20711
        let button = region(
            "button", (x, height * 0.31831, width * 0.41092, height * 0.43429), parent: 0,
            [press, tap(), tap(count: 2), longPress(), drag { $0.axis = .horizontal }])
        let watch = region("watch", (0, 0, width, height), pass: true, [tap(fingers: 2), tap(fingers: 3), press])
        return [page, button, watch].map { region in
            var region = region
            region.clip = Rectangle(minX: 0, minY: 0, maxX: width, maxY: height)
            return region
        }
    }

    private static var everything: [GestureSettings] {
        [
            press, tap(), tap(count: 2), tap(fingers: 2), longPress(), longPress { $0.delay = .milliseconds(900) },
            repeating(), drag(), drag(fingers: 2), swipe(), swipe(fingers: 2), swipe(fingers: 3), pinch(), rotate(),
        ]
    }
}
