// SPDX-License-Identifier: MIT
import GestureProtocol

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
        /// Fingers that are down.
        public var contacts: Int
    }

    /// What a panel lies on.
    public struct Output: Hashable, Sendable {
        /// In pixels.
        public var width: Double
        public var height: Double
        /// In millimetres.
        public var physicalWidth: Double
        public var physicalHeight: Double
        /// In degrees.
        public var rotation: Int
        /// Where the panel's own corners lie: top left, top right, bottom right, bottom left as it counts. Outside
        /// the output, or far inside, with a calibration that says so.
        public var corners: [Corner]
    }

    /// A place on an output.
    public struct Corner: Hashable, Sendable {
        /// In pixels.
        public var x: Double
        public var y: Double
        /// In millimetres.
        public var physicalX: Double
        public var physicalY: Double
    }

    /// Who would own a touch.
    public struct Hit: Hashable, Sendable {
        public var device: String
        /// `nil`: nobody.
        public var owner: String?
        /// The owner, then its ancestors.
        public var chain: [String]
        /// Regions that would see it too.
        public var pass: [String]
    }
}

extension GestureClient.Device {
    init(_ value: JSONValue) {
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
        contacts = value.whole("contacts")
    }
}

extension GestureClient.Hit {
    init(_ reply: JSONValue) {
        device = reply.text("device")
        owner = reply["owner"]?.string
        chain = reply.texts("chain")
        pass = reply.texts("pass")
    }
}
