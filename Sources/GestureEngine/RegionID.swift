// SPDX-License-Identifier: MIT

/// The ids of regions inside the daemon. Those that clients without the right to see private regions define have a mark,
/// which no name can have: so they differ from all others, also from private regions with the same name.
package enum RegionID {
    private static let mark: Character = "~"

    /// The name on the wire.
    package static func name(of id: String) -> String { isMarked(id) ? String(id.dropFirst()) : id }

    package static func isMarked(_ id: String) -> Bool { id.utf8.first == mark.asciiValue }

    /// The id of a region that such a client defines.
    package static func marked(_ name: String) -> String { "\(mark)\(name)" }
}
