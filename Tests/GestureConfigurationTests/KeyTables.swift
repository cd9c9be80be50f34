// SPDX-License-Identifier: MIT
import GestureEngine
@testable import GestureConfiguration

/// The keys of each kind of table, taken from the reader.
enum KeyTables {
    /// The keys of each table by its name; for a list of tables, the keys of an entry.
    static let tables: [(name: String, keys: [String])] = [
        ("file", names(Configuration.keys)),
        ("daemon", names(DaemonSettings.keys)),
        ("access", names(AccessSettings.keys)),
        ("defaults", names(GestureDefaults.keys)),
        ("leave", names(GestureDefaults.leaveKeys)),
        ("filter", names(FilterRule.keys)),
        ("storm", names(FilterRule.stormKeys)),
        ("device", names(DeviceRule.keys)),
        ("wake", names(DeviceRule.wakeKeys)),
        ("application", names(ApplicationRule.keys)),
        ("match", names(DeviceMatch.keys)),
        ("output", names(DeviceRule.outputKeys)),
        ("region", names(RegionRule.keys)),
        ("shape", ShapeRule.keys),
        ("circle", ShapeRule.circleKeys),
        ("scene", names(SceneRule.keys)),
        ("profile", names(ProfileRule.keys)),
        ("idle", names(IdleRule.keys)),
        ("arbitration", names(ArbitrationRule.keys)),
        ("gesture", names(GestureDraft.keys)),
    ]

    /// The keys of each type of gesture in addition to those of `gesture`.
    static let gestures: [(type: String, keys: [String])] = GestureType.all.map {
        ($0.name, $0.keys.map(\.name))
    }

    private static func names<Target>(_ keys: [Key<Target>]) -> [String] { keys.map { $0.name } }
}
