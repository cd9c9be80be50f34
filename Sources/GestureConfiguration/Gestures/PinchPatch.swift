// SPDX-License-Identifier: MIT
import GestureEngine

enum PinchKey: String, TableKey {
    case start
}

enum PinchPatch: SettingsPatch {
    case start(Length)

    static func read(_ key: PinchKey, _ value: TomlValue, _ check: ValueReader) -> Self? {
        switch key {
        case .start: check.threshold(key.rawValue, value).map { .start($0) }
        }
    }

    func apply(to settings: inout PinchSettings, _ scale: LengthScale) {
        switch self {
        case .start(let length): settings.start = scale.millimeters(length)
        }
    }

    var length: Length? {
        switch self {
        case .start(let length): length
        }
    }
}
