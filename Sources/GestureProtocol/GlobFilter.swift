// SPDX-License-Identifier: MIT

/// Which gestures of which regions and panels somebody wants, as the lists of a subscription give them.
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

    /// - Parameter device: `nil`: it is not known, and no list matches it.
    package func passes(device: String?) -> Bool { Self.matches(device, devices) }

    /// - Parameters:
    ///   - gesture: its kind.
    ///   - name: the gesture's.
    package func passes(region: String, gesture: String, name: String) -> Bool {
        Self.matches(region, regions) && Self.matches(gesture, gestures) && Self.matches(name, names)
    }

    private static func matches(_ text: String?, _ globs: [Glob]?) -> Bool {
        guard let globs else { return true }
        guard let text else { return false }
        return globs.contains { $0.matches(text) }
    }
}
