// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// Raw kernel events for up to ten fingers, on a panel with 4096 x 4096 units and 120 frames per second.
struct FingerEvents {
    static let fingers = 10
    static let frameInterval: Int64 = 8333

    private(set) var events: [KernelEvent] = []
    private let count: Int32
    private var time: Timestamp
    private var nextTracking: Int32 = 1
    private var step = 0

    init(_ count: Int = fingers, from time: Timestamp) {
        self.count = Int32(count)
        self.time = time
        events.reserveCapacity(64 * 128)
    }

    /// The panel that sends the events.
    static var device: DeviceDescription {
        let position = AxisRange(minimum: 0, maximum: 4095, resolution: 26)
        var device = DeviceDescription()
        device.name = "Benchmark Panel"
        device.properties = [1]
        device.axes = [
            Int(EventCode.absMTSlot): AxisRange(minimum: 0, maximum: 15),
            Int(EventCode.absMTTrackingID): AxisRange(minimum: 0, maximum: 65535),
            Int(EventCode.absMTPositionX): position, Int(EventCode.absMTPositionY): position,
        ]
        return device
    }

    mutating func clear() { events.removeAll(keepingCapacity: true) }

    mutating func land() { frame(tracking: true) }
    mutating func move() { frame(tracking: nil) }
    mutating func lift() { frame(tracking: false) }

    /// A frame of two rows of five fingers. Each finger moves in a small circle in its own region.
    private mutating func frame(tracking lands: Bool?) {
        time = Timestamp(microseconds: time.microseconds + Self.frameInterval)
        step += 1
        for finger in 0..<count {
            add(EventCode.absMTSlot, finger)
            if let lands {
                add(EventCode.absMTTrackingID, lands ? nextTracking : -1)
                nextTracking &+= 1
            }
            if lands == false { continue }
            let swing = Int32(step % 64 < 32 ? step % 32 : 32 - step % 32) * 8
            add(EventCode.absMTPositionX, finger % 5 * 819 + 300 + swing)
            add(EventCode.absMTPositionY, finger / 5 * 2048 + 400 + swing / 2)
        }
        events.append(.report(at: time))
    }

    private mutating func add(_ code: UInt16, _ value: Int32) {
        events.append(.axis(code, value, at: time))
    }
}
