// SPDX-License-Identifier: MIT
import GestureProtocol

/// One region as the daemon's `regions` reply tells it; lengths in output pixels.
struct RegionEntry: Hashable {
    enum Shape: Hashable {
        case rect(x: Double, y: Double, width: Double, height: Double)
        case circle(x: Double, y: Double, radius: Double)
        case polygon([Corner])
    }

    struct Corner: Hashable {
        var x: Double
        var y: Double
    }

    struct Gesture: Hashable {
        var kind: String
        var name: String

        /// `swipe`, or `swipe "page"` when the user named it.
        var label: String { name == kind ? kind : "\(kind) \"\(name)\"" }
    }

    var id: String
    var device: String
    var parent: String?
    var z: Int64
    var shape: Shape
    var margin: Double
    var pass: Bool
    var enabled: Bool
    var isPrivate: Bool
    var gestures: [Gesture]

    /// `pass`, `disabled`, `private`: what sets it apart.
    var flags: [String] {
        [pass ? "pass" : nil, enabled ? nil : "disabled", isPrivate ? "private" : nil].compactMap { $0 }
    }
}

extension RegionEntry {
    /// - Returns: nil when a key that must be there is missing or of another type.
    init?(_ json: JSONValue) {
        guard let id = json["region"]?.string, let device = json["device"]?.string,
            let shape = json["shape"].flatMap(Shape.init)
        else { return nil }
        self.init(
            id: id.safe, device: device.safe, parent: json["parent"]?.string?.safe, z: json["z"]?.integer ?? 0,
            shape: shape, margin: json["margin"]?.number ?? 0, pass: json["pass"]?.bool ?? false,
            enabled: json["enabled"]?.bool ?? true, isPrivate: json["private"]?.bool ?? false,
            gestures: (json["gestures"]?.elements ?? []).compactMap(Gesture.init))
    }
}

extension RegionEntry.Gesture {
    fileprivate init?(_ json: JSONValue) {
        guard let kind = json["gesture"]?.string else { return nil }
        self.init(kind: kind.safe, name: (json["name"]?.string ?? kind).safe)
    }
}

extension RegionEntry.Shape {
    fileprivate init?(_ json: JSONValue) {
        if let numbers = json["rect"]?.elements.compactMap(\.number), numbers.count == 4 {
            self = .rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        } else if let circle = json["circle"], let center = circle["center"]?.elements.compactMap(\.number),
            center.count == 2, let radius = circle["radius"]?.number
        {
            self = .circle(x: center[0], y: center[1], radius: radius)
        } else if let corners = json["polygon"]?.elements {
            self = .polygon(
                corners.compactMap { corner in
                    let numbers = corner.elements.compactMap(\.number)
                    return numbers.count == 2 ? RegionEntry.Corner(x: numbers[0], y: numbers[1]) : nil
                })
        } else {
            return nil
        }
    }

    /// `1920x756+0+108`, `circle 1920,0 r 78`, `polygon of 3`.
    var label: String {
        switch self {
        case .rect(let x, let y, let width, let height):
            "\(shortest(width))x\(shortest(height))+\(shortest(x))+\(shortest(y))"
        case .circle(let x, let y, let radius): "circle \(shortest(x)),\(shortest(y)) r \(shortest(radius))"
        case .polygon(let corners): "polygon of \(corners.count)"
        }
    }
}

/// A number with at most one decimal, and none when it is 0: `108`, `0.5`.
func shortest(_ value: Double) -> String {
    let tenths = (value * 10).rounded()
    guard abs(tenths) < 1e15 else { return "\(value)" }
    let whole = Int64(tenths)
    let sign = whole < 0 ? "-" : ""
    return whole % 10 == 0 ? "\(whole / 10)" : "\(sign)\(abs(whole) / 10).\(abs(whole) % 10)"
}
