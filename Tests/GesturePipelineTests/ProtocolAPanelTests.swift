// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureTestSupport
import Testing

/// Panels of multitouch protocol A: each frame lists its contacts, and the pipeline matches them with those of the
/// last frame.
@Suite("Panels without slots")
struct ProtocolAPanelTests {
    static let withoutIDs: [(String, String)] = [
        // A contact lands, moves and lifts.
        ("0 100,200; 8 110,200; 16 -", "0: 1 100,200\n8: 1 110,200\n16:"),
        // Two contacts in swapped order: each is near its last position.
        ("0 100,100 800,800; 8 790,800 110,100", "0: 1 100,100 2 800,800\n8: 1 110,100 2 790,800"),
        // The first one lifts; the second one keeps its id.
        ("0 100,100 800,800; 8 800,801; 16 -", "0: 1 100,100 2 800,800\n8: 2 800,801\n16:"),
        // Another contact lands: the nearer one is the old one.
        ("0 500,500; 8 100,100 505,500", "0: 1 500,500\n8: 1 505,500 2 100,100"),
        // A frame without contact events changes nothing. When BTN_TOUCH is released, all contacts have lifted.
        ("0 100,200; 8 key; 16 110,200", "0: 1 100,200\n8: 1 100,200\n16: 1 110,200"),
        ("0 100,200; 8 up", "0: 1 100,200\n8:"),
        // A contact of width 0 has lifted, one that hovers does not touch, and a contact needs both coordinates.
        ("0 100,200,m5; 8 100,200,m0", "0: 1 100,200\n8:"),
        ("0 100,200,d1; 8 100,200,d0", "0:\n8: 1 100,200"),
        ("0 100; 8 100,200", "0:\n8: 1 100,200"),
        // Positions outside the range are moved to the border.
        ("0 5000,-5000", "0: 1 1000,0"),
        // The kernel cut a long frame in two.
        ("0 100,100 cut 800,800", "0: 1 100,100 2 800,800"),
        // A contact that is wider than 30 mm is a palm and is cancelled at once.
        ("0 100,200,m300; 8 100,200,m301; 16 100,200,m5", "0: 1 100,200\n8:\n16:"),
        // A contact that lands as a palm is never reported.
        ("0 100,200,t2; 8 -; 16 300,300", "0:\n8:\n16: 1 300,300"),
        // After lost events, contacts that are down are cancelled and ignored until they have lifted.
        ("0 100,200; 8 lost; 16 110,200; 24 -; 32 300,300", "0: 1 100,200\n8:\n16:\n24:\n32: 2 300,300"),
        // No contact was down when events were lost, so a later one is new.
        ("0 100,200; 4 -; 8 lost; 16 110,200", "0: 1 100,200\n4:\n8:\n16: 2 110,200"),
        // The result is the same if the daemon can read from the device whether it is touched.
        ("0 100,200; 8 sync1; 16 110,200; 24 -; 32 300,300", "0: 1 100,200\n8:\n16:\n24:\n32: 2 300,300"),
        ("0 100,200; 8 sync0; 16 110,200", "0: 1 100,200\n8:\n16: 2 110,200"),
        // A contact that landed before the device was opened is ignored.
        ("0 initial1; 8 100,200; 16 -; 24 100,200", "0:\n8:\n16:\n24: 1 100,200"),
        ("0 initial0; 8 100,200", "0:\n8: 1 100,200"),
    ]

    @Test(arguments: withoutIDs)
    func contactsWithoutIDs(script: String, transcript: String) throws {
        #expect(try ProtocolAScript.run(script) == transcript)
    }

