// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureEngine
import Recordings

/// A panel, its display, and the mapping between them that the daemon uses now.
struct CalibratedPanel {
    let description: DeviceDescription
    let touchProtocol: TouchProtocol
    let output: GestureClient.Output
    /// The rotation that follows the calibration.
    let rotation: OutputSettings.Rotation
    /// The mapping from normalised axes to the display that the daemon uses now, including the rotation.
    let current: AffineMatrix
    /// The size of the display; `nil` if it follows from the resolution of the panel and the mapping.
    private let configuredSize: OutputSettings.Size?

    /// - Returns: `nil` if the daemon's replies do not describe a panel that is ready.
    init?(_ output: GestureClient.Output?, _ description: DeviceDescription) {
        guard let output, output.corners.count == 4, output.width >= 1, output.height >= 1,
            let rotation = OutputSettings.Rotation(degrees: output.rotation, isFlipped: output.isFlipped),
            case .accepted(let touchProtocol, _) = Admission.decide(description, matchedByConfiguration: true)
        else { return nil }
        let corners = output.corners.map { Point(x: $0.x / output.width, y: $0.y / output.height) }
        let (origin, u, v) = (corners[0], corners[1] - corners[0], corners[3] - corners[0])
        (self.output, self.description, self.rotation, self.touchProtocol) = (
            output, description, rotation, touchProtocol
        )
        current = AffineMatrix(u.dx, v.dx, origin.x, u.dy, v.dy, origin.y)
        let derived = Self.size(description, output, current)
        // The reply contains tenths of millimetres.
        let isDerived =
            abs(derived.width - output.physicalWidth) < 0.5 && abs(derived.height - output.physicalHeight) < 0.5
        configuredSize = isDerived ? nil : .init(width: output.physicalWidth, height: output.physicalHeight)
    }

    /// Whether the daemon uses no calibration now. The daemon's replies contain tenths.
    var isUncalibrated: Bool {
        zip(current.rotated(by: rotation.inverse).coefficients, AffineMatrix.identity.coefficients)
            .allSatisfy { abs($0 - $1) < 1e-3 }
    }

    /// The value of `rotation` that does the same as a calibration which only inverts both axes; `nil` for others.
    func rotation(insteadOf calibration: AffineMatrix) -> String? {
        let half = OutputSettings.Rotation(degrees: (rotation.degrees + 180) % 360, isFlipped: rotation.isFlipped)
        guard let half, calibration.axisRemarks == AffineMatrix(-1, 0, 1, 0, -1, 1).axisRemarks else { return nil }
        return half.isFlipped ? "\"\(half.rawValue)\"" : half.rawValue
    }

    /// The size of the display in millimetres under a mapping from normalised axes.
    func size(_ mapping: AffineMatrix) -> OutputSettings.Size {
        configuredSize ?? Self.size(description, output, mapping)
    }

    /// The distance between two touches in millimetres under the current mapping.
    func distance(_ a: Point, _ b: Point) -> Double {
        current.distance(a, b, size(current))
    }

    /// Whether the axes of the panel end at this position. The finger may be farther out.
    func isAtEnd(_ touch: Point) -> Bool {
        guard let (x, y) = description.positionAxes else { return false }
        return [(touch.x, x), (touch.y, y)].contains { share, axis in
            // The position is that of a whole unit, except for rounding.
            let unit = share * Double(axis.count)
            return unit < 0.5 || unit > Double(axis.count) - 1.5
        }
    }

    private static func size(
        _ description: DeviceDescription, _ output: GestureClient.Output, _ mapping: AffineMatrix
    ) -> OutputSettings.Size {
        let pixels = OutputSettings.Size(width: output.width, height: output.height)
        let size = AxisMapping(
            description, output: OutputSettings(sizePixels: pixels, calibration: .matrix(mapping))
        ).panelSize
        return .init(width: size.widthMillimeters, height: size.heightMillimeters)
    }
}
