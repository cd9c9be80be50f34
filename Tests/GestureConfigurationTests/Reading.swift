// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureProtocol
import Testing

/// Reads a text that must be right, and lays it out on a panel.
func layout(
    _ text: String, on panel: PanelSize = .fullHD, sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws -> [Region] {
    let (configuration, diagnostics) = ConfigurationReader.read(text)
    let found = try #require(
        configuration, "\(diagnostics.map { $0.description })", sourceLocation: sourceLocation)
    return found.regions(for: panel, rule: found.devices.first).regions
}

/// A value of a request.
func json(_ text: String) -> JSONValue {
    guard let document = try? JSONDocument.read(text) else { preconditionFailure("no JSON: \(text)") }
    return document.root
}

/// All that is said about a text, one line each, without the source.
func headlines(_ text: String, path: String = "t") -> [String] {
    ConfigurationReader.read(text, path: path).diagnostics.map { $0.headline }
}

extension PanelSize {
    /// 1920 x 1080 pixels on 480 x 270 mm: 0.25 mm a pixel, exactly.
    static let fullHD = PanelSize(
        widthPixels: 1920, heightPixels: 1080, widthMillimeters: 480, heightMillimeters: 270)

    /// A wrist-sized one, upright.
    static let small = PanelSize(widthPixels: 320, heightPixels: 480, widthMillimeters: 49, heightMillimeters: 73.5)

    /// A table.
    static let huge = PanelSize(
        widthPixels: 3840, heightPixels: 2160, widthMillimeters: 1209.6, heightMillimeters: 680.4)
}