    static let withIDs: [(String, String)] = [
        ("0 100,200,i0; 8 110,200,i0; 16 -; 24 110,200,i0", "0: 1 100,200\n8: 1 110,200\n16:\n24: 2 110,200"),
        // Tracking ids take precedence over distances.
        ("0 100,100,i1 800,800,i2; 8 800,800,i1 200,200,i2", "0: 1 100,100 2 800,800\n8: 1 800,800 2 200,200"),
        // If the panel has confused two contacts, distances decide.
        (
            "0 100,100,i1 800,800,i2; 8 800,800,i1 105,100,i2; 16 790,800,i1 110,100,i2",
            "0: 1 100,100 2 800,800\n8: 1 105,100 2 800,800\n16: 1 110,100 2 790,800"
        ),
        // A different id at the same position is a different contact.
        ("0 100,100,i1; 8 100,100,i2", "0: 1 100,100\n8: 2 100,100"),
        // Contacts with a repeated id, no id, or a negative id are ignored.
        ("0 100,100,i1 800,800,i1", "0: 1 100,100"),
        ("0 100,100 800,800,i1 500,500,i-1", "0: 1 800,800"),
        // With tracking ids, a width of 0 does not matter.
        ("0 100,200,i1,m0", "0: 1 100,200"),
    ]

    @Test(arguments: withIDs)
    func contactsWithIDs(script: String, transcript: String) throws {
        #expect(try ProtocolAScript.run(script, hasIDs: true) == transcript)
    }

    /// The panel also lists contacts that stay in place, which is not a movement.
    @Test func restIsNoChange() throws {
        var pipeline = try ProtocolAScript.pipeline()
        for (time, x) in [(0, 100), (8, 100), (16, 100), (24, 101)] as [(Int64, Int32)] {
            let events: [(UInt16, UInt16, Int32)] = [(3, 0x35, x), (3, 0x36, 200), (0, 2, 0), (0, 0, 0)]
            for (type, code, value) in events {
                let time = Timestamp(microseconds: time * 1000)
                pipeline.feed(KernelEvent(time: time, type: type, code: code, value: value)) { _ in }
            }
        }
        #expect(pipeline.counts.open.frames == 2)
    }

    /// A frame has at most 16 contacts, and all may be new in the next one.
    @Test func mostContacts() throws {
        let all = { (first: Int) in (first..<first + 40).map { "\($0),500,i\($0)" }.joined(separator: " ") }
        let script = (0..<50).map { "\($0 * 8) \(all($0 * 40))" }.joined(separator: "; ")
        let lines = try ProtocolAScript.run(script, hasIDs: true).split(separator: "\n")
        #expect(lines.count == 50)
        #expect(lines.allSatisfy { $0.split(separator: " ").count == 1 + 2 * 16 })
    }

    /// The ranges of the axes may have 32 bits.
    @Test func largestRange() throws {
        let axis = AxisRange(minimum: .min, maximum: .max)
        let script = "0 -2000000000,0 2000000000,0; 8 1990000000,0 -1990000000,0"
        let lines = try ProtocolAScript.run(script, axis: axis).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last == "8: 1 37,500 2 963,500")
    }

    /// Arbitrary events must not cause a trap, more contacts than allowed, or contacts outside the panel.
    @Test(arguments: 0..<6)
    func anyEvents(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var pipeline = try ProtocolAScript.pipeline(hasIDs: seed % 2 == 0)
        let bounds = pipeline.setup.size.bounds
        var (isBounded, isInside, most) = (true, true, 0)
        let codes: [UInt16] = [0x35, 0x36, 0x39, 0x30, 0x37, 0x3b, 0x2f, 0]
        let values: [Int32] = [-1, 0, 1, 2, 3, 500, 999, .max, .min]
        for step in 0..<20_000 {
            let time = Timestamp(microseconds: Int64(step) * 997)
            let type: UInt16 = [3, 3, 3, 3, 0, 0, 1][Int(random.next() % 7)]
            let syncs: [UInt16] = [0, 2, 2, 2, 3]
            let code = type == 3 ? codes[Int(random.next() % 8)] : type == 1 ? 0x14a : syncs[Int(random.next() % 5)]
            let event = KernelEvent(time: time, type: type, code: code, value: values[Int(random.next() % 9)])
            pipeline.feed(event) { _ in }
            guard type == 0, code == 0 else { continue }
            let contacts = pipeline.tracker.contacts
            isBounded = isBounded && contacts.count <= 16
            isInside = isInside && contacts.allSatisfy { bounds.contains($0.position) }
            most = max(most, contacts.count)
        }
        #expect(isBounded && isInside && most > 0)
    }
}

