// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureEngine

/// Shows the targets: on the page `/calibrate`, which draws the target where the region `calibration.target` is, or on a
/// text console that fills the display.
///
/// The regions are a lease of a connection of their own, so they go when the tool ends, for whatever reason. They own all
/// touches meanwhile, so no other gesture is recognized.
final class TargetDisplay {
    static let region = "calibration"
    private static let target = "\(region).target"
    /// The side of the target's region, as a share of the shorter side of the output.
    private static let side = 0.05

    private let connection: DaemonConnection
    private let device: String
    private let panel: CalibratedPanel
    private let console: TextConsole?

    /// - Parameters:
    ///   - connection: a connection without a subscription.
    ///   - console: the console that fills the display; `nil`: a page shows the targets.
    init(_ connection: DaemonConnection, device: String, panel: CalibratedPanel, console: TextConsole?) {
        (self.connection, self.device, self.panel, self.console) = (connection, device, panel, console)
    }

    /// - Throws: `ToolError` if there are regions with the ids of those for the targets.
    static func checkRegions(_ connection: DaemonConnection) throws {
        let reply = try connection.reply(to: RequestLine("regions", id: 3)).json
        let ids = Set(GestureClient.Region.all(in: reply).map(\.id)).intersection([region, target])
        guard let id = ids.first else { return }
        guard ids.count == 1 else {
            throw ToolError(.busy, "another gesturectl calibrate is running; end it first")
        }
        throw ToolError(
            .configuration, "there is a region \"\(id)\", an id that gesturectl calibrate needs; rename that region")
    }

    /// Returns the target at the nearest position that can be shown exactly.
    func exact(_ target: CalibrationTarget) -> CalibrationTarget {
        guard let console else {
            let (width, height) = (panel.output.width, panel.output.height)
            return CalibrationTarget(
                position: Point(
                    x: (target.position.x * width).rounded() / width, y: (target.position.y * height).rounded() / height
                ))
        }
        // A console is not turned with the output.
        let cell = console.center(nearest: turned(target.position, by: panel.rotation.inverse))
        return CalibrationTarget(position: turned(cell, by: panel.rotation))
    }

    private func turned(_ point: Point, by rotation: OutputSettings.Rotation) -> Point {
        let (x, y) = AffineMatrix.identity.rotated(by: rotation).applied(point.x, point.y)
        return Point(x: x, y: y)
    }

    /// Shows a target that `exact` has returned, and a text on the console.
    /// - Parameter name: the number of the target and that of all, such as `3/5`, which the page shows.
    /// - Throws: `ToolError` if the daemon does not allow the regions, or has gone.
    func show(_ target: CalibrationTarget, named name: String, _ text: String) throws {
        let (width, height) = (panel.output.width, panel.output.height)
        let half = max(1, (min(width, height) * Self.side / 2).rounded())
        let (x, y) = (target.position.x * width, target.position.y * height)
        let square = [x - half, y - half, 2 * half, 2 * half].map { GestureClient.JSON.number($0) }
        // The page shows that a finger is down when the daemon reports a press.
        let regions: [GestureClient.JSON] = [
            [
                "id": .text(Self.region), "device": .text(device), "shape": "full", "touches": "capture",
                "gestures": ["press"],
            ],
            [
                "id": .text(Self.target), "device": .text(device), "parent": .text(Self.region),
                "shape": ["rect": .list(square)], "gestures": [["type": "press", "name": .text(name)]],
            ],
        ]
        let request = RequestLine("define_regions", [("lease", true), ("regions", .list(regions))])
        _ = try connection.reply(to: request)
        console?.show(turned(target.position, by: panel.rotation.inverse), text)
    }
}
