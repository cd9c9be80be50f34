// SPDX-License-Identifier: MIT

/// The keys of `[defaults]`, `device.defaults` and `region.defaults`.
enum DefaultsKey: String, TableKey {
    case press, tap
    case longPress = "long_press"
    case `repeat`, drag, swipe, pinch, rotate, leave
}

enum LeaveKey: String, TableKey {
    case outside
}

/// One layer of what gestures are measured by.
struct GestureDefaults: Hashable, Sendable {
    var press: [PressPatch] = []
    var tap: [TapPatch] = []
    var longPress: [LongPressPatch] = []
    var `repeat`: [RepeatPatch] = []
    var drag: [DragPatch] = []
    var swipe: [SwipePatch] = []
    var pinch: [PinchPatch] = []
    var rotate: [RotatePatch] = []
    /// How far outside a contact counts as having left.
    var leave: Length?

    /// - Parameter name: what diagnostics call the table: `defaults`, `defaults of region "ok"`.
    static func read(_ reader: TableReader<DefaultsKey>) -> Self {
        var result = GestureDefaults()
        for (key, value) in reader.present {
            let name = "\(key.rawValue) of \(reader.name)"
            switch key {
            case .press: result.press = patches(value, name, reader.report)
            case .tap: result.tap = patches(value, name, reader.report)
            case .longPress: result.longPress = patches(value, name, reader.report)
            case .repeat: result.repeat = patches(value, name, reader.report)
            case .drag: result.drag = patches(value, name, reader.report)
            case .swipe: result.swipe = patches(value, name, reader.report)
            case .pinch: result.pinch = patches(value, name, reader.report)
            case .rotate: result.rotate = patches(value, name, reader.report)
            case .leave:
                let leave = TableReader<LeaveKey>(value, name: name, reader.report)
                result.leave = leave?.value(.outside).flatMap { reader.check.threshold("outside", $0) }
            }
        }
        return result
    }

    private static func patches<Patch: SettingsPatch>(_ value: TomlValue, _ name: String, _ report: Report) -> [Patch] {
        TableReader<Patch.Key>(value, name: name, words: Patch.defaultWords, report).map { Patch.readAll($0) } ?? []
    }
}
