// SPDX-License-Identifier: MIT

/// What clients have changed while the daemon runs, on top of what the files say.
package struct RuntimeState: Hashable, Sendable {
    /// The scene that has all regions, and is always there.
    package static let defaultScene = "default"

    /// Its id. Of the files' regions only those are on that it lists.
    package var scene = Self.defaultScene
    /// Ids of regions that are off, with what lies in them, whatever the scene.
    package var switchedOff: Set<String> = []
    /// Regions that clients have defined: above those of the files, later ones on top, on in every scene.
    package var definitions: [RegionRule] = []

    package init() {}
}
