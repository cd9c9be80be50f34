// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Testing

@Suite("Idle times")
struct IdleWatchTests {
    private static let text = """
        [[scene]]
        id = "shop"
        regions = []
        [[scene]]
        id = "saver"
        regions = []
        [[scene]]
        id = "night"
        regions = []
        [[idle]]
        id = "dim"
        after = "30s"
        [[idle]]
        after = "60s"
        in = ["sh*"]
        scene = "saver"
        [[idle]]
        id = "late"
        after = "600s"
        scene = "night"

        """

    private func rules(_ text: String = Self.text) throws -> [IdleRule] {
        let (configuration, diagnostics) = ConfigurationReader.read("version = 1\n" + text)
        return try #require(configuration, "\(diagnostics)").idle
    }

    private func seconds(_ time: Double) -> Timestamp { Timestamp(microseconds: Int64(time * 1e6)) }

    /// Returns each change as text such as `60.0 saver idle 60.0`: time, name, change and duration.
    private func text(_ changes: [IdleWatch.Change]) -> [String] {
        changes.map { change in
            let time = Double(change.time.microseconds) / 1e6
            return
                "\(time) \(change.name) \(change.end?.rawValue ?? "idle") \(Double(change.length.microseconds) / 1e6)"
        }
    }

    @Test("each begins at its own time, and a touch ends all of them; the scene stays until no contact is down")
    func touch() throws {
        let watch = IdleWatch()
        #expect(watch.apply(try rules(), in: "shop", .reload, at: seconds(0)).isEmpty)
        #expect(watch.nextDeadline == seconds(30))
        #expect(text(watch.advance(to: seconds(29.9))) == [])
        #expect(text(watch.advance(to: seconds(70))) == ["30.0 dim idle 30.0", "60.0 idle idle 60.0"])
        #expect(watch.names == ["dim", "idle"])
        #expect(watch.scene == "saver")
        #expect(text(watch.setTouched(true, at: seconds(75))) == ["75.0 dim touch 75.0", "75.0 idle touch 75.0"])
        #expect(watch.names == [])
        #expect(watch.scene == "saver")
        #expect(watch.nextDeadline == nil)
        #expect(text(watch.setTouched(false, at: seconds(200))) == [])
        #expect(watch.scene == nil)
        #expect(watch.nextDeadline == seconds(230))
    }

