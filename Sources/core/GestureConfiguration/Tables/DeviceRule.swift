// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
import GestureProtocol
package import TouchSharing

/// `[[device]]`: settings of one panel, or the instruction to ignore it.
package struct DeviceRule: Hashable, Sendable {
    package var id: String
    package var match = DeviceMatch()
    package var output = OutputSettings()
    /// The setting that decides which other programs receive its touches.
    package var share = PanelShare.listen
    /// Determines how a contact ends for the application when a gesture takes it.
    package var cancel = TouchCancel.lift
    /// The guard against touches that wake the display; `nil` if there is none.
    package var wake: WakeSettings?
    /// The time after which five fingers give the panel back to the application; `nil`: they do not.
    package var fiveFingers: Interval? = FiveFingerHold.usualTime
    /// The keys of the filter for the application.
    var application = ApplicationRule()
    /// Whether the key `grab` is set. It has the same meaning as `share = "grab"`.
    private var grab = false
    package var ignore = false
    /// The location of the id.
    package var location: SourceLocation
    var defaults = GestureDefaults()
    /// The keys that this panel sets itself; they override those of `[filter]`.
    var filter = FilterRule()

    static let keys: [Key<DeviceRule>] = [
        .id,
        Key("match") { $0.table(DeviceMatch.keys, into: &$1.match) },
        Key("output") { $0.table(outputKeys, into: &$1.output) },
        Key("calibration", \.output.calibration) { $0.calibration() },
        Key("share", \.share) { $0.choice(PanelShare.allCases.map { ($0.rawValue, $0) }) },
        Key("cancel", \.cancel) { $0.choice(TouchCancel.allCases.map { ($0.rawValue, $0) }) },
        Key("grab", \.grab) { $0.boolean() },
        Key("ignore", \.ignore) { $0.boolean() },
        Key("wake", \.wake) { value in
            value.unlessOff { value in
                var settings = WakeSettings()
                value.table(wakeKeys, into: &settings)
                return settings
            }
        },
        Key("five_fingers", \.fiveFingers) {
            $0.unlessOff { $0.interval(atLeast: .milliseconds(1000), atMost: .milliseconds(60_000)) }
        },
        Key("application") { $0.table(ApplicationRule.keys, into: &$1.application) },
        Key("defaults") { $0.table(GestureDefaults.keys, into: &$1.defaults) },
        Key("filter") { $0.table(FilterRule.keys, into: &$1.filter) },
        .enabled,
    ]

    static let outputKeys: [Key<OutputSettings>] = [
        Key("size", \.sizePixels) { $0.size(1...100_000, unit: " px") },
        Key("size_mm", \.sizeMillimeters) { $0.size(10...10_000, unit: " mm") },
        Key("rotation", \.rotation) { $0.rotation() },
    ]

    static let wakeKeys: [Key<WakeSettings>] = [
        Key("display", \.display) { $0.file(orAuto: nil) { $0 } },
        Key("guard", \.quiet) { $0.interval() },
        Key("key", \.key) { $0.choice(WakeKey.allCases.map { ("\($0)", $0) } + [("none", nil)]) },
        Key("give_up", \.patience) { $0.unlessOff { $0.interval(atLeast: .milliseconds(1000)) } },
    ]

    init(_ reader: TableReader, id: String) {
        self.id = id
        location = reader.sink.location(of: reader["id"]?.value.range ?? reader.range)
        reader.read(Self.keys, into: &self)
        if reader["match"] == nil {
            reader.missingKey(
                "\(reader.name) is missing the key match; add match = { name = \"*\" } to match every device")
        }
        if wake != nil, share == .listen, !grab, !ignore {
            reader.sink.warning(
                .shared,
                "wake of \(reader.name) keeps the touch from gestures, but not from the application; use share = "
                    + "\"forward\"", at: reader.range(of: "wake"))
        }
        if reader["five_fingers"] != nil, share == .listen, !grab, !ignore {
            reader.sink.warning(
                .noEffect, "five_fingers of \(reader.name) has no effect: all programs get its touches anyway",
                at: reader.range(of: "five_fingers"))
        }
        guard grab else { return }
        if let given = reader["share"], share != .grab {
            given.error(.badValue, "share cannot be \"\(share.rawValue)\" with grab = true; leave grab out")
        }
        share = .grab
    }
}

