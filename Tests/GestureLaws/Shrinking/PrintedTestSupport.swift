// SPDX-License-Identifier: MIT
package import GestureEngine

/// Lets printed tests create a value and change some of its properties in one expression.
package protocol Changeable {}

extension Changeable {
    package func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Region: Changeable {}
extension Gesture: Changeable {}
extension ArbitrationSettings: Changeable {}
extension PressSettings: Changeable {}
extension TapSettings: Changeable {}
extension LongPressSettings: Changeable {}
extension RepeatSettings: Changeable {}
extension DragSettings: Changeable {}
extension SwipeSettings: Changeable {}
extension PinchSettings: Changeable {}
extension RotateSettings: Changeable {}
extension DialSettings: Changeable {}
extension ChainSettings: Changeable {}
extension StrokeSettings: Changeable {}
extension PatternSettings: Changeable {}

extension GestureSettings {
    /// The settings of a gesture without keys.
    package static func standard(_ kind: GestureKind) -> GestureSettings { kind.row.standard }

    /// The settings with another value for a key, which the kind must have.
    package func with(_ key: String, _ value: SettingValue) -> GestureSettings {
        var settings = self
        let setting = kind.row.key(key)
        precondition(setting != nil, "\(kind) has no key \(key)")
        setting?.set(value, &settings)
        return settings
    }
}

extension Shape {
    /// A panel of 200 x 100 mm.
    package static let whole = Shape.rectangle(Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
}

extension Region {
    /// Creates a region. By default, its bounds and clip are the bounding box of its shape.
    package init(
        _ id: String, _ shape: Shape, bounds: Rectangle? = nil, clip: Rectangle? = nil, parent: RegionIndex? = nil,
        z: Int = 0, margin: Double = 0, pass: Bool = false, isEnabled: Bool = true, leaveDistance: Double = 4,
        _ gestures: [Gesture]
    ) {
        self.init(
            id: id, shape: shape, bounds: bounds ?? shape.boundingBox, clip: clip ?? shape.boundingBox, parent: parent,
            z: z, margin: margin, pass: pass, isEnabled: isEnabled, leaveDistance: leaveDistance, gestures: gestures)
    }
}
