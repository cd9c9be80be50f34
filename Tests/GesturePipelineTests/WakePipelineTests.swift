// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureTestSupport
import Testing
import TouchSharing

@Suite("Shared panels: touches that wake the display")
struct WakePipelineTests {
    private static let file =
        Application.configuration(
            """
            wake = { guard = "200ms" }
            [filter]
            mask = [["90%", "0%", "10%", "10%"]]
            [[region]]
            id = "ok"
            shape = "full"
            gestures = ["press"]
            [[scene]]
            id = "saver"
            regions = []
            [[idle]]
            id = "saver"
            after = "10s"
            scene = "saver"

            """)

    /// A panel with a display that a test switches.
    private func panel(isOff: @escaping () -> Bool) throws -> SharingTests.Script {
        var run = try SharingTests.Script(file: Self.file)
        run.pipeline.guardWake { isOff() ? .display : nil }
        return run
    }

    private final class Switch { var isOff = true }

    @Test("neither the application nor a gesture gets them, and a line says so")
    func wake() throws {
        let display = Switch()
        var run = try panel { display.isOff }
        run.play("0:1,50,50; +10; 1:2,60,60")
        display.isOff = false
        run.play("+10; 0:-; 1:-; +100; 0:3,50,50; +10; 0:-; +199; 0:4,50,50; 0:-; +200; 0:5,50,50")
        #expect(run.heard == ["529 +0 50,50"])
        #expect(run.lines.count { $0.contains("\"reason\":\"display\"") } == 1)
        #expect(run.lines.first == #""device":"panel","reason":"display","time_us":1000000"#)
        let ignored = #""contacts":[],"ignored":[{"slot":0,"x":50.0,"y":50.0,"filter":"wake","to":"nobody"}]"#
        #expect(run.lines.contains { $0.contains(ignored) })
        #expect(run.lines.count { $0.contains("\"phase\":\"begin\"") } == 1)
        let counts = run.pipeline.shareCounts.open
        // They are not counted as captured, because no region has kept them.
        #expect(counts.captured == 0)
        #expect(counts.forwarded == 1)
        let contacts = run.pipeline.contactCounts.open
        #expect(contacts.hidden(by: .wake) == 4)
        #expect(contacts.landed == 1)
    }

    @Test("a contact in a mask is kept from the application while the display is off")
    func mask() throws {
        let display = Switch()
        var run = try panel { display.isOff }
        run.play("0:1,95,5; +10; 0:-")
        #expect(run.heard == [])
        #expect(run.lines.allSatisfy { !$0.contains("\"reason\"") })
        display.isOff = false
        run.play("+10; 0:2,95,5")
        #expect(run.heard == ["20 +0 95,5"])
    }

    @Test("ends idle times, whose scene is over at once")
    func idle() throws {
        let watch = IdleWatch()
        let configuration = try #require(ConfigurationReader.read(Self.file).configuration)
        #expect(watch.apply(configuration.idle, in: "default", .reload, at: Timestamp(microseconds: 0)).isEmpty)
        var run = try panel { true }
        run.pipeline.idle = watch
        run.play("+9001")
        #expect(watch.scene == "saver")
        run.play("+1000; 0:1,50,50")
        #expect(watch.scene == nil)
        #expect(
            run.lines.suffix(3).map { $0.split(separator: "_").first } == [
                #""name":"saver","change":"active","reason":"touch","idle"#,
                #""device":"panel","reason":"display","time"#, #""device":"panel","time"#,
            ])
        // Time counts from this touch.
        #expect(watch.nextDeadline == Timestamp(microseconds: 21_001_000))
    }

    @Test("a panel without `wake` does not look at the display")
    func without() throws {
        var run = try SharingTests.Script(file: Self.file.replacing("wake = ", with: "# wake = "))
        run.pipeline.guardWake {
            Issue.record("looked at the display")
            return .display
        }
        run.play("0:1,50,50")
        #expect(run.heard == ["0 +0 50,50"])
    }
}
