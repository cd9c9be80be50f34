// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// The events that an application receives with the files in `config/examples`. Positions are in hundredths of the
/// panel.
@Suite("Examples of shared panels")
struct SharingExampleTests {
    /// - Parameter scene: the scene to use instead of the initial one.
    private static func play(_ example: String, in scene: String? = nil, _ script: String) throws -> [String] {
        let path = BuildProducts.root + "/config/examples/\(example).toml"
        var text = try String(contentsOfFile: path, encoding: .utf8)
        if let scene { text = text.replacing("scene = \"shop\"", with: "scene = \"\(scene)\"") }
        var run = try SharingTests.Script(file: text)
        run.play(script)
        return run.heard.filter { !$0.contains("~") }
    }

    @Test("edge-swipes: a swipe from the edge is taken back, others are not; a tap at the lower edge is delayed")
    func edges() throws {
        let swipe = "+20; 0:1,10,50; +20; 0:1,30,50; +200; 0:1,50,50; +20; 0:-"
        #expect(try Self.play("edge-swipes", "0:1,1,50; \(swipe)").map { $0.split(separator: " ")[1] } == ["+0", "-0"])
        let taken = try Self.play("edge-swipes", "0:1,1,50; \(swipe)").last ?? ""
        #expect(taken < "200", "it lifts while the finger is down: \(taken)")
        #expect(try Self.play("edge-swipes", "0:1,5,50; \(swipe)") == ["0 +0 5,50", "260 -0"])
        #expect(try Self.play("edge-swipes", "0:1,50,99; +20; 0:1,50,80; +20; 0:1,50,50; +20; 0:-") == [])
        #expect(try Self.play("edge-swipes", "0:1,50,99; +50; 0:-") == ["50 +0 50,99", "50 -0"])
    }

    @Test("service-corner: the application never receives contacts that land in a corner")
    func corner() throws {
        let heard = try Self.play("service-corner", "0:1,2,2; +50; 0:1,50,50; 1:2,50,90; 0:-; 1:-")
        #expect(heard == ["50 +1 50,90", "50 -1"])
    }

    @Test("pin-pad: in the scene \"pin\" the application receives no contacts; before that, it receives all")
    func pad() throws {
        let taps = "0:1,20,50; +50; 0:-; 0:2,95,5; +50; 0:-"
        #expect(try Self.play("pin-pad", in: "pin", taps) == [])
        #expect(try Self.play("pin-pad", taps).count == 4)
    }

    @Test("screensaver-hold: the application receives a finger that scrolls, but not the tap that ends the saver")
    func screensaver() throws {
        #expect(try Self.play("screensaver-hold", in: "saver", "0:1,50,50; +50; 0:-; +500") == [])
        let script = "0:1,50,50; +30; 0:1,50,60; +30; 0:1,50,70; +20; 0:-"
        let scrolled = try Self.play("screensaver-hold", in: "saver", script)
        #expect(scrolled == ["30 +0 50,50", "80 -0"])
    }
}