/// Plays frames to a panel of 1000 x 1000 units and 100 x 100 mm.
///
/// A frame is `MS CONTACT …`; semicolons separate frames. A contact is `X,Y` and then `iID`, `mWIDTH`, `tTOOL`,
/// `dDISTANCE`. Instead of contacts: `-` (none), `key`, `up`, `cut`, `lost`, `sync0`, `sync1`, `initial0`,
/// `initial1`.
/// The result has a line for each frame with the contacts that are down after it: `MS: CONTACT X,Y …`.
enum ProtocolAScript {
    struct Refused: Error {}

    static func pipeline(
        hasIDs: Bool = false, axis: AxisRange = AxisRange(minimum: 0, maximum: 999)
    ) throws -> PanelPipeline {
        var device = DeviceDescription(name: "Panel", properties: [1], keys: [0x14a])
        let byte = AxisRange(minimum: 0, maximum: 255)
        device.axes = [0x30: byte, 0x35: axis, 0x36: axis, 0x37: byte, 0x3b: byte]
        if hasIDs { device.axes[0x39] = AxisRange(minimum: 0, maximum: 65535) }
        let configuration = ConfigurationReader.read(
            "version = 1\n[filter]\nstorm = \"off\"\n[[device]]\nid = \"p\"\nmatch = { name = \"*\" }\n"
                + "output = { size = [1000, 1000], size_mm = [100, 100] }\n"
        ).0
        guard let configuration,
            case .ready(let setup) = PanelDecision(device, configuration, fallbackName: "panel")
        else { throw Refused() }
        return PanelPipeline(setup)
    }

    static func run(
        _ script: String, hasIDs: Bool = false, axis: AxisRange = AxisRange(minimum: 0, maximum: 999)
    ) throws -> String {
        var pipeline = try pipeline(hasIDs: hasIDs, axis: axis)
        var lines: [String] = []
        for frame in script.split(separator: ";") {
            let words = frame.split(separator: " ").map { String($0) }
            let time = Timestamp(microseconds: (Int64(words[0]) ?? 0) * 1000)
            play(words.dropFirst(), at: time, &pipeline)
            let contacts = pipeline.tracker.contacts.map { contact in
                let (x, y) = ((contact.position.x * 10).rounded(), (contact.position.y * 10).rounded())
                return " \(contact.id.rawValue) \(Int(x)),\(Int(y))"
            }
            lines.append("\(words[0]):" + contacts.joined())
        }
        return lines.joined(separator: "\n")
    }

    private static func play(_ words: ArraySlice<String>, at time: Timestamp, _ pipeline: inout PanelPipeline) {
        func feed(_ type: UInt16, _ code: UInt16, _ value: Int32) {
            pipeline.feed(KernelEvent(time: time, type: type, code: code, value: value)) { _ in }
        }
        for word in words {
            switch word {
            case "-": feed(0, 2, 0)
            case "key": feed(1, 0x72, 1)
            case "up": feed(1, 0x14a, 0)
            case "cut": feed(0, 0, 1)
            case "lost": feed(0, 3, 0)
            case "sync0", "sync1":
                let slots = [SlotState(trackingID: word == "sync1" ? 0 : -1)]
                return pipeline.resynchronize(SlotTable(slots: slots, current: 0), at: time) { _ in }
            case "initial0", "initial1":
                let slots = [SlotState(trackingID: word == "initial1" ? 0 : -1)]
                return pipeline.setInitial(SlotTable(slots: slots, current: 0))
            default:
                let parts = word.split(separator: ",")
                for (index, part) in parts.enumerated() {
                    let codes: [Character: UInt16] = ["i": 0x39, "m": 0x30, "t": 0x37, "d": 0x3b]
                    if let code = part.first.flatMap({ codes[$0] }) {
                        feed(3, code, Int32(part.dropFirst()) ?? 0)
                    } else {
                        feed(3, index == 0 ? 0x35 : 0x36, Int32(part) ?? 0)
                    }
                }
                feed(0, 2, 0)
            }
        }
        feed(0, 0, 0)
    }
}
