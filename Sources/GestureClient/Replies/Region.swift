// SPDX-License-Identifier: MIT
package import GestureProtocol

extension GestureClient {
    /// A region on a panel; lengths in output pixels.
    public struct Region: Hashable, Sendable {
        public var id: String
        public var device: String
        public var parent: String?
        public var z: Int
        /// `nil`: one of a later daemon.
        public var shape: Shape?
        public var margin: Double
        public var isPass: Bool
        public var isEnabled: Bool
        public var isPrivate: Bool
        public var gestures: [RegionGesture]
    }

    /// In output pixels of the panel.
    public enum Shape: Hashable, Sendable {
        case rectangle(x: Double, y: Double, width: Double, height: Double)
        case circle(center: Point, radius: Double)
        case polygon([Point])
    }

    /// A gesture of a region.
    public struct RegionGesture: Hashable, Sendable {
        public var kind: Gesture.Kind
        public var name: String
    }
}

extension GestureClient.Region {
    package init(_ value: JSONValue) {
        id = value.text("region")
        device = value.text("device")
        parent = value["parent"]?.string
        z = value.whole("z")
        shape = value["shape"].flatMap { GestureClient.Shape($0) }
        margin = value.number("margin")
        isPass = value.flag("pass")
        isEnabled = value["enabled"]?.bool ?? true
        isPrivate = value.flag("private")
        gestures = value.list("gestures").map {
            .init(kind: .init(rawValue: $0.text("gesture")), name: $0["name"]?.string ?? $0.text("gesture"))
        }
    }
}

extension GestureClient.Shape {
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

extension JSONValue {
    fileprivate var numbers: [Double] { (array ?? []).compactMap { $0.number } }

    fileprivate var pair: GestureClient.Point? {
        let numbers = numbers
        return numbers.count == 2 ? GestureClient.Point(x: numbers[0], y: numbers[1]) : nil
    }
}
