// SPDX-License-Identifier: MIT
import GestureEngine

enum RotateKey: String, TableKey {
    case start
}

enum RotatePatch: SettingsPatch {
    /// Degrees.
    case start(Double)

    static func read(_ key: RotateKey, _ value: TomlValue, _ check: ValueReader) -> Self? {
        switch key {
        case .start: check.number(key.rawValue, value, .above(0, to: 180), unit: "°").map { .start($0) }
        }
    }

    func apply(to settings: inout RotateSettings, _ scale: LengthScale) {
        switch self {
        case .start(let degrees): settings.start = degrees
        }
    }

    var length: Length? { nil }
}
