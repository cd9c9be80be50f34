// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

enum FilterKey: String, TableKey {
    case palm
    case maxTouch = "max_touch"
    case mask
    case maxContactAge = "max_contact_age"
    case storm
}

enum StormKey: String, TableKey {
    case contactsPerSecond = "contacts_per_second"
    case quiet
}

/// `[filter]`: which contacts are not seen; lengths still in the configuration's units.
struct FilterRule: Hashable, Sendable {
    /// Every landing is compared with all of them.
    private static let mostMasks = 64

    private var palmCancels: Bool?
    private var maxTouch: Length??
    private var masks: [RectangleRule] = []
    private var maxContactAge: Interval??
    private var storm: FilterSettings.Storm??

    static func read(_ reader: TableReader<FilterKey>) -> Self {
        let check = reader.check
        var result = FilterRule()
        for (key, value) in reader.present {
            let word = key.rawValue
            switch key {
            case .palm:
                result.palmCancels = check.word(word, value, [("cancel", true), ("ignore", false)])
            case .maxTouch:
                result.maxTouch = check.optional(value) { check.threshold(word, value, zero: false) }
            case .mask:
                result.masks = masks(word, value, check)
            case .maxContactAge:
                result.maxContactAge = check.optional(value) { check.interval(word, value, atLeast: .milliseconds(1)) }
            case .storm:
                result.storm = check.optional(value) { storm(value, reader.report) }
            }
        }
        return result
    }

    private static func masks(_ word: String, _ value: TomlValue, _ check: ValueReader) -> [RectangleRule] {
        let values = check.array(word, of: "rectangles", value) ?? []
        if values.count > mostMasks {
            check.report.error(
                .tooMany, "\(word) has \(values.count) rectangles; give at most \(mostMasks)", at: value.region)
        }
        return values.prefix(mostMasks).compactMap { RectangleRule.read("a mask", $0, check) }
    }

    private static func storm(_ value: TomlValue, _ report: Report) -> FilterSettings.Storm? {
        guard let reader = TableReader<StormKey>(value, name: "storm", report) else { return nil }
        var storm = FilterSettings.Storm()
        for (key, value) in reader.present {
            switch key {
            case .contactsPerSecond:
                if let count = reader.check.integer(key.rawValue, value, 1...10_000) { storm.contactsPerSecond = count }
            case .quiet:
                let quiet = reader.check.interval(key.rawValue, value, atLeast: .milliseconds(1))
                if let quiet { storm.quiet = quiet }
            }
        }
        return storm
    }

    func resolved(_ panel: PanelSize) -> FilterSettings {
        let scale = LengthScale(panel: panel, parent: PixelBox(panel))
        var result = FilterSettings()
        if let palmCancels { result.palmCancels = palmCancels }
        if let maxTouch { result.maxTouch = maxTouch.map { scale.millimeters($0) } }
        if let maxContactAge { result.maxContactAge = maxContactAge }
        if let storm { result.storm = storm }
        result.masks = masks.map { $0.box(scale).rectangle(panel) }.filter { !$0.isEmpty }
        return result
    }
}
