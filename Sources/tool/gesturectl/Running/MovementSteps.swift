// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureEngine
import GestureProtocol

/// A step of a movement on the command line: `5mm` of a drag, `15deg` of a dial or a rotation.
struct StepSize: ExpressibleByArgument, Hashable {
    enum Unit: String, CaseIterable {
        case millimeters = "mm"
        case degrees = "deg"

        /// The kinds of gestures whose movements have this unit.
        var kinds: [GestureClient.Gesture.Kind] {
            switch self {
            case .millimeters: [.drag]
            case .degrees: [.dial, .rotate]
            }
        }
    }

    let amount: Double
    let unit: Unit

    init?(argument: String) {
        guard let unit = Unit.allCases.first(where: { argument.hasSuffix($0.rawValue) }),
            let amount = Double(argument.dropLast(unit.rawValue.count)), (0.1...10_000).contains(amount)
        else { return nil }
        (self.amount, self.unit) = (amount, unit)
    }
}

/// Counts the steps of the drags, dials and rotations in the daemon's lines.
struct MovementSteps {
    /// The request whose reply `take(panels:)` needs.
    static let request = RequestLine("devices", id: 3)

    private let size: StepSize
    /// The outputs of the panels, which say how long a pixel is.
    private var outputs: [String: GestureClient.Output] = [:]
    private var movements: [Identity: Movement] = [:]

    init(of size: StepSize) { self.size = size }

    /// Distinguishes gestures that are under way.
    private struct Identity: Hashable {
        let device: String?
        let region: String
        let name: String
        let sequence: Int
    }

    private struct Movement {
        /// The distance that it had gone when it was first seen; 0 at its begin.
        let origin: GestureClient.Point
        var steps: StepCount
        /// Whether its steps are those to the right and left, not up and down; `nil` before the first one.
        var isHorizontal: Bool?

        /// Returns the number of steps that are added. The direction of the first step decides which of x and y counts.
        mutating func advance(to amount: GestureClient.Point) -> Int {
            let (x, y) = (amount.x - origin.x, amount.y - origin.y)
            let isHorizontal = isHorizontal ?? (x.magnitude >= y.magnitude)
            let before = steps.number ?? 0
            guard steps.count(isHorizontal ? x : y) else { return 0 }
            self.isHorizontal = isHorizontal
            return (steps.number ?? 0) - before
        }
    }

    mutating func take(panels: [GestureClient.Device]) {
        outputs = Dictionary(panels.compactMap { panel in panel.output.map { (panel.id, $0) } }) { $1 }
    }

    /// Forgets what is under way, because its end may be among lines that were lost.
    mutating func forget() { movements.removeAll() }

    /// Returns the number of steps by which a gesture has moved on: to the right, up and clockwise are positive.
    mutating func steps(of gesture: GestureClient.Gesture) -> Int {
        let identity = Identity(
            device: gesture.device, region: gesture.region, name: gesture.name, sequence: gesture.sequence)
        if gesture.phase == .cancel { movements[identity] = nil }
        guard gesture.phase != .cancel, let amount = amount(of: gesture) else { return 0 }
        if gesture.phase == .begin { movements[identity] = nil }
        var movement =
            movements[identity]
            ?? Movement(
                origin: gesture.phase == .begin ? GestureClient.Point(x: 0, y: 0) : amount,
                steps: StepCount(of: size.amount))
        defer { movements[identity] = gesture.phase == .end ? nil : movement }
        return movement.advance(to: amount)
    }

    /// Returns how far a gesture has gone, in the unit of the steps; `nil` if it is of another kind.
    private func amount(of gesture: GestureClient.Gesture) -> GestureClient.Point? {
        switch size.unit {
        case .degrees: return gesture.rotation.map { GestureClient.Point(x: $0, y: 0) }
        case .millimeters:
            guard let output = gesture.device.flatMap({ outputs[$0] }), output.width > 0, output.height > 0,
                let way = gesture.translation
            else { return nil }
            return GestureClient.Point(
                x: way.x * output.physicalWidth / output.width, y: -way.y * output.physicalHeight / output.height)
        }
    }
}
