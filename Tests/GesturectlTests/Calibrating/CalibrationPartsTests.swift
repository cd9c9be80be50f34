// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureTestSupport
import Testing

@testable import gesturectl

@Suite("Parts of a calibration")
struct CalibrationPartsTests {
    private static func fit(_ touches: [(Double, Double)]) -> CalibrationFit? {
        let pairs = zip(touches, CalibrationTarget.layout(5)).map { touch, target in
            CalibrationFit.Pair(touch: Point(x: touch.0, y: touch.1), target: target.position)
        }
        return CalibrationFit(pairs) { _ in SyntheticPanel.size }
    }

    @Test(
        "touches at one point or on one line make no calibration",
        arguments: [
            [], [(0.1, 0.1), (0.9, 0.1)], Array(repeating: (0.4, 0.4), count: 5),
            [(0.1, 0.1), (0.9, 0.9), (0.5, 0.5), (0.2, 0.2), (0.3, 0.3)],
            [(0.1, 0.5), (0.9, 0.5), (0.7, 0.501), (0.1, 0.499), (0.9, 0.5)],
            [(0.101, 0.1), (0.102, 0.1), (0.103, 0.1), (0.101, 0.103), (0.102, 0.104)],
        ] as [[(Double, Double)]])
    func degenerate(touches: [(Double, Double)]) { #expect(Self.fit(touches) == nil) }

    @Test("each number of targets has a layout, with places in words", arguments: CalibrationTarget.counts)
    func layouts(count: Int) {
        let targets = CalibrationTarget.layout(count)
        #expect(targets.count == count && Set(targets).count == count)
        #expect(Set(targets.map(\.place)).count == count)
        #expect(targets.first?.place == "top left" && targets.last?.place == "bottom right")
    }

    @Test(
        "the axes in words",
        arguments: [
            (AffineMatrix.identity, []), (AffineMatrix(1.04, 0.1, 0.2, -0.1, 0.96, 0), []),
            (AffineMatrix(-1, 0, 1, 0, 1, 0), ["x is inverted"]),
            (AffineMatrix(0, -1, 1, 2, 0, 0), ["x and y are swapped", "x is inverted", "y is scaled by 2.00"]),
            (AffineMatrix(0.5, 0, 0, 0, -0.944, 1), ["x is scaled by 0.50", "y is inverted", "y is scaled by 0.94"]),
        ])
    func words(matrix: AffineMatrix, expected: [String]) { #expect(matrix.axisRemarks == expected) }

    @Test("numbers have six decimals, and those that are read are those that are written")
    func numbers() {
        let numbers = CalibrationNumbers(AffineMatrix(1 / 3, -2.0 / 3, 0.000_000_4, -1e-9, 12.5, -0.1))
        #expect(numbers.finding.key == "calibration = [0.333333, -0.666667, 0.000000, 0.000000, 12.500000, -0.100000]")
        #expect(numbers.matrix == AffineMatrix(0.333333, -0.666667, 0, 0, 12.5, -0.1))
        let device = DeviceDescription(name: "a\"b\\c${d}*[e]?é\nf", udev: ["ID_PATH": "pci-0000:00:14.0-usb-0:2:1.0"])
        #expect(
            numbers.finding.rule(for: device)
                == #"ACTION!="remove", SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="a*b*c*d*e*f", "#
                + #"ENV{ID_PATH}=="pci-0000:00:14.0-usb-0:2:1.0", "#
                + #"ENV{LIBINPUT_CALIBRATION_MATRIX}="0.333333 -0.666667 0.000000 0.000000 12.500000 -0.100000""#)
    }

    @Test("the position is where a finger rests, not where it rolls when it lands and lifts")
    func resting() {
        var touch = RestingTouch { a, b in (a - b).length * 100 }
        let mapping = AxisShares.mapping(
            DeviceDescription(axes: [53: .init(minimum: -100, maximum: 99), 54: .init(minimum: 0, maximum: 99)]))
        func send(_ kind: ContactChange.Kind, _ milliseconds: Int64, x: Int32, id: Int64 = 1) -> RestingTouch.Outcome? {
            let change = ContactChange(id: ContactID(id), kind: kind, position: mapping.point(x: x, y: 50))
            return touch.take(TouchFrame(time: Timestamp(microseconds: milliseconds * 1000), changes: [change]))
        }
        _ = send(.landed, 0, x: -4)
        for step in 1...5 { _ = send(.moved, Int64(step) * 10, x: -4) }
        _ = send(.moved, 60, x: 0)
        _ = send(.landed, 100, x: 90, id: 2)
        _ = send(.moved, 280, x: 6)
        #expect(send(.lifted, 290, x: 90, id: 2) == nil)
        guard case .position(let position)? = send(.lifted, 300, x: 6) else { return #expect(Bool(false)) }
        #expect(abs(position.x - 0.5) < 1e-6 && abs(position.y - 0.5) < 1e-6)
        _ = send(.landed, 1000, x: 0)
        _ = send(.cancelled(.palm), 1500, x: 0)
        #expect(send(.lifted, 1500, x: 0) == nil)
    }

    @Test("cells that do not fill the display are where they are", arguments: [(80, 25), (170, 67), (40, 15)])
    func cells(columns: Int, rows: Int) {
        var grid = ConsoleGrid(columns: columns, rows: rows)
        grid.share = Point(x: 1360.0 / 1366, y: 1072.0 / 1080)
        for target in CalibrationTarget.layout(9) {
            let cell = grid.cell(at: target.position)
            let center = grid.center(of: cell)
            #expect(abs(center.x - target.position.x) <= 0.5 / Double(columns))
            #expect(abs(center.y - target.position.y) <= 0.5 / Double(rows))
            let again = grid.cell(at: center)
            #expect(again == cell)
            let texts = [
                "target 3 (top right) was left out, because the axes of the panel end there; touch target 4 of 5 "
                    + "(bottom left)", "hold the finger there for a moment; Ctrl-C ends this",
            ]
            let lines = grid.picture(of: cell, texts)
            #expect(lines.count == rows && lines.allSatisfy { $0.columns <= columns })
            let part = Array(lines[cell.row])
            #expect(String(part[(cell.column - 2)...(cell.column + 2)]) == "--+--", "\(lines)")
            // The whole text is outside the three rows of the cross.
            let words = lines.indices.filter { abs($0 - cell.row) > 1 }.flatMap { lines[$0].split(separator: " ") }
            #expect(words.joined(separator: " ") == texts.joined(separator: " "))
        }
        #expect(grid.cell(at: Point(x: 1, y: 1)) == (columns - 1, rows - 1))
        #expect(
            grid.center(of: (0, 0))
                == Point(x: 0.5 / Double(columns) * grid.share.x, y: 0.5 / Double(rows) * grid.share.y))
    }
}
