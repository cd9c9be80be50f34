// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
import ContactTracking
import GestureEngine
import LinuxSystem
import Testing

@testable import TouchInput

@Suite("Input device")
struct InputDeviceTests {
    private let loop: EventLoop
    private let pipe: EventPipe
    private let listener = Listener()

    init() throws {
        loop = try EventLoop()
        pipe = try EventPipe()
    }

    @Test("the remedy for a device that may not be read, for udev's touchscreens and for others")
    func remedy() {
        func remedy(_ code: CInt, isTouchscreen: Bool = true, isContainer: Bool = false) -> String? {
            InputDevice.remedy(
                for: SystemError(call: "open", code: code, path: "/dev/input/event4"),
                udev: isTouchscreen ? ["ID_INPUT_TOUCHSCREEN": "1"] : ["ID_INPUT_TOUCHPAD": "1"],
                isContainer: isContainer)
        }
        #expect(remedy(EACCES)?.hasSuffix("udevadm trigger /dev/input/event4") == true)
        #expect(remedy(EACCES, isTouchscreen: false)?.contains("touchscreens only") == true)
        #expect(remedy(ENODEV) == nil && remedy(ENOENT) == nil)
        #expect(remedy(ENOENT, isContainer: true)?.contains("/dev/input") == true)
        #expect(remedy(EPERM, isContainer: true)?.contains("--device-cgroup-rule 'c 13:* r'") == true)
        #expect(remedy(EACCES, isContainer: true)?.contains("--group-add") == true)
        #expect(remedy(ENODEV, isContainer: true) == nil)
    }

    private func device(table: @escaping () -> SlotTable? = { nil }) throws -> InputDevice {
        let device = InputDevice(adopting: OwnedDescriptor(adopting: pipe.reader)) { _ in table() }
        try device.start(loop: loop, delegate: listener)
        return device
    }

    private let frame = [EventPipe.event(1234, 3, 0x35, -7), EventPipe.event(1234, 0, 0, 0)]
    private let frameLine = "1234:3/53=-7 1234:0/0=0"

    @Test func handsOverWholeReads() throws {
        let device = try device()
        loop.turn(timeout: 0)
        #expect(listener.lines.isEmpty)
        pipe.write(frame)
        loop.turn(timeout: 0)
        pipe.write(frame + frame)
        device.readAvailable()
        loop.turn(timeout: 0)
        #expect(listener.lines == [frameLine, frameLine + " " + frameLine])
    }

    /// A device returns whole events, but a pipe may split them.
    @Test(arguments: [1, 23, 24, 25, 47])
    func eventCutInTwo(at place: Int) throws {
        let device = try device()
        let bytes = frame.withUnsafeBytes { Array($0) }
        pipe.write(bytes: Array(bytes[..<place]))
        device.readAvailable()
        pipe.write(bytes: Array(bytes[place...]))
        device.readAvailable()
        let seen = listener.lines.filter { !$0.isEmpty }.joined(separator: " ")
        #expect(seen == frameLine)
    }

    @Test func moreThanOneReadHolds() throws {
        let device = try device()
        pipe.write((0..<1200).map { EventPipe.event(Int64($0), 3, 0x35, $0) })
        device.readAvailable()
        #expect(listener.lines.count == 3)
        #expect(listener.lines.last?.hasSuffix("1199:3/53=1199") == true)
    }

    @Test func endOfFileIsTheLoss() throws {
        let device = try device()
        pipe.write(frame)
        pipe.closeWriter()
        loop.turn(timeout: 0)
        loop.turn(timeout: 0)
        loop.turn(timeout: 0)
        #expect(listener.lines == [frameLine, "lost"])
        device.readAvailable()
        #expect(listener.lines.count == 2)
    }

    /// All read errors have the same effect. A test cannot cause the `ENODEV` of an unplugged device.
    @Test func readErrorIsTheLoss() throws {
        // A folder can be opened but not read (EISDIR).
        let folder = try OwnedDescriptor(opening: "/", flags: O_RDONLY)
        var reader = EventReader()
        let cases: [(CInt, EventReader.Outcome)] = [(folder.rawValue, .gone), (-1, .gone), (pipe.reader, .nothing)]
        for (descriptor, outcome) in cases {
            let found = reader.read(from: descriptor, arrival: 0)
            #expect(found == outcome)
        }
        close(pipe.reader)
    }

