// SPDX-License-Identifier: MIT

extension GestureClient {
    /// A region that a client defines while the daemon runs.
    public struct RegionDefinition: Hashable, Sendable {
        /// Not one of a region in the configuration files.
        public var id: String
        /// As in the configuration; bare numbers are output pixels: `["rect": [10, 20, 200, 80]]`, `"full"`.
        public var shape: JSON
        /// As in the configuration: `"tap"`, `["type": "long_press", "delay": "1s"]`.
        public var gestures: [JSON]
        /// Further keys of `[[region]]` in `docs/configuration.md`: `["parent": "page", "margin": "2mm"]`.
        public var keys: [String: JSON]

        public init(id: String, shape: JSON, gestures: [JSON], keys: [String: JSON] = [:]) {
            self.id = id
            self.shape = shape
            self.gestures = gestures
            self.keys = keys
        }

        var json: JSON {
            var members = keys
            members["id"] = .text(id)
            members["shape"] = shape
            members["gestures"] = .list(gestures)
            return .object(members)
        }
    }
}
