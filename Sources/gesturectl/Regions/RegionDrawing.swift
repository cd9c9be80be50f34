// SPDX-License-Identifier: MIT
import GestureClient

/// The layout of panels as an SVG picture in output pixels, one panel below the other.
struct RegionDrawing {
    struct Panel: Hashable {
        var device: String
        var width: Double
        var height: Double

        var fontSize: Double { max(10, height / 45) }
    }

    /// The distance between two panels and around them, in pixels.
    private static let gap = 48.0
    private static let palette = ["#2563eb", "#059669", "#d97706", "#dc2626", "#7c3aed", "#0891b2", "#be185d"]

    /// - Parameters:
    ///   - panels: the panels; regions of other panels are left out.
    ///   - regions: the regions from bottom to top, which is the order of drawing.
    static func svg(panels: [Panel], regions: [GestureClient.Region]) -> String {
        let width = (panels.map(\.width).max() ?? 0) + 2 * gap
        let height = panels.reduce(gap) { $0 + $1.fontSize * 2 + $1.height + gap }
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(shortest(width)) \(shortest(height))" \
            font-family="sans-serif">

            """
        var y = gap
        for panel in panels {
            // The name of the panel is drawn above it.
            y += panel.fontSize * 2
            text += drawn(panel, regions.filter { $0.device == panel.device }, y: y)
            y += panel.height + gap
        }
        return text + "</svg>\n"
    }

    private static func drawn(_ panel: Panel, _ regions: [GestureClient.Region], y: Double) -> String {
        var text = "<g id=\"\(escape(panel.device))\" transform=\"translate(\(shortest(gap)) \(shortest(y)))\">\n"
        text += "<rect width=\"\(shortest(panel.width))\" height=\"\(shortest(panel.height))\" "
        text += "fill=\"#f8fafc\" stroke=\"#334155\" stroke-width=\"4\"/>\n"
        text += "<text x=\"0\" y=\"\(shortest(-panel.fontSize * 0.6))\" font-size=\"\(shortest(panel.fontSize))\" "
        text += "font-weight=\"bold\" fill=\"#334155\">\(escape(panel.device))</text>\n"
        var labels = LabelPlaces(panel)
        for (index, region) in regions.enumerated() {
            text += drawn(region, color: palette[index % palette.count], &labels)
        }
        return text + "</g>\n"
    }

    private static func drawn(
        _ region: GestureClient.Region, color: String, _ labels: inout LabelPlaces
    ) -> String {
        let dashed = region.isPass || !region.isEnabled ? " stroke-dasharray=\"12 8\"" : ""
        let opacity = region.isPass ? "0.04" : "0.18"
        let style = "fill=\"\(color)\" fill-opacity=\"\(opacity)\" stroke=\"\(color)\" stroke-width=\"3\"\(dashed)"
        guard let shape = region.shape else { return "" }
        // The line is twice as wide as the margin, because half of it lies outside the shape.
        let margin =
            "fill=\"none\" stroke=\"\(color)\" stroke-opacity=\"0.12\" stroke-linejoin=\"round\" "
            + "stroke-width=\"\(shortest(2 * region.margin))\""
        let around = region.margin > 0 ? element(shape, style: margin) + "\n" : ""
        let label = labels.place(region.id, in: shape)
        return """
            <g id="\(escape(region.device + "." + region.id))">
            <title>\(escape(region.id + ": " + region.gesturesText))</title>
            \(around)\(element(shape, style: style))
            <text x="\(shortest(label.x))" y="\(shortest(label.y))" \
            font-size="\(shortest(labels.fontSize))" fill="\(color)">\(escape(label.text))</text>
            </g>

            """
    }

    private static func element(_ shape: GestureClient.Shape, style: String) -> String {
        switch shape {
        case .rectangle(let x, let y, let width, let height):
            "<rect x=\"\(shortest(x))\" y=\"\(shortest(y))\" width=\"\(shortest(width))\" "
                + "height=\"\(shortest(height))\" \(style)/>"
        case .circle(let center, let radius):
            "<circle cx=\"\(shortest(center.x))\" cy=\"\(shortest(center.y))\" r=\"\(shortest(radius))\" \(style)/>"
        case .polygon(let corners):
            "<polygon points=\""
                + corners.map { "\(shortest($0.x)),\(shortest($0.y))" }.joined(separator: " ") + "\" \(style)/>"
        }
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}

/// Finds positions for the names of a panel's regions: inside their regions if there is room, and without overlaps.
struct LabelPlaces {
    struct Label: Hashable {
        var text: String
        /// The left end of the base line.
        var x: Double
        var y: Double
    }

    /// The width of one column of sans-serif text, relative to the font size.
    private static let columnWidth = 0.62
    private static let lineHeight = 1.3
    /// The minimum length of a shortened name, in columns. Shorter names would not be readable.
    private static let fewestColumns = 3.0
    /// The maximum number of columns, which no id reaches. It keeps the conversion to `Int` from overflowing.
    private static let mostColumns = 1000.0

    let fontSize: Double
    private let width: Double
    private let height: Double
    private var taken: [(x: ClosedRange<Double>, y: Double)] = []

    init(_ panel: RegionDrawing.Panel) {
        (fontSize, width, height) = (panel.fontSize, panel.width, panel.height)
    }

    /// Returns the topmost free position, from the region's upper left corner down; if the region is full, the position is
    /// below it. The text is shortened to the width of the region.
    mutating func place(_ name: String, in shape: GestureClient.Shape) -> Label {
        let box = Self.bounds(shape)
        let left = max(0, box.left) + fontSize / 2
        let room = (min(width, box.right) - left) / (fontSize * Self.columnWidth)
        let text = Self.shortened(name, to: Int(min(Self.mostColumns, max(Self.fewestColumns, room))))
        let span = left...left + Double(text.columns) * fontSize * Self.columnWidth
        var y = max(0, box.top) + fontSize * Self.lineHeight
        while taken.contains(where: { $0.x.overlaps(span) && abs($0.y - y) < fontSize }),
            y + fontSize * Self.lineHeight <= height
        {
            y += fontSize * Self.lineHeight
        }
        taken.append((span, y))
        return Label(text: text, x: left, y: y)
    }

    private static func shortened(_ name: String, to columns: Int) -> String {
        guard name.columns > columns else { return name }
        var text = name
        while text.columns > columns - 1, !text.isEmpty { text.removeLast() }
        return text + "…"
    }

    private static func bounds(_ shape: GestureClient.Shape) -> (left: Double, top: Double, right: Double) {
        switch shape {
        case .rectangle(let x, let y, let width, _): (x, y, x + width)
        case .circle(let center, let radius): (center.x - radius, center.y - radius / 2, center.x + radius)
        case .polygon(let corners):
            (
                corners.map(\.x).min() ?? 0, corners.map(\.y).min() ?? 0, corners.map(\.x).max() ?? 0
            )
        }
    }
}