    /// The events after the loss, both those that were read and those still in the pipe, are older than the table, so
    /// they are dropped.
    @Test func droppedEventsAreReplacedByTheTable() throws {
        var asked = 0
        let device = try device {
            asked += 1
            return SlotTable(slots: [SlotState(trackingID: 7)], current: 0)
        }
        let dropped = [
            EventPipe.event(1300, 0, 3, 0), EventPipe.event(1300, 3, 0x36, 9), EventPipe.event(1300, 0, 0, 0),
        ]
        pipe.write(frame + dropped + frame + frame)
        device.readAvailable()
        #expect(listener.lines == [frameLine, "table [7] 0"])
        #expect(asked == 1)
        pipe.write(frame)
        device.readAvailable()
        #expect(listener.lines.last == frameLine)
    }

    /// If a frame arrives while the table is fetched, the table is fetched again and the frame is discarded.
    @Test func tableOfOneMoment() throws {
        var asked: Int32 = 0
        let late = [EventPipe.event(1301, 3, 0x35, 5), EventPipe.event(1301, 0, 0, 0)]
        let device = try device { [pipe] in
            asked += 1
            if asked < 3 { pipe.write(late) }
            return SlotTable(slots: [SlotState(trackingID: asked)], current: 0)
        }
        pipe.write([EventPipe.event(1300, 0, 3, 0), EventPipe.event(1300, 0, 0, 0)])
        device.readAvailable()
        device.readAvailable()
        #expect(listener.lines == ["table [3] 0"])
        #expect(device.initialTable()?.slots.first?.trackingID == 4)
    }

    /// Fetching the table discards waiting key events, so it is only fetched when no events wait.
    @Test func tableAsReadIsNotAskedForTooEarly() throws {
        var asked = 0
        var late: [input_event] = []
        let device = try device { [pipe] in
            asked += 1
            pipe.write(late)
            return SlotTable(slots: [SlotState()], current: 0)
        }
        pipe.write(frame)
        #expect(device.tableAsRead() == nil)
        #expect(asked == 0)
        device.readAvailable()
        #expect(device.tableAsRead() == SlotTable(slots: [SlotState()], current: 0))
        // Events that arrive while the table is fetched may be older or newer than the table.
        late = frame
        #expect(device.tableAsRead() == nil)
        #expect(asked == 2)
    }

    /// A device that sends without a pause must not hang the daemon.
    @Test func tableOfADeviceThatFloods() throws {
        var asked: Int32 = 0
        let device = try device { [pipe, frame] in
            asked += 1
            pipe.write(frame)
            return SlotTable(slots: [SlotState(trackingID: asked)], current: 0)
        }
        device.resynchronize()
        #expect(listener.lines == ["table [4] 0"])
        device.readAvailable()
        #expect(listener.lines.last == frameLine)
    }

    /// A device that is unplugged while its table is fetched is reported as lost.
    @Test func goneWhileAsked() throws {
        let device = try device { [pipe] in
            pipe.closeWriter()
            return nil
        }
        device.resynchronize()
        #expect(listener.lines == ["lost"])
    }

    /// Events that were read completely are delivered; then the device is reported as lost.
    @Test(arguments: 0...48)
    func unpluggedAtAnyByte(count: Int) throws {
        let device = try device()
        let bytes = frame.withUnsafeBytes { Array($0) }
        if count > 0 { pipe.write(bytes: Array(bytes[..<count])) }
        pipe.closeWriter()
        device.readAvailable()
        device.readAvailable()
        let whole = count < 24 ? [] : [count < 48 ? "1234:3/53=-7" : frameLine]
        #expect(listener.lines.filter { !$0.isEmpty } == whole + ["lost"])
    }

