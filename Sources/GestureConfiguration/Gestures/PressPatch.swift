// SPDX-License-Identifier: MIT
import GestureEngine

enum PressKey: String, TableKey {
    case progress
}

enum PressPatch: SettingsPatch {
    case progress(Interval?)

    static func read(_ key: PressKey, _ value: TomlValue, _ check: ValueReader) -> Self? {
        switch key {
        case .progress:
            check.optional(value) { check.interval(key.rawValue, value, atLeast: .milliseconds(10)) }
                .map { .progress($0) }
        }
    }

    func apply(to settings: inout PressSettings, _ scale: LengthScale) {
        switch self {
        case .progress(let interval): settings.progress = interval
        }
    }

    var length: Length? { nil }
}