    @Test("other activity ends idle times as a brief touch, and does nothing while a panel is touched")
    func activity() throws {
        let watch = IdleWatch()
        _ = watch.apply(try rules(), in: "shop", .reload, at: seconds(0))
        #expect(text(watch.noteActivity(at: seconds(20))) == [])
        #expect(watch.nextDeadline == seconds(50))
        #expect(
            text(watch.noteActivity(at: seconds(81.5))) == [
                "50.0 dim idle 30.0", "80.0 idle idle 60.0", "81.5 dim activity 61.5", "81.5 idle activity 61.5",
            ])
        #expect((watch.scene, watch.nextDeadline) == (nil, seconds(111.5)))
        _ = watch.setTouched(true, at: seconds(90))
        #expect(watch.noteActivity(at: seconds(95)).isEmpty)
        #expect(watch.nextDeadline == nil)
        _ = watch.setTouched(false, at: seconds(100))
        #expect(watch.nextDeadline == seconds(130))
    }

    @Test("the status shows the last full ten seconds, and counts what has ended idle times")
    func status() throws {
        let watch = IdleWatch()
        func status(_ time: Double) -> String {
            String(
                decoding: JSONWriter.bytes { $0.object { watch.writeStatus(at: seconds(time), into: &$0) } },
                as: UTF8.self)
        }
        _ = watch.apply(try rules(), in: "shop", .reload, at: seconds(0))
        #expect(status(5) == #"{"idle":[],"idle_ms":5000,"sessions":0,"wakes":0}"#)
        _ = watch.setTouched(true, at: seconds(12))
        #expect(status(19) == #"{"idle":[],"idle_ms":19000,"sessions":0,"wakes":0}"#)
        #expect(status(20) == #"{"idle":[],"idle_ms":0,"sessions":0,"wakes":0}"#)
        // Neither the lift nor further touches show before the next ten seconds.
        _ = watch.setTouched(false, at: seconds(23.5))
        for time in [24.5, 26.1] {
            _ = watch.setTouched(true, at: seconds(time))
            _ = watch.setTouched(false, at: seconds(time + 0.4))
            #expect(status(time + 0.5) == #"{"idle":[],"idle_ms":0,"sessions":0,"wakes":0}"#)
        }
        #expect(status(30) == #"{"idle":[],"idle_ms":4000,"sessions":0,"wakes":0}"#)
        #expect(status(31.9) == #"{"idle":[],"idle_ms":5000,"sessions":0,"wakes":0}"#)
        _ = watch.advance(to: seconds(90))
        #expect(status(90) == #"{"idle":["dim","idle"],"idle_ms":64000,"sessions":0,"wakes":0}"#)
        _ = watch.noteActivity(at: seconds(90.5))
        #expect(status(90.5) == #"{"idle":[],"idle_ms":64000,"sessions":1,"wakes":0}"#)
        #expect(status(100) == #"{"idle":[],"idle_ms":10000,"sessions":1,"wakes":0}"#)
    }

    @Test("the scene of the longest idle time applies, and the first one returns after it")
    func scenes() throws {
        let watch = IdleWatch()
        _ = watch.apply(try rules(), in: "shop", .reload, at: seconds(0))
        #expect(watch.advance(to: seconds(600)).count == 3)
        #expect(watch.scene == "night")
        _ = watch.setTouched(true, at: seconds(601))
        _ = watch.setTouched(false, at: seconds(602))
        #expect(watch.scene == nil)
    }

    @Test("a touch that is read late ends idle times that began before it")
    func late() throws {
        let watch = IdleWatch()
        _ = watch.apply(try rules(), in: "default", .reload, at: seconds(0))
        #expect(text(watch.setTouched(true, at: seconds(31))) == ["30.0 dim idle 30.0", "31.0 dim touch 31.0"])
    }

    @Test("time does not decrease: a frame from before the start of an idle time ends it at once")
    func backwards() throws {
        let watch = IdleWatch()
        _ = watch.apply(try rules(), in: "default", .reload, at: seconds(10))
        #expect(watch.advance(to: seconds(40)).count == 1)
        #expect(text(watch.setTouched(true, at: seconds(5))) == ["40.0 dim touch 30.0"])
        _ = watch.setTouched(false, at: seconds(6))
        #expect(watch.nextDeadline == seconds(70))
    }

    @Test("all panels are taken together: while one is touched, no idle time begins")
    func panels() throws {
        let watch = IdleWatch()
        _ = watch.apply(try rules(), in: "default", .reload, at: seconds(0))
        _ = watch.setTouched(true, at: seconds(10))
        _ = watch.setTouched(true, at: seconds(11))
        _ = watch.setTouched(false, at: seconds(12))
        #expect(watch.advance(to: seconds(100)).isEmpty)
        // The other panel's lift is read later, although it happened earlier.
        _ = watch.setTouched(false, at: seconds(11.5))
        #expect(watch.nextDeadline == seconds(42))
    }

    @Test("a client's scene: idle times that the scene also has continue, and the others end or start over")
    func sceneOfClient() throws {
        let watch = IdleWatch()
        _ = watch.apply(try rules(), in: "shop", .reload, at: seconds(0))
        _ = watch.advance(to: seconds(60))
        let changes = watch.apply(try rules(), in: "saver", .scene, at: seconds(90))
        #expect(text(changes) == ["90.0 idle scene 90.0"])
        #expect(watch.names == ["dim"])
        // The client's scene replaces that of an earlier idle time.
        #expect(watch.scene == nil)
        #expect(watch.nextDeadline == seconds(690))
        #expect(watch.apply(try rules(), in: "shop", .scene, at: seconds(95)).isEmpty)
        #expect(watch.nextDeadline == seconds(155))
    }

    @Test("the time of a scene ends: idle times that the next scene also has go on, with their scenes")
    func sceneReturns() throws {
        let watch = IdleWatch()
        _ = watch.apply(try rules(), in: "shop", .reload, at: seconds(0))
        _ = watch.advance(to: seconds(60))
        #expect(watch.apply(try rules(), in: "shop", .scene, at: seconds(90), isReturn: true).isEmpty)
        #expect(watch.scene == "saver")
        let changes = watch.apply(try rules(), in: "saver", .scene, at: seconds(91), isReturn: true)
        #expect(text(changes) == ["91.0 idle scene 91.0"])
        #expect(watch.scene == nil)
        #expect(watch.names == ["dim"])
        // The longest idle time has been measured since the start.
        #expect(watch.nextDeadline == seconds(600))
    }

    @Test("a reload: unchanged idle times continue, changed ones end and start over")
    func reload() throws {
        let watch = IdleWatch()
        _ = watch.apply(try rules(), in: "shop", .reload, at: seconds(0))
        _ = watch.advance(to: seconds(60))
        let other = try rules(Self.text.replacing("\"60s\"", with: "\"50s\""))
        #expect(text(watch.apply(other, in: "shop", .reload, at: seconds(90))) == ["90.0 idle reload 90.0"])
        #expect(watch.names == ["dim"])
        #expect(watch.scene == nil)
        #expect(watch.nextDeadline == seconds(140))
        #expect(text(watch.apply([], in: "shop", .reload, at: seconds(91))) == ["91.0 dim reload 91.0"])
        #expect(watch.nextDeadline == nil)
    }

    @Test("late wake-ups do not change the order of lines", arguments: [1, 50, 5000])
    func order(step: Int64) throws {
        let text =
            panelTable() + """
                [[region]]
                id = "ok"
                shape = "full"
                gestures = [{ type = "tap", wait = true, gap = "200ms" }, "double_tap"]
                [[idle]]
                id = "short"
                after = "100ms"
                [[idle]]
                id = "long"
                after = "300ms"
                """
        let configuration = try #require(ConfigurationReader.read(text).configuration)
        var pipeline = try PanelPipeline(InterestTests.setup(configuration))
        let watch = IdleWatch()
        _ = watch.apply(configuration.idle, in: "default", .reload, at: Timestamp(microseconds: 0))
        pipeline.idle = watch
        var lines: [String] = []
        let sink = { (line: borrowing EventLine) in
            lines.append("\(line.timeMicroseconds / 1000) \(line.event.word)")
        }
        for (milliseconds, id) in [(10, 1), (20, -1), (800, 2), (810, -1)] as [(Int64, Int32)] {
            let time = Timestamp(microseconds: milliseconds * 1000)
            pipeline.feed(.axis(EventCode.absMTTrackingID, id, at: time), sink)
            pipeline.feed(.axis(EventCode.absMTPositionX, 500, at: time), sink)
            pipeline.feed(.axis(EventCode.absMTPositionY, 500, at: time), sink)
            pipeline.feed(.report(at: time), sink)
            guard id < 0 else { continue }
            for wake in stride(from: milliseconds, to: milliseconds + 780, by: Int(step)) where wake > milliseconds {
                pipeline.advance(to: Timestamp(microseconds: wake * 1000), sink)
            }
        }
        while let deadline = pipeline.nextDeadline { pipeline.advance(to: deadline, sink) }
        #expect(
            lines == [
                "120 idle", "220 gesture", "320 idle", "800 idle", "800 idle", "910 idle", "1010 gesture", "1110 idle",
            ])
    }
}
