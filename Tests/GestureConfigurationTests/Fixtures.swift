// SPDX-License-Identifier: MIT
import Foundation
import GestureConfiguration
import GestureEngine
import GestureProtocol
import Testing

/// The regions of a configuration without errors on a panel.
func layout(
    _ text: String, on panel: PanelSize = .fullHD, sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws -> [Region] {
    let (configuration, diagnostics) = ConfigurationReader.read(text)
    let found = try #require(
        configuration, "\(diagnostics.map { $0.description })", sourceLocation: sourceLocation)
    return found.regions(for: panel, rule: found.devices.first).regions
}

/// Parses a value of a request; traps if the text is not JSON.
func json(_ text: String) -> JSONValue {
    guard let document = try? JSONDocument.read(text) else { preconditionFailure("not JSON: \(text)") }
    return document.root
}

/// Reads a configuration and returns the headlines of all diagnostics.
func headlines(_ text: String, path: String = "t") -> [String] {
    ConfigurationReader.read(text, path: path).diagnostics.map { $0.headline }
}

/// Reads a file as UTF-8.
func readText(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
}

/// The folder of the package.
let packageRoot = String(
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/"))

extension PanelSize {
    /// 1920 x 1080 pixels on 480 x 270 mm, which is exactly 0.25 mm per pixel.
    static let fullHD = PanelSize(
        widthPixels: 1920, heightPixels: 1080, widthMillimeters: 480, heightMillimeters: 270)

    /// A portrait panel the size of a watch.
    static let small = PanelSize(widthPixels: 320, heightPixels: 480, widthMillimeters: 49, heightMillimeters: 73.5)

    /// A panel the size of a table.
    static let huge = PanelSize(
        widthPixels: 3840, heightPixels: 2160, widthMillimeters: 1209.6, heightMillimeters: 680.4)
}
