// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport

/// The configuration in README.md on a panel of 1920 x 1080 pixels and 344 x 194 mm.
enum ReadmeExample {
    static let size = PanelSize(
        widthPixels: 1920, heightPixels: 1080, widthMillimeters: 344, heightMillimeters: 194)

    static var regions: [Region] {
        let block = Document("README.md")?.blocks.first { $0.language == "toml" }
        return ConfigurationReader.read(block?.text ?? "").configuration?.regions(for: size).regions ?? []
    }

    /// A tap on `ok`, a swipe in `carousel`, and a finger that stays down on `ok`.
    static var frames: [TouchFrame] {
        var frames: [TouchFrame] = []
        func add(_ milliseconds: Int64, _ id: Int64, _ kind: ContactChange.Kind, _ x: Double, _ y: Double) {
            let change = ContactChange(id: ContactID(id), kind: kind, position: pixels(x, y))
            frames.append(
                TouchFrame(time: Timestamp(microseconds: 83_912_044_123 + milliseconds * 1000), changes: [change]))
        }
        add(0, 1, .landed, 950, 970)
        add(84, 1, .lifted, 950, 970)
        add(1200, 2, .landed, 1230, 430)
        for step in 1...10 { add(1200 + Int64(step) * 12, 2, .moved, 1230 - Double(step) * 31, 430 + Double(step)) }
        add(1329, 2, .lifted, 920, 440)
        add(3000, 3, .landed, 1010, 955)
        add(3740, 3, .lifted, 1010, 955)
        return frames
    }

    private static func pixels(_ x: Double, _ y: Double) -> Point {
        Point(x: x * size.millimetersPerPixelX, y: y * size.millimetersPerPixelY)
    }
}
