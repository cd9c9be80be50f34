// SPDX-License-Identifier: MIT
package import ContactTracking

enum MatchKey: String, TableKey {
    case name, vendor, product, path, seat
}

/// Which devices a `[[device]]` is about: every given key must match.
package struct DeviceMatch: Hashable, Sendable {
    var name: GlobPattern?
    var vendor: UInt16?
    var product: UInt16?
    /// Of udev's `ID_PATH`.
    var path: GlobPattern?
    var seat: GlobPattern?

    static func read(_ reader: TableReader<MatchKey>) -> Self {
        var result = DeviceMatch()
        for (key, value) in reader.present {
            let word = key.rawValue
            switch key {
            case .name: result.name = reader.check.string(word, value).map { GlobPattern($0) }
            case .path: result.path = reader.check.string(word, value).map { GlobPattern($0) }
            case .seat: result.seat = reader.check.string(word, value).map { GlobPattern($0) }
            case .vendor: result.vendor = reader.check.integer(word, value, 0...0xFFFF).map { UInt16($0) }
            case .product: result.product = reader.check.integer(word, value, 0...0xFFFF).map { UInt16($0) }
            }
        }
        return result
    }

    /// Whether it asks for a device by more than "any".
    package var isSpecific: Bool {
        vendor != nil || product != nil || path != nil || name.map { $0 != GlobPattern("*") } ?? false
    }

    /// A device that udev gives no seat sits at `seat0`.
    package func matches(_ device: DeviceDescription) -> Bool {
        if let name, !name.matches(device.name) { return false }
        if let vendor, vendor != device.vendor { return false }
        if let product, product != device.product { return false }
        if let path, !path.matches(device.udev["ID_PATH"] ?? "") { return false }
        if let seat, !seat.matches(device.udev["ID_SEAT"] ?? "seat0") { return false }
        return true
    }
}
