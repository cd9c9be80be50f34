// SPDX-License-Identifier: MIT
import GestureEngine

enum DragKey: String, TableKey {
    case fingers, start, axis, from
}

enum DragPatch: SettingsPatch {
    case fingers(Int)
    case start(Length)
    case axis(DragSettings.Axis)
    case from(DragSettings.Origin)

    static let gestureOnly: [DragKey] = [.fingers]

    static let axes: [(String, DragSettings.Axis)] = [
        ("any", .any), ("horizontal", .horizontal), ("vertical", .vertical),
    ]
    static let origins: [(String, DragSettings.Origin)] = [("start", .start), ("down", .down)]

    static func read(_ key: DragKey, _ value: TomlValue, _ check: ValueReader) -> Self? {
        let word = key.rawValue
        switch key {
        case .fingers: return check.integer(word, value, GestureLimits.fingers).map { .fingers($0) }
        case .start: return check.threshold(word, value).map { .start($0) }
        case .axis: return check.word(word, value, axes).map { .axis($0) }
        case .from: return check.word(word, value, origins).map { .from($0) }
        }
    }

    func apply(to settings: inout DragSettings, _ scale: LengthScale) {
        switch self {
        case .fingers(let fingers): settings.fingers = fingers
        case .start(let length): settings.start = scale.millimeters(length)
        case .axis(let axis): settings.axis = axis
        case .from(let origin): settings.from = origin
        }
    }

    var length: Length? {
        if case .start(let length) = self { length } else { nil }
    }
}
