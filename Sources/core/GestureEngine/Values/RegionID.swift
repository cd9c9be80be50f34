// SPDX-License-Identifier: MIT

/// The ids of regions inside the daemon. Regions defined by clients without access to private regions have a mark in
/// their ids that no name can contain. Their ids therefore differ from those of all other regions, even from a private
/// one with the same name.
package enum RegionID {
    private static let mark: Character = "~"

    /// The name on the wire.
    package static func name(of id: String) -> String { isMarked(id) ? String(id.dropFirst()) : id }

    /// Whether an id has the mark.
    package static func isMarked(_ id: String) -> Bool { id.utf8.first == mark.asciiValue }

    /// The id of a region defined by a client without access to private regions.
    package static func marked(_ name: String) -> String { "\(mark)\(name)" }
}
