// SPDX-License-Identifier: MIT
package import GestureProtocol

extension GestureClient {
    /// A region on a panel, with lengths in output pixels.
    public struct Region: Hashable, Sendable {
        public var id: String
        public var device: String
        public var parent: String?
        public var z = 0
        /// The shape; `nil` if it is of a kind that only a later daemon has.
        public var shape: Shape?
        public var margin = 0.0
        public var isPass = false
        public var isEnabled = true
        public var isPrivate = false
        /// Whether a client has defined the region.
        public var isLeased = false
        /// Determines how contacts are grouped into sequences: `together`, `each` or `near`.
        public var contacts = "together"
        public var gestures: [RegionGesture]

        /// Creates a region with defaults for all other properties.
        package init(id: String, device: String, parent: String? = nil, gestures: [RegionGesture]) {
            (self.id, self.device, self.parent, self.gestures) = (id, device, parent, gestures)
        }

        package init(_ value: JSONValue) {
            let gestures = value.list("gestures").map {
                GestureClient.RegionGesture(
                    kind: .init(rawValue: $0.text("gesture")), name: $0["name"]?.string ?? $0.text("gesture"),
                    action: $0["action"]?.string)
            }
            self.init(
                id: value.text("region"), device: value.text("device"), parent: value["parent"]?.string,
                gestures: gestures)
            z = value.whole("z")
            shape = value["shape"].flatMap { GestureClient.Shape($0) }
            margin = value.number("margin")
            isPass = value.flag("pass")
            isEnabled = value["enabled"]?.bool ?? true
            isPrivate = value.flag("private")
            isLeased = value.flag("leased")
            contacts = value["contacts"]?.string ?? "together"
        }
    }

    /// A shape in output pixels of the panel.
    public enum Shape: Hashable, Sendable {
        case rectangle(x: Double, y: Double, width: Double, height: Double)
        case circle(center: Point, radius: Double)
        case polygon([Point])

        package init?(_ value: JSONValue) {
            if let rectangle = value["rect"]?.numbers, rectangle.count == 4 {
                self = .rectangle(x: rectangle[0], y: rectangle[1], width: rectangle[2], height: rectangle[3])
            } else if let circle = value["circle"], let center = circle["center"]?.pair {
                self = .circle(center: center, radius: circle.number("radius"))
            } else if let corners = value["polygon"]?.array {
                self = .polygon(corners.compactMap { $0.pair })
            } else {
                return nil
            }
        }
    }

    /// A gesture of a region.
    public struct RegionGesture: Hashable, Sendable {
        public var kind: Gesture.Kind
        public var name: String
        /// The identifier in the configuration that says what the gesture does; `nil` if it has none.
        public var action: String?

        package init(kind: Gesture.Kind, name: String, action: String? = nil) {
            (self.kind, self.name, self.action) = (kind, name, action)
        }
    }
}

extension JSONValue {
    fileprivate var numbers: [Double] { (array ?? []).compactMap { $0.number } }

    fileprivate var pair: GestureClient.Point? {
        let numbers = numbers
        return numbers.count == 2 ? GestureClient.Point(x: numbers[0], y: numbers[1]) : nil
    }
}
