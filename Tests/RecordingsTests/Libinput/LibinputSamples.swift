// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import Recordings

/// Files in the format of `libinput record` 1.22, written for the tests, and a recording with all values.
enum Samples {
    static let head = """
        # libinput record
        version: 1
        ndevices: 1
        libinput:
          version: "1.22.1"
          git: "unknown"
        system:
          os: "debian:12"
          kernel: "6.1.0-18-amd64"
          dmi: "dmi:bvnA:bvrB"
        devices:

        """

    static func device(node: String, name: String, property: Int = 1) -> String {
        """
        - node: \(node)
          evdev:
            # Name: \(name)
            # ID: bus 0x0018 (i2c) vendor 0x0416 product 0x038f version 0x0100
            # Size in mm: 100x100
            # Supported Events:
            # Event type 0 (EV_SYN)
            # Event type 3 (EV_ABS)
            #   Event code 53 (ABS_MT_POSITION_X)
            #       Value           7
            name: "\(name)"
            id: [24, 1046, 911, 256]
            codes:
              0: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] # EV_SYN
              1: [\(property == 1 ? "330" : "325, 330")] # EV_KEY
              3: [47, 53, 54, 57] # EV_ABS
              4: [5] # EV_MSC
            absinfo:
              47: [0, 1, 0, 0, 0]
              53: [0, 999, 0, 0, 10]
              54: [0, 999, 0, 0, 10]
              57: [0, 65535, 0, 0, 0]
            properties: [\(property)]
          hid: [
            0x05, 0x01, 0x09
          ]
          udev:
            properties:
            - ID_INPUT=1
            - ID_INPUT_\(property == 1 ? "TOUCHSCREEN" : "TOUCHPAD")=1
            - LIBINPUT_CALIBRATION_MATRIX=1 0 0 0 1 0
          quirks:

        """
    }

    static let tap = """
          events:
          # Current time is 12:31:56
          - hid:
              time: [  0,      0]
              hidraw0: [0x01, 0x02]
          - evdev:
            - [  0,      0,   3,  57,       7] # EV_ABS / ABS_MT_TRACKING_ID      7
            - [  0,      0,   3,  53,     250] # EV_ABS / ABS_MT_POSITION_X     250 (+250)
            - [  0,      0,   3,  54,     500] # EV_ABS / ABS_MT_POSITION_Y     500 (+500)
            - [  0,      0,   1, 330,       1] # EV_KEY / BTN_TOUCH               1
            - [  0,      0,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
          - libinput:
            - {time: 0.000000, type: TOUCH_DOWN, slot: 0, seat_slot: 0, point: [ 25.00,  50.00]}
          - evdev:
            - [  0,  84000,   3,  57,      -1] # EV_ABS / ABS_MT_TRACKING_ID     -1
            - [  0,  84000,   1, 330,       0] # EV_KEY / BTN_TOUCH               0
            - [  0,  84000,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +84ms
                                             # Touch device in neutral state

        """

    static var file: String { head + device(node: "/dev/input/event4", name: "Panel: \\\"small\\\"") + tap }

    /// A recording with a value for everything that a recording can contain.
    static let full: Recording = {
        let description = DeviceDescription(
            name: " Ünit \"a\" \\ b: #c\u{1}\u{85}\u{2028}\u{7F} ", phys: "usb-1/input0", uniq: "é", bus: 3,
            vendor: 0x4E7,
            product: 0xFFFF, version: 1, properties: [1, 31], keys: [0, 330, 0x2FF],
            axes: [
                0: AxisRange(minimum: .min, maximum: .max, fuzz: 1, flat: 2, resolution: -3, value: -9),
                0x2F: AxisRange(minimum: 0, maximum: 9), 0x35: AxisRange(minimum: 0, maximum: 4095, value: 7),
                0x36: AxisRange(minimum: 0, maximum: 4095, resolution: 12), 0x39: AxisRange(minimum: 0, maximum: 65535),
                0x3F: AxisRange(minimum: 0, maximum: 1),
            ],
            udev: [
                "ID_PATH": "platform-x: y", "LIBINPUT_CALIBRATION_MATRIX": "0 -1 1 1 0 0", "ID_INPUT": "1",
                "LIBINPUT_A=B": "c", "": "", "null": "~",
            ])
        let finger = SlotState(trackingID: 12, x: 100, y: 200)
        var entries: [Recording.Entry] = events([
            (83_912_044_123, 3, 0x39, 7), (83_912_044_123, 3, 0x35, 250), (83_912_044_123, 0, 0, 0),
            (83_912_052_000, 0, 3, 0), (83_912_052_000, 0, 0, 0),
        ])
        entries.append(.resynchronized)
        entries += SlotTable(slots: [finger, SlotState()]).events(at: Timestamp(microseconds: 83_912_060_000)).map {
            .event($0)
        }
        entries += events([(83_912_070_000, 3, 0x35, .min), (83_912_070_000, 0xFFFF, 0xFFFF, .max)])
        entries.append(.suspended(Timestamp(microseconds: 83_912_075_000)))
        entries.append(.removed(Timestamp(microseconds: 83_912_080_000)))
        entries += events([((1 << 53) - 1, 3, 0x39, -1)])
        return Recording(
            description: description, device: "panel: [x]", nextContact: (1 << 53) - 1, nextSequence: 871,
            slots: [.init(x: 512, y: -300), .init(x: .min, y: .max)], entries: entries)
    }()

    static func events(_ rows: [(Int64, UInt16, UInt16, Int32)]) -> [Recording.Entry] {
        rows.map { .event(KernelEvent(time: Timestamp(microseconds: $0.0), type: $0.1, code: $0.2, value: $0.3)) }
    }
}
