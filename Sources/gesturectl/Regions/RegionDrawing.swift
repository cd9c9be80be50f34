// SPDX-License-Identifier: MIT
import GestureClient

/// The layout of panels as an SVG picture, one below the other, in output pixels.
struct RegionDrawing {
    struct Panel: Hashable {
        var device: String
        var width: Double
        var height: Double
    }

    /// Between two panels and around them, px.
    private static let gap = 24.0
    private static let palette = ["#2563eb", "#059669", "#d97706", "#dc2626", "#7c3aed", "#0891b2", "#be185d"]

    /// - Parameters:
    ///   - panels: the panels; a region of another one is left out.
    ///   - regions: from bottom to top, as they are drawn.
    static func svg(panels: [Panel], regions: [GestureClient.Region]) -> String {
        let width = (panels.map(\.width).max() ?? 0) + 2 * gap
        let height = panels.reduce(gap) { $0 + $1.height + gap }
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(shortest(width)) \(shortest(height))" \
            font-family="sans-serif">

            """
        var y = gap
        for panel in panels {
            text += drawn(panel, regions.filter { $0.device == panel.device }, y: y)
            y += panel.height + gap
        }
        return text + "</svg>\n"
    }

    private static func drawn(_ panel: Panel, _ regions: [GestureClient.Region], y: Double) -> String {
        var text = "<g id=\"\(escape(panel.device))\" transform=\"translate(\(shortest(gap)) \(shortest(y)))\">\n"
        text += "<rect width=\"\(shortest(panel.width))\" height=\"\(shortest(panel.height))\" "
        text += "fill=\"#f8fafc\" stroke=\"#334155\" stroke-width=\"4\"/>\n"
        for (index, region) in regions.enumerated() {
            text += drawn(region, color: palette[index % palette.count], fontSize: max(10, panel.height / 45))
        }
        return text + "</g>\n"
    }

    private static func drawn(_ region: GestureClient.Region, color: String, fontSize: Double) -> String {
        let dashed = region.isPass || !region.isEnabled ? " stroke-dasharray=\"12 8\"" : ""
        let opacity = region.isPass ? "0.04" : "0.18"
        let style = "fill=\"\(color)\" fill-opacity=\"\(opacity)\" stroke=\"\(color)\" stroke-width=\"3\"\(dashed)"
        guard let shape = region.shape else { return "" }
        // A line that is twice as wide as the margin: half of it lies outside of the shape.
        let margin =
            "fill=\"none\" stroke=\"\(color)\" stroke-opacity=\"0.12\" stroke-linejoin=\"round\" "
            + "stroke-width=\"\(shortest(2 * region.margin))\""
        let around = region.margin > 0 ? element(shape, style: margin) + "\n" : ""
        let label = label(of: shape)
        return """
            <g id="\(escape(region.device + "." + region.id))">
            <title>\(escape(region.id + ": " + region.gesturesText))</title>
            \(around)\(element(shape, style: style))
            <text x="\(shortest(label.x + fontSize / 2))" y="\(shortest(label.y + fontSize * 1.3))" \
            font-size="\(shortest(fontSize))" fill="\(color)">\(escape(region.id))</text>
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

    /// The top left corner of where a region's name is written.
    private static func label(of shape: GestureClient.Shape) -> GestureClient.Point {
        switch shape {
        case .rectangle(let x, let y, _, _): .init(x: max(0, x), y: max(0, y))
        case .circle(let center, let radius): .init(x: max(0, center.x - radius), y: max(0, center.y - radius / 2))
        case .polygon(let corners):
            .init(x: corners.map(\.x).min() ?? 0, y: corners.map(\.y).min() ?? 0)
        }
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
