// SPDX-License-Identifier: MIT

/// The keys of a file.
enum TopKey: String, TableKey {
    case version, daemon, access, defaults, filter, device, region, scene, arbitration

    /// Those that are lists of tables with an id.
    static let lists: [String] = [TopKey.device, .region, .scene].map { $0.rawValue }
}