    /// If the kernel does not return the table, the device passes on the `SYN_DROPPED` event to report the loss.
    @Test func lossThatNobodyRepairs() throws {
        let device = try device()
        pipe.write([EventPipe.event(1300, 0, 3, 0), EventPipe.event(1300, 0, 0, 0)])
        device.readAvailable()
        let words = try #require(listener.lines.first).split(separator: " ").map { $0.split(separator: ":").last ?? "" }
        #expect(words == ["0/3=0", "0/0=0"])
    }

    @Test func resynchronizesWhenAsked() throws {
        let device = try device { SlotTable(slots: [SlotState()], current: 0) }
        pipe.write(frame)
        device.resynchronize()
        loop.turn(timeout: 0)
        #expect(listener.lines == ["table [-1] 0"])
    }

    @Test func stopsInTheMiddle() throws {
        let device = try device { SlotTable(slots: [], current: 0) }
        listener.reaction = { $0.stop() }
        pipe.write(frame + [EventPipe.event(1300, 0, 3, 0)])
        loop.turn(timeout: 0)
        pipe.write(frame)
        loop.turn(timeout: 0)
        device.readAvailable()
        #expect(listener.lines == [frameLine])
    }

    @Test func arrivalTimes() throws {
        var reader = EventReader()
        reader.stampsArrival = true
        pipe.write(frame)
        let found = reader.read(from: pipe.reader, arrival: 99)
        let times = reader.events.map(\.time.microseconds)
        #expect(found == .read(isDry: true))
        #expect(times == [99, 99])
        close(pipe.reader)
    }

    @Test(arguments: [("/dev/null", "libevdev_new_from_fd"), ("/nowhere", "open")])
    func whatIsNoDevice(node: String, call: String) throws {
        do throws(SystemError) {
            _ = try InputDevice(node: node, udev: [:])
            Issue.record("\(node) was opened")
        } catch {
            #expect(error.call.description == call)
            #expect(error.path == node)
        }
        close(pipe.reader)
    }

    /// Sends 100 frames with ten contacts through pipe, reader and tracker.
    @Test func framesComeThroughWhole() throws {
        let device = try device()
        let panel = DeviceDescription(
            properties: [1], keys: [0x14a],
            axes: [
                0x2f: AxisRange(minimum: 0, maximum: 9), 0x35: AxisRange(minimum: 0, maximum: 4095),
                0x36: AxisRange(minimum: 0, maximum: 4095),
            ])
        var tracker = SlotTracker(
            panel, protocol: .slots(count: 10), mapping: AxisMapping(panel, output: OutputSettings()),
            filter: FilterSettings())
        var frames = 0
        let counter = Counter { events in
            for event in events where tracker.feed(event) { frames += tracker.frame.changes.count == 10 ? 1 : 0 }
        }
        device.stop()
        let second = InputDevice(adopting: OwnedDescriptor(adopting: dup(pipe.reader))) { _ in nil }
        try second.start(loop: loop, delegate: counter)
        for number in Int32(0)..<100 {
            var events: [input_event] = []
            for slot in Int32(0)..<10 {
                events.append(EventPipe.event(Int64(number) * 8, 3, 0x2f, slot))
                if number == 0 { events.append(EventPipe.event(0, 3, 0x39, slot)) }
                events.append(EventPipe.event(Int64(number) * 8, 3, 0x35, slot * 300 + number))
            }
            pipe.write(events + [EventPipe.event(Int64(number) * 8, 0, 0, 0)])
            // The device reads two frames at once.
            if number % 2 == 1 { loop.turn(timeout: 0) }
        }
        #expect(frames == 100)
        second.stop()
    }

    private final class Counter: InputDeviceDelegate {
        let take: (ArraySlice<KernelEvent>) -> Void
        init(_ take: @escaping (ArraySlice<KernelEvent>) -> Void) { self.take = take }
        func inputDevice(_ device: InputDevice, received events: ArraySlice<KernelEvent>) {
            take(events)
        }
        func inputDevice(_ device: InputDevice, resynchronized table: SlotTable, at time: Timestamp) {}
        func inputDeviceHasOtherAxes(_ device: InputDevice) {}
        func inputDeviceWasLost(_ device: InputDevice) {}
    }
}
