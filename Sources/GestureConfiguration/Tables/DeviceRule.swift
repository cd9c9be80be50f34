// SPDX-License-Identifier: MIT
package import ContactTracking

enum DeviceKey: String, TableKey {
    case id, match, output, calibration, grab, ignore, defaults, enabled
}

enum OutputKey: String, TableKey {
    case size
    case sizeMillimeters = "size_mm"
    case rotation
}

/// `[[device]]`: what is to be known about one panel, or that it is none of ours.
package struct DeviceRule: Hashable, Sendable {
    package var id: String
    package var match = DeviceMatch()
    package var output = OutputSettings()
    /// Nobody else hears the device.
    package var grab = false
    package var ignore = false
    /// Of the id.
    package var place: Place
    var defaults = GestureDefaults()

    static func read(_ reader: TableReader<DeviceKey>, id: String) -> Self {
        let (check, report) = (reader.check, reader.report)
        var rule = DeviceRule(id: id, place: report.place(reader.value(.id)?.region ?? reader.region))
        for (key, value) in reader.present {
            let word = key.rawValue
            let name = "\(word) of \(reader.name)"
            switch key {
            case .id, .enabled: break
            case .match:
                rule.match = TableReader<MatchKey>(value, name: name, report).map { DeviceMatch.read($0) } ?? rule.match
            case .output:
                TableReader<OutputKey>(value, name: name, report).map { readOutput($0, into: &rule.output) }
            case .calibration:
                if let calibration = calibration(value, check) { rule.output.calibration = calibration }
            case .grab: rule.grab = check.boolean(word, value) ?? false
            case .ignore: rule.ignore = check.boolean(word, value) ?? false
            case .defaults:
                let defaults = TableReader<DefaultsKey>(value, name: name, report)
                rule.defaults = defaults.map { GestureDefaults.read($0) } ?? GestureDefaults()
            }
        }
        if reader.value(.match) == nil {
            report.error(
                .missingKey, "\(reader.name) has no match; give { name = \"*\" } for every device",
                at: reader.region(of: .id))
        }
        return rule
    }

    private static func readOutput(_ reader: TableReader<OutputKey>, into output: inout OutputSettings) {
        for (key, value) in reader.present {
            switch key {
            case .size: output.sizePixels = size("size", value, .from(1, to: 100_000), " px", reader.check)
            case .sizeMillimeters:
                output.sizeMillimeters = size("size_mm", value, .from(10, to: 10_000), " mm", reader.check)
            case .rotation: if let rotation = rotation(value, reader.check) { output.rotation = rotation }
            }
        }
    }

    private static func size(
        _ key: String, _ value: TomlValue, _ range: NumberRange, _ unit: String, _ check: ValueReader
    ) -> OutputSettings.Size? {
        guard let values = check.array(key, of: "two numbers", value) else { return nil }
        guard values.count == 2 else {
            check.report.error(
                .badValue, "\(key) must be [width, height], not \(values.count) values", at: value.region)
            return nil
        }
        let width = check.number("width", values[0], range, unit: unit)
        let height = check.number("height", values[1], range, unit: unit)
        guard let width, let height else { return nil }
        return OutputSettings.Size(width: width, height: height)
    }

    private static func rotation(_ value: TomlValue, _ check: ValueReader) -> OutputSettings.Rotation? {
        guard let degrees = check.number("rotation", value, .from(-360, to: 360), unit: "°") else { return nil }
        if let rotation = OutputSettings.Rotation.allCases.first(where: { Double($0.rawValue) == degrees }) {
            return rotation
        }
        check.report.error(
            .outOfRange, "rotation is \(plain(degrees)); give 0, 90, 180 or 270 (clockwise)", at: value.region)
        return nil
    }

    private static func calibration(_ value: TomlValue, _ check: ValueReader) -> OutputSettings.Calibration? {
        guard case .array(let values) = value.kind else {
            if case .string = value.kind {
                return check.word("calibration", value, [("udev", .udev), ("none", .none)])
            }
            check.wrongType("calibration", "\"udev\", \"none\" or six numbers", value)
            return nil
        }
        let numbers = values.compactMap {
            check.number("a number of calibration", $0, .from(-1_000_000, to: 1_000_000))
        }
        guard values.count == 6 else {
            check.report.error(
                .badValue, "calibration must be six numbers, not \(values.count)", at: value.region)
            return nil
        }
        guard numbers.count == 6 else { return nil }
        let matrix = AffineMatrix(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
        guard matrix.isUsable else {
            check.report.error(.badValue, "calibration does not map the panel to an output", at: value.region)
            return nil
        }
        return .matrix(matrix)
    }
}
