// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol
import GestureTestSupport
import Testing

@testable import gesturectl

@Suite("Touch picture")
struct TouchPictureTests {
    /// A picture of a panel of 80 x 40 pixels. With 40 columns and 12 rows, a character covers 2 x 4 pixels.
    private func picture(_ regions: [(id: String, shape: GestureClient.Shape)]) -> TouchPicture {
        TouchPicture(
            device: "panel", width: 80, height: 40,
            regions: regions.compactMap { region in
                let json = """
                    {"region":"\(region.id)","device":"panel","enabled":true,"gestures":[],\
                    "bounds":[0,0,1,1],"shape":\(Self.json(region.shape))}
                    """
                return JSONValue(parsing: Array(json.utf8)).map { GestureClient.Region($0) }
            })
    }

    private static func json(_ shape: GestureClient.Shape) -> String {
        switch shape {
        case .rectangle(let x, let y, let width, let height): "{\"rect\":[\(x),\(y),\(width),\(height)]}"
        case .circle(let center, let radius):
            "{\"circle\":{\"center\":[\(center.x),\(center.y)],\"radius\":\(radius)}}"
        case .polygon(let corners): "{\"polygon\":\(corners.map { [$0.x, $0.y] })}"
        }
    }

    private func touches(_ time: Int64, _ contacts: [(id: Int, slot: Int, x: Double, y: Double)]) throws
        -> GestureClient.Touches
    {
        let list = contacts.map {
            "{\"id\":\($0.id),\"slot\":\($0.slot),\"x\":\($0.x),\"y\":\($0.y),\"region\":\"ok\",\"major_mm\":8.25}"
        }
        let text =
            "{\"event\":\"touches\",\"device\":\"panel\",\"time_us\":\(time),\"contacts\":[\(list.joined(separator: ","))]}"
        return GestureClient.Touches(try #require(JSONValue(parsing: Array(text.utf8))))
    }

    @Test("regions with their names, contacts by slot, and a line for each contact")
    func whole() throws {
        var picture = picture([
            ("list", .rectangle(x: 0, y: 0, width: 80, height: 40)),
            ("ok", .rectangle(x: 0, y: 0, width: 40, height: 40)),
        ])
        picture.follow(try touches(0, [(7, 0, 20, 20), (8, 11, 60, 30)]))
        #expect(
            picture.lines(columns: 40, rows: 16) == [
                "⡏list⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⡏⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⢹", "⡇ok                 ⡇                  ⢸",
            ] + Array(repeating: "⡇                   ⡇                  ⢸", count: 3) + [
                "⡇         0         ⡇                  ⢸", "⡇                   ⡇                  ⢸",
                "⡇                   ⡇         1        ⢸", "⡇                   ⡇                  ⢸",
                "⣇⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣇⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣸", "0  slot 0  id 7  20,20  ok  8.3 mm",
                "1  slot 11  id 8  60,30  ok  8.3 mm",
            ])
    }

    @Test("it keeps its scale when fingers come and go")
    func scale() throws {
        var picture = picture([("ok", .rectangle(x: 0, y: 0, width: 80, height: 40))])
        let empty = picture.lines(columns: 100, rows: 24)
        picture.follow(try touches(0, (0..<9).map { ($0, $0, 20, 20) }))
        let full = picture.lines(columns: 100, rows: 24)
        #expect(full.count == 24 - 1)
        #expect(full.prefix(3).elementsEqual(empty.prefix(3)))
        #expect(empty.count == full.count - 5)
    }

    @Test("a trail shows the positions of a contact in the last second")
    func trails() throws {
        var picture = picture([])
        picture.follow(try touches(0, [(7, 0, 2, 2)]))
        picture.follow(try touches(100_000, [(7, 0, 22, 2)]))
        picture.follow(try touches(200_000, []))
        #expect(picture.lines(columns: 40, rows: 16)[0] == " ⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤".replacing(" ⠤", with: " ⠤") + "⠄")
        #expect(picture.hasTrails)
        picture.fade(at: 999_999)
        #expect(picture.hasTrails)
        picture.fade(at: 1_100_000)
        #expect(!picture.hasTrails)
        #expect(picture.lines(columns: 40, rows: 16).allSatisfy { $0.isEmpty })
    }

    @Test("changed regions are shown at once, and so is a missing panel")
    func live() throws {
        var picture = picture([("old", .rectangle(x: 0, y: 0, width: 80, height: 40))])
        picture.follow(try touches(0, [(7, 0, 20, 20)]))
        picture.show(self.picture([("new", .circle(center: .init(x: 40, y: 20), radius: 20))]))
        let lines = picture.lines(columns: 40, rows: 16)
        #expect(!lines.joined().contains("old"))
        #expect(lines.joined().contains("new"))
        #expect(lines.joined().contains("slot 0"))
        picture.isMissing = true
        #expect(picture.lines(columns: 40, rows: 16) == ["panel: not ready; see gesturectl devices"])
        picture.show(self.picture([]))
        #expect(!picture.isMissing)
    }

    @Test("the picture fits the terminal, for any lines of the daemon", arguments: [(1, 1), (5, 2), (200, 60)])
    func bounds(columns: Int, rows: Int) throws {
        var picture = picture([
            ("huge", .rectangle(x: -1e300, y: -1e300, width: 1e301, height: 1e301)), ("p", .polygon([])),
            ("c", .circle(center: .init(x: 1e9, y: 0), radius: 1e12)),
        ])
        picture.follow(try touches(0, [(7, -1, 1e300, -1e300), (8, .max, 0, 0)]))
        let lines = picture.lines(columns: columns, rows: rows)
        #expect(lines.count <= rows + 1)
        #expect(lines.prefix(max(1, rows - 2)).allSatisfy { $0.count <= columns })
    }

    @Test("a wide letter takes two cells")
    func wideLetters() {
        var canvas = BrailleCanvas(columns: 6, rows: 1)
        canvas.set(11, 0)
        canvas.write("名e\u{301}名", column: 0, row: 0)
        #expect(canvas.lines == ["名e\u{301}名⠈"])
        canvas.write("名", column: 5, row: 0)
        #expect(canvas.lines == ["名e\u{301}名⠈"])
    }
}
