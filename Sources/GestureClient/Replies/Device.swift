// SPDX-License-Identifier: MIT
package import GestureProtocol

extension GestureClient {
    /// A device that the daemon knows of.
    public struct Device: Hashable, Sendable {
        public var id: String
        public var node: String
        public var name: String
        /// `ready`, `refused`, `ignored`, `failed`.
        public var state: String
        /// Why it is not ready.
        public var reason: String?
        /// When it is ready.
        public var output: Output?
        /// Who gets its touches, unless everybody does: `held`, `waiting`, `given_back`, `other`, or a new one of a
        /// later daemon.
        public var grab: String?
        /// How many contacts it has.
        public var contacts: Int
    }

    /// The output that a panel is mapped to.
    public struct Output: Hashable, Sendable {
        /// In pixels.
        public var width: Double
        public var height: Double
        /// In millimetres.
        public var physicalWidth: Double
        public var physicalHeight: Double
        /// In degrees.
        public var rotation: Int
        /// Where the panel's own corners lie: its top left, top right, bottom right, bottom left. A calibration may
        /// put them outside the output, or far inside.
        public var corners: [Corner]
    }

    /// A point of an output.
    public struct Corner: Hashable, Sendable {
        /// In pixels.
        public var x: Double
        public var y: Double
        /// In millimetres.
        public var physicalX: Double
        public var physicalY: Double
    }

    /// The regions of a point.
    public struct Hit: Hashable, Sendable {
        public var device: String
        /// The region that would own a touch there; `nil`: none.
        public var owner: String?
        /// The owner, then its ancestors.
        public var chain: [String]
        /// Pass regions that would see the touch too.
        public var pass: [String]
    }
}

extension GestureClient.Device {
    package init(_ value: JSONValue) {
        id = value.text("device")
        node = value.text("node")
        name = value.text("name")
        state = value.text("state")
        reason = value["reason"]?.string
        output = value["output"].map {
            .init(
                width: $0.number("width"), height: $0.number("height"), physicalWidth: $0.number("width_mm"),
                physicalHeight: $0.number("height_mm"), rotation: $0.whole("rotation"),
                corners: ($0["corners"]?.array ?? []).map {
                    .init(
                        x: $0.number("x"), y: $0.number("y"), physicalX: $0.number("x_mm"),
                        physicalY: $0.number("y_mm"))
                })
        }
        grab = value["grab"]?.string
        contacts = value.whole("contacts")
    }
}

extension GestureClient.Hit {
    package init(_ reply: JSONValue) {
        device = reply.text("device")
        owner = reply["owner"]?.string
        chain = reply.texts("chain")
        pass = reply.texts("pass")
    }
}
