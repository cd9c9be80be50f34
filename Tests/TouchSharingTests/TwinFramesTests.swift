// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Testing
@testable import TouchSharing

@Suite("The frames of a shared panel's twin")
struct TwinFramesTests {
    @Test("a contact that lands has all its values, one that moves has the changed ones")
    func forwarded() {
        let lines = TwinScript.run("0:7,10,20; at 8; 0:7,15,20 2:8,30,40; at 16; 0:-; at 24; 2:-")
        #expect(
            lines == """
                0: 0 finger +7 x10 y20 down
                8: 0 x15 y20 2 finger +8 x30 y40
                16: 0 -
                24: 2 - up
                """)
    }

    @Test("a kept contact is never forwarded, and does not press BTN_TOUCH")
    func kept() {
        #expect(TwinScript.run("0:7,10,20=k; 0:7,15,20; 0:-") == "")
        let lines = TwinScript.run("0:7,10,20=k; 1:8,30,40; 0:-; 1:-")
        #expect(lines == "0: 1 finger +8 x30 y40 down\n0: 1 - up")
    }

    @Test("a slot that is reused within a frame takes two frames")
    func replaced() {
        #expect(
            TwinScript.run("0:7,10,20; at 8; 0:8,30,40") == """
                0: 0 finger +7 x10 y20 down
                8: 0 - up
                8: 0 finger +8 x30 y40 down
                """)
    }

    @Test("a taken contact stands still for 100 ms, then lifts")
    func lift() {
        #expect(
            TwinScript.run("0:7,10,20; at 8; 0:7,15,20 keep 0; at 16; 0:7,20,20; 0:-; at 107; at 108; 0:9,1,1") == """
                0: 0 finger +7 x10 y20 down
                108: 0 - up
                108: 0 finger +9 x1 y1 down
                """)
    }

    @Test("several taken contacts each lift at the right time, even if the timer is late")
    func liftSeveral() {
        #expect(
            TwinScript.run("0:7,10,20 1:8,30,40; at 8; keep 0; at 16; keep 1; at 300") == """
                0: 0 finger +7 x10 y20 1 finger +8 x30 y40 down
                108: 0 -
                116: 1 - up
                """)
    }

    @Test("a taken contact lifts at once if its slot is reused")
    func liftEarly() {
        #expect(
            TwinScript.run("0:7,10,20; at 8; keep 0; at 16; 0:-; at 24; 0:9,1,1; at 200") == """
                0: 0 finger +7 x10 y20 down
                24: 0 - up
                24: 0 finger +9 x1 y1 down
                """)
    }

    @Test("a taken contact becomes a palm with cancel = palm, and a finger again when it lifts")
    func palm() {
        #expect(
            TwinScript.run("0:7,10,20; at 8; 0:7,15,20 keep 0; at 16; 0:7,20,20; at 300; 0:-; 0:9,1,1", cancel: .palm)
                == """
                0: 0 finger +7 x10 y20 down
                8: 0 palm up
                300: 0 finger -
                300: 0 finger +9 x1 y1 down
                """)
    }

    @Test("a palm that lifts in this frame, while another contact lands in its slot")
    func palmAndReplaced() {
        #expect(
            TwinScript.run("0:7,10,20; at 8; 0:8,30,40 keep 0", cancel: .palm).hasPrefix(
                """
                0: 0 finger +7 x10 y20 down
                8: 0 palm up
                8: 0 finger -
                8: 0 finger +8 x30 y40 down
                """))
    }

    @Test("a held contact is given at its landing position, then at its present one")
    func held() {
        #expect(TwinScript.run("0:7,10,20=h; at 8; 0:7,15,20; 0:-") == "")
        #expect(
            TwinScript.run("0:7,10,20=h; at 8; 0:7,15,25; at 50; give 0; at 60; 0:7,16,25; 0:-") == """
                50: 0 finger +7 x10 y20 down
                50: 0 x15 y25
                60: 0 x16 y25
                60: 0 - up
                """)
    }

    @Test("a held contact is given even after it has lifted; then it lifts at once")
    func heldAndLifted() {
        #expect(
            TwinScript.run("0:7,10,20=h; at 8; 0:7,15,25; at 16; 0:-; at 50; give 0") == """
                50: 0 finger +7 x10 y20 down
                50: 0 x15 y25
                50: 0 - up
                """)
        #expect(
            TwinScript.run("0:7,10,20=h; at 16; 0:- give 0") == """
                16: 0 finger +7 x10 y20 down
                16: 0 - up
                """)
    }

    @Test("a held contact is not given while another contact has its slot")
    func heldAndReplaced() {
        let lines = TwinScript.run("0:7,10,20=h; 0:-; 0:7,30,40; give 0; 0:-")
        #expect(lines == "0: 0 finger +7 x30 y40 down\n0: 0 - up")
    }

    @Test("all contacts lift; contacts that are down do not come back")
    func liftAll() {
        #expect(
            TwinScript.run("0:7,10,20 3:8,1,1; at 8; lift all; at 16; 0:7,15,20; 3:-; at 24; 3:9,2,2") == """
                0: 0 finger +7 x10 y20 3 finger +8 x1 y1 down
                8: 0 - 3 - up
                24: 3 finger +9 x2 y2 down
                """)
    }

    @Test("the pointer is the contact that the application has had for the longest time")
    func pointer() {
        var panel = TwinScript.panel
        panel.axes[0] = AxisRange(minimum: 0, maximum: 999)
        panel.axes[1] = AxisRange(minimum: 0, maximum: 999)
        var run = TwinScript(panel)
        run.play("5:7,10,20=k 4:8,30,40; 1:9,50,60; 4:-; 1:9,51,60; 1:-")
        #expect(
            run.transcript == [
                "0: 4 finger +8 x30 y40 down X30 Y40", "0: 1 finger +9 x50 y60", "0: 4 - X50 Y60",
                "0: 1 x51 y60 X51", "0: 1 - up",
            ])
    }

    @Test("keys beside the glass are forwarded, tools are not; they are released when all contacts lift")
    func keys() {
        var frames = TwinScript().frames
        let time = Timestamp(microseconds: 5)
        for (code, value) in [(158, 1), (0x145, 1), (158, 2)] as [(UInt16, Int32)] {
            frames.take(KernelEvent(time: time, type: EventCode.evKey, code: code, value: value))
        }
        frames.begin(at: time, isComplete: true)
        frames.finish()
        #expect(frames.events.map { [Int($0.type), Int($0.code), Int($0.value)] } == [[1, 158, 1], [0, 0, 0]])
        frames.removeEvents()
        frames.liftAll(at: time)
        #expect(frames.events.map { [Int($0.type), Int($0.code), Int($0.value)] } == [[1, 158, 0], [0, 0, 0]])
    }

    @Test("for a panel with a single contact only its events without slots are used")
    func singleTouch() {
        let twin = TwinScript.resistive.twin(of: "/dev/input/event4", .singleTouch, cancel: .lift)
        var frames = TwinFrames(twin, .singleTouch, cancel: .lift)
        let time = Timestamp(microseconds: 5)
        frames.take(KernelEvent(time: time, type: EventCode.evKey, code: EventCode.btnTouch, value: 1))
        frames.take(.axis(EventCode.absX, 10, at: time))
        frames.take(.axis(EventCode.absY, 20, at: time))
        frames.take(.axis(EventCode.absMTPositionX, 99, at: time))
        frames.begin(at: time, isComplete: true)
        #expect(frames.frame.landed == 1)
        frames.land(0, ContactID(1), .forwarded)
        frames.finish()
        let words = frames.events.map { "\($0.type) \($0.code) \($0.value)" }
        #expect(words == ["3 47 0", "3 57 0", "3 53 10", "3 54 20", "1 330 1", "3 0 10", "3 1 20", "0 0 0"])
    }

    @Test("a twin has slots, and a tool type for palms; its ranges and other properties are the panel's")
    func description() throws {
        let twin = TwinScript.panel.twin(of: "/dev/input/event4", .slots(count: 10), cancel: .lift)
        #expect(twin.phys == "gestured/event4")
        #expect(twin.isTwin)
        #expect(twin.axes == TwinScript.panel.axes)
        let single = TwinScript.resistive.twin(of: "/dev/input/event4", .singleTouch, cancel: .palm)
        #expect(single.axis(EventCode.absMTPositionX) == TwinScript.resistive.axis(EventCode.absX))
        #expect(single.axis(EventCode.absMTSlot)?.maximum == 0)
        #expect(single.axis(EventCode.absMTToolType)?.maximum == EventCode.mtToolPalm)
        var unslotted = TwinScript.panel
        unslotted.axes[0x2f] = nil
        unslotted.axes[0x3a] = AxisRange(minimum: 0, maximum: 255)
        let slotted = unslotted.twin(of: "/dev/input/event4", .unslotted, cancel: .lift)
        #expect(slotted.axes.keys.sorted() == [0x2f, 0x30, 0x35, 0x36, 0x37, 0x39, 0x3b])
        guard case .refused(let reason) = Admission.decide(twin, matchedByConfiguration: true) else {
            return #expect(Bool(false), "the daemon reads its own twin")
        }
        #expect(reason.contains("twin"))
    }
}
