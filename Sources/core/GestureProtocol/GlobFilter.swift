// SPDX-License-Identifier: MIT

/// The gestures, regions and panels selected by the lists of a subscription.
///
/// A list that is `nil` matches everything.
package struct GlobFilter {
    private let regions: [Glob]?
    private let devices: [Glob]?
    private let gestures: [Glob]?
    private let names: [Glob]?

    package init(regions: [String]?, devices: [String]?, gestures: [String]?, names: [String]?) {
        self.regions = regions?.map { Glob($0) }
        self.devices = devices?.map { Glob($0) }
        self.gestures = gestures?.map { Glob($0) }
        self.names = names?.map { Glob($0) }
    }

    /// Whether the filter selects a panel.
    /// - Parameter device: the name of the panel; `nil` if it is unknown, in which case no list matches it.
    package func passes(device: String?) -> Bool { Self.matches(device, devices) }

    /// Whether the filter selects a gesture.
    /// - Parameters:
    ///   - gesture: the kind of the gesture.
    ///   - name: the name of the gesture.
    package func passes(region: String, gesture: String, name: String) -> Bool {
        Self.matches(region, regions) && Self.matches(gesture, gestures) && Self.matches(name, names)
    }

    private static func matches(_ text: String?, _ globs: [Glob]?) -> Bool {
        guard let globs else { return true }
        guard let text else { return false }
        return globs.contains { $0.matches(text) }
    }
}
