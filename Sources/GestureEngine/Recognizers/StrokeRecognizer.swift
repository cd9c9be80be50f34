// SPDX-License-Identifier: MIT

/// The settings of a stroke.
package struct StrokeSettings: Hashable, Sendable {
    /// The shapes with which the movement is compared, each a list of points in any unit, y down.
    package var templates: [[Point]] = []
    /// The lowest score at which the stroke is recognized, from 0 to 1. Default 0.8.
    package var minScore = 0.8
    /// The rotation in degrees by which the movement may differ from a template, in either direction. Default 15.
    package var rotation = 15.0
    /// The shortest length of the movement in millimetres. Default 20.
    package var minLength = 20.0

    package init() {}
}

extension StrokeSettings: RecognizerSettings {
    var fingers: Int { 1 }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? { nil }
}