/// The criteria with which a `[[device]]` selects devices. Every key that is given must match.
package struct DeviceMatch: Hashable, Sendable {
    var name: Glob?
    var vendor: UInt16?
    var product: UInt16?
    /// A glob for udev's `ID_PATH`.
    var path: Glob?
    var seat: Glob?

    static let keys: [Key<DeviceMatch>] = [
        Key("name", \.name) { $0.string().map { Glob($0) } },
        Key("vendor", \.vendor) { $0.integer(0...0xFFFF).map { UInt16($0) } },
        Key("product", \.product) { $0.integer(0...0xFFFF).map { UInt16($0) } },
        Key("path", \.path) { $0.string().map { Glob($0) } },
        Key("seat", \.seat) { $0.string().map { Glob($0) } },
    ]

    /// Whether it selects devices by more than the seat.
    package var isSpecific: Bool {
        vendor != nil || product != nil || path != nil || name.map { $0 != Glob("*") } ?? false
    }

    /// Whether it selects devices by their names, and among others those with this name.
    package func selects(name text: String) -> Bool { name.map { $0 != Glob("*") && $0.matches(text) } ?? false }

    /// Returns the description with a name and ids that match. Whether `path` and `seat` match depends on udev.
    package func identifying(_ device: DeviceDescription) -> DeviceDescription {
        var device = device
        if let name, name != Glob("*"), !name.matches(device.name) { device.name = name.example }
        device.vendor = vendor ?? device.vendor
        device.product = product ?? device.product
        return device
    }

    /// Whether the device matches. A device without a seat in udev is at `seat0`.
    package func matches(_ device: DeviceDescription) -> Bool {
        if let name, !name.matches(device.name) { return false }
        if let vendor, vendor != device.vendor { return false }
        if let product, product != device.product { return false }
        if let path, !path.matches(device.udev["ID_PATH"] ?? "") { return false }
        if let seat, !seat.matches(device.udev["ID_SEAT"] ?? "seat0") { return false }
        return true
    }
}

extension ValueReader {
    fileprivate func size(_ range: ClosedRange<Double>, unit: String) -> OutputSettings.Size? {
        guard let values = tuple(["width", "height"], of: "two numbers") else { return nil }
        let (width, height) = (values[0].number(range, unit: unit), values[1].number(range, unit: unit))
        guard let width, let height else { return nil }
        return OutputSettings.Size(width: width, height: height)
    }

    fileprivate func rotation() -> OutputSettings.Rotation? {
        let rotations = OutputSettings.Rotation.allCases
        if notes(.choice(rotations.map { .init($0.rawValue, isNumber: !$0.isFlipped, $0) })) { return nil }
        if case .string = value.kind { return choice(rotations.filter(\.isFlipped).map { ($0.rawValue, $0) }) }
        guard let degrees = number(-360...360, unit: "°") else { return nil }
        return rotations.first { Double($0.degrees) == degrees }
            ?? error(.outOfRange, "rotation is \(plain(degrees)); it must be 0, 90, 180 or 270 (clockwise)")
    }

    fileprivate func calibration() -> OutputSettings.Calibration? {
        let words: [(String, OutputSettings.Calibration)] = [("udev", .udev), ("none", .none)]
        let range = -1_000_000.0...1_000_000
        if notes(.either([.choice(words.map { .init($0.0, $0.1) }), .list(ValueNote { $0.number(range) }, 6...6)])) {
            return nil
        }
        if case .string = value.kind { return choice(words) }
        guard case .array = value.kind, let values = array(of: "numbers", each: "a number of calibration") else {
            return wrongType("\"udev\", \"none\" or six numbers")
        }
        let numbers = values.compactMap { $0.number(range) }
        guard values.count == 6 else {
            return error(.badValue, "calibration must be six numbers, not \(values.count)")
        }
        guard numbers.count == 6 else { return nil }
        let matrix = AffineMatrix(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
        guard matrix.isUsable else {
            return error(.badValue, "calibration does not map the panel to an output")
        }
        return .matrix(matrix)
    }
}
