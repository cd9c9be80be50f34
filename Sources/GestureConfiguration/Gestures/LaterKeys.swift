// SPDX-License-Identifier: MIT
import GestureEngine

// Gestures that the engine does not recognize yet: their keys are checked, and nothing is kept.

enum PinchKey: String, TableKey {
    case start

    static func check(_ reader: TableReader<Self>) {
        for (key, value) in reader.present {
            switch key {
            case .start: _ = reader.check.threshold(key.rawValue, value)
            }
        }
    }
}

enum RotateKey: String, TableKey {
    case start

    static func check(_ reader: TableReader<Self>) {
        for (key, value) in reader.present {
            switch key {
            case .start: _ = reader.check.number(key.rawValue, value, .above(0, to: 180), unit: "°")
            }
        }
    }
}

enum PatternKey: String, TableKey {
    case steps
    case maxGap = "max_gap"
    case timeout, lockout, attempts

    static func check(_ reader: TableReader<Self>) {
        let check = reader.check
        for (key, value) in reader.present {
            let word = key.rawValue
            switch key {
            case .steps: checkSteps(word, value, check)
            case .maxGap, .timeout: _ = check.interval(word, value, atLeast: .milliseconds(1))
            case .lockout: _ = check.interval(word, value)
            case .attempts: _ = check.integer(word, value, 1...1000)
            }
        }
        if reader.value(.steps) == nil {
            check.report.error(.missingKey, "\(reader.name) has no steps", at: reader.region)
        }
    }

    /// Each step is a gesture's word and a region's id: `tap corner_tl`.
    private static func checkSteps(_ word: String, _ value: TomlValue, _ check: ValueReader) {
        guard let steps = check.array(word, of: "steps such as \"tap corner\"", value) else { return }
        if steps.isEmpty { check.report.error(.badValue, "\(word) is empty", at: value.region) }
        for step in steps {
            guard let text = check.string("a step", step) else { continue }
            let parts = text.split(separator: " ", omittingEmptySubsequences: false)
            if parts.count != 2 || GestureWord(rawValue: String(parts[0])) == nil || parts[1].isEmpty {
                check.report.error(
                    .badValue, "a step cannot be \"\(text)\"; give a gesture and a region: \"tap corner\"",
                    at: step.region)
            }
        }
    }
}
