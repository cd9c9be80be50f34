// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import GestureClient
import GestureProtocol
import Testing

@testable import GestureMQTT

@Suite("Messages")
struct MessageTests {
    /// A line of each kind, as in docs/protocol.md.
    private static let lines = [
        #"{"event":"gesture","seq":2,"gesture":"tap","name":"tap","region":"ok","device":"panel","sequence":872,"fingers":1,"count":1,"x":1210.5,"y":802.0,"u":0.41,"v":0.52,"duration_ms":84,"time_us":83912128123,"wall_ms":1700000000000}"#,
        #"{"event":"gesture","seq":4,"gesture":"swipe","name":"page","action":"next","region":"carousel","device":"panel","sequence":873,"fingers":1,"direction":"left","angle":178.8,"distance_mm":41.3,"velocity_mm_s":310.0,"duration_ms":133,"start":{"x":923.0,"y":422.0},"x":511.0,"y":430.0,"u":0.27,"v":0.43,"time_us":83912300500}"#,
        #"{"event":"gesture","seq":7,"gesture":"drag","name":"drag","phase":"end","region":"map","device":"panel","sequence":876,"fingers":1,"dx":31.0,"dy":-4.5,"vx":410.0,"vy":-80.0,"start":{"x":400.0,"y":300.0},"predicted":{"x":645.6,"y":254.1},"x":441.0,"y":294.0,"u":0.31,"v":0.28,"time_us":83913508000}"#,
        #"{"event":"gesture","seq":12,"gesture":"pinch","name":"zoom","phase":"cancel","reason":"device_removed","region":"map","device":"panel","sequence":878,"fingers":2,"scale":1.31,"x":640.0,"y":360.0,"u":0.5,"v":0.5,"time_us":83914920000}"#,
        #"{"event":"gesture","seq":1,"gesture":"press","name":"press","phase":"begin","region":"ok","device":"panel","sequence":872,"fingers":1,"x":1210.5,"y":802.0,"u":0.41,"v":0.52,"inside":true,"time_us":83912044123}"#,
    ]
    private static let positions: Set<String> = ["x", "y", "u", "v", "start", "predicted", "dx", "dy", "vx", "vy"]

    private func gesture(_ line: String) throws -> GestureClient.Gesture {
        GestureClient.Gesture(try JSONDocument.read(line).root)
    }

    @Test("A gesture's message has everything in its line except the position", arguments: lines)
    func gesture(line: String) throws {
        let source = try JSONDocument.read(line).root
        let bare = try JSONDocument.read(GestureMessage(gesture: try gesture(line), positions: false).payload).root
        let full = try JSONDocument.read(GestureMessage(gesture: try gesture(line), positions: true).payload).root
        let renamed = Set(source.keys).subtracting(["event", "seq", "wall_ms"])
            .union(source["wall_ms"] == nil ? [] : ["time_ms"])
        #expect(Set(full.keys) == renamed)
        #expect(Set(bare.keys) == renamed.subtracting(Self.positions))
        for key in full.keys where key != "time_ms" { #expect(full[key] == source[key], "\(key)") }
    }

    @Test("The first rule that matches a gesture decides how it is sent")
    func rules() throws {
        var door = MQTTSettings.GestureSelection()
        (door.regions, door.qualityOfService) = (["o*"], 2)
        var ends = MQTTSettings.GestureSelection()
        (ends.phases, ends.qualityOfService) = (["end"], 1)
        let filter = GestureFilter([door, ends])
        let qualities = try Self.lines.map { filter.qualityOfService(of: try gesture($0)) }
        #expect(qualities == [2, 1, 1, nil, 2])
        #expect(GestureFilter([]).qualityOfService(of: try gesture(Self.lines[3])) == 0)
        // A single rule becomes the daemon's filter. With several rules the bridge subscribes to all
        // gestures.
        #expect(GestureFilter.subscription([door]).regions == ["o*"])
        #expect(GestureFilter.subscription([door, ends]).regions == nil)
        #expect(GestureFilter.subscription([]).phases == [.begin, .end, .cancel])
    }

    @Test("A gesture of a region that a client has defined needs a rule that says so")
    func leased() throws {
        let line = Self.lines[0].replacing("\"region\":\"ok\",", with: "\"region\":\"ok\",\"leased\":true,")
        let leased = try gesture(line)
        var door = MQTTSettings.GestureSelection()
        #expect(GestureFilter([]).qualityOfService(of: leased) == nil)
        #expect(GestureFilter([door]).qualityOfService(of: leased) == nil)
        door.leased = true
        #expect(GestureFilter([door]).qualityOfService(of: leased) == 0)
        #expect(GestureFilter([door]).qualityOfService(of: try gesture(Self.lines[0])) == 0)
        let message = try JSONDocument.read(GestureMessage(gesture: leased, positions: false).payload).root
        #expect(message["leased"]?.bool == true)
    }

    @Test("A command with U+0000 in it never reaches the daemon")
    func null() {
        let topics = Topics(MQTTSettings())
        func complaint(_ word: CommandWord, _ payload: String) -> String? {
            Command(word, BrokerMessage(topic: "x", payload: Array(payload.utf8)), topics).complaint
        }
        for word in [CommandWord.scene, .profile, .enable, .disable, .record] {
            #expect(complaint(word, "night\0") == "the payload contains U+0000")
            #expect(complaint(word, "night") == nil)
        }
    }

    @Test("A gesture waits for a limited time, and the number of waiting gestures is limited")
    func queue() {
        var queue = GestureQueue(maxAge: 1000)
        func message(_ topic: String) -> BrokerMessage { BrokerMessage(topic: topic, payload: []) }
        queue.add(message("old"), now: 0)
        queue.add(message("young"), now: 600)
        #expect(queue.next(now: 1001)?.topic == "young" && queue.isEmpty && queue.dropped == 1)
        for number in 0...GestureQueue.most { queue.add(message("\(number)"), now: 2000) }
        #expect(queue.dropped == 2 && queue.next(now: 2000)?.topic == "1")
    }

    @Test("Regions are one level of a topic, for any id")
    func topics() {
        var settings = MQTTSettings()
        (settings.panel, settings.prefix) = ("kiosk", "site/7")
        let topics = Topics(settings)
        #expect(topics.gesture(region: "a/b", name: "x+#") == "site/7/kiosk/gesture/a%2Fb/x%2B%23")
        #expect(topics.command(of: "site/7/kiosk/command/scene") == "scene")
        #expect(topics.command(of: "site/7/other/command/scene") == nil)
        settings.commands.responses = "fleet"
        for (topic, isAllowed) in [
            ("fleet/a", true), ("site/7/kiosk/response/a/b", true), ("fleet", false), ("fleet/", false),
            ("fleets/a", false),
            ("site/7/kiosk/gesture/door/tap", false), ("fleet/+", false), ("fleet/#", false), ("fleet/\u{0}", false),
            ("fleet/" + String(repeating: "x", count: 251), false), ("", false),
        ] {
            #expect(Topics(settings).mayRespond(to: topic) == isAllowed, "\(topic)")
        }
    }
}

@Suite("Statistics")
struct CountsTests {
    private func counts(_ regions: String, instance: String = "a") throws -> Counts {
        Counts(
            try JSONDocument.read(#"{"devices":[],"regions":[\#(regions)]}"#).root, instance: instance)
    }

    @Test("are the counts since the last message, also after a restart of either program")
    func since() throws {
        let before = try counts(#"{"region":"ok","gestures":{"tap":3,"press":1},"failed":{"moved":2}}"#)
        let after = try counts(
            #"{"region":"ok","gestures":{"tap":5,"press":1},"failed":{"moved":2}},{"region":"map","gestures":{"drag":1}}"#
        )
        let expected = [
            "ok": Counts.Table(gestures: ["tap": 2]), "map": Counts.Table(gestures: ["drag": 1]),
        ]
        #expect(after.since(before) == expected)
        #expect(after.since(Counts(saved: before.saved)) == expected)
        // After a restart of the daemon, its counts start at 0, so all of them are new.
        let other = try counts(#"{"region":"ok","gestures":{"tap":1}}"#, instance: "b")
        #expect(other.since(after) == ["ok": Counts.Table(gestures: ["tap": 1])])
        #expect(after.since(Counts(saved: nil)) == after.regions && after.since(Counts(saved: "{")) == after.regions)
        // The counts of a region start at 0 when it is removed and defined again.
        #expect(try counts(#"{"region":"ok","gestures":{"tap":1}}"#).since(before)["ok"]?.gestures == ["tap": 1])
    }

    @Test("are ignored in malformed lines of a daemon")
    func foreign() throws {
        #expect(
            try counts(#"{"region":"ok","gestures":{"tap":-3,"press":"x"}}"#).since(Counts()) == [
                "ok": .init(gestures: ["tap": 0])
            ])
    }
}

@Suite("Areas")
struct AreaTests {
    private let taps = ["ok": Counts.Table(gestures: ["tap": 20]), "map": Counts.Table(gestures: ["drag": 20])]

    @Test("A region is dead if it was used before and is not while the panel is")
    func dead() {
        var watch = AreaWatch()
        let all = ["ok": true, "map": true, "rare": true]
        watch.add(taps, contacts: 40, enabled: all)
        // The panel is not touched, so no region is reported.
        for _ in 0..<100 { watch.add([:], contacts: 0, enabled: all) }
        #expect(watch.dead == [])
        watch.add(["map": Counts.Table(gestures: ["drag": 1])], contacts: 999, enabled: all)
        #expect(watch.dead == [])
        watch = AreaWatch(saved: watch.saved)
        watch.add([:], contacts: 1, enabled: all)
        #expect(watch.dead == ["ok"])
        watch.add(["ok": Counts.Table(gestures: ["tap": 1])], contacts: 1, enabled: all)
        #expect(watch.dead == [])
    }

    @Test("A region that cannot be touched is waited for, one that is removed is dropped")
    func disabled() {
        var watch = AreaWatch()
        watch.add(taps, contacts: 40, enabled: ["ok": true, "map": true])
        watch.add([:], contacts: 5000, enabled: ["ok": false, "map": true])
        #expect(watch.dead == ["map"])
        watch.add([:], contacts: 5000, enabled: ["ok": true])
        #expect(watch.dead == ["ok"])
        #expect(AreaWatch(saved: "[").dead == [] && AreaWatch(saved: nil).dead == [])
    }

    @Test("A position is noisy if it is touched all the time")
    func noise() throws {
        var watch = NoiseWatch()
        func look(_ counts: [Int]) throws {
            watch.look(try JSONDocument.read(#"{"counts":\#(counts)}"#).root)
        }
        for number in 0...NoiseWatch.looks { try look([number, 7, number / 2]) }
        #expect(watch.noisy == 1)
        try look([NoiseWatch.looks, 8, 9])
        #expect(watch.noisy == 0)
        try look([1, 2])
        #expect(watch.noisy == 0)
    }
}

@Suite("Activity")
struct ActivityTests {
    /// Makes calls inside `#expect` possible, which takes no mutating functions.
    private final class Box {
        private var activity = Activity()

        func status(_ text: String, now: Int64) throws {
            activity.take(status: try JSONDocument.read(text).root, now: now)
        }

        func idle(_ change: String, _ name: String, _ reason: String = "touch", now: Int64) throws -> Bool {
            let text = #"{"name":"\#(name)","change":"\#(change)","reason":"\#(reason)","idle_ms":1}"#
            return activity.take(GestureClient.Idle(try JSONDocument.read(text).root), now: now)
        }

        func gesture(now: Int64) -> Bool { activity.noteGesture(now: now) }
        func forget() { activity.forget() }
        func message(now: Int64) -> String? { activity.message(now: now).map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test("is idle while an idle time has begun, and each change is a message")
    func changes() throws {
        let activity = Box()
        try activity.status(#"{"idle":[],"idle_ms":4000}"#, now: 100_999)
        #expect(activity.message(now: 101_000) == #"{"state":"active","last_touch_ms":96000,"time_ms":101000}"#)
        #expect(activity.message(now: 101_100) == nil)
        #expect(try activity.idle("idle", "dim", now: 130_000))
        #expect(activity.message(now: 130_000) == #"{"state":"idle","last_touch_ms":96000,"time_ms":130000}"#)
        #expect(try !activity.idle("idle", "saver", now: 140_000))
        #expect(try !activity.idle("active", "dim", "scene", now: 150_000))
        #expect(try activity.idle("active", "saver", now: 160_500))
        #expect(activity.message(now: 160_500) == #"{"state":"active","last_touch_ms":160500,"time_ms":160500}"#)
        #expect(!activity.gesture(now: 161_000))
        #expect(
            activity.message(now: 162_000)
                == #"{"state":"active","last_touch_ms":161000,"last_gesture_ms":161000,"time_ms":162000}"#)
        // A scene or a reload that ends an idle time is no touch.
        #expect(try !activity.idle("active", "dim", "reload", now: 170_000))
        #expect(activity.message(now: 170_000) == nil)
        activity.forget()
        #expect(activity.message(now: 170_000) != nil)
    }

    @Test("without idle times, it is idle a minute after the last touch")
    func withoutIdleTimes() throws {
        let activity = Box()
        #expect(activity.message(now: 5000) == #"{"state":"idle","time_ms":5000}"#)
        #expect(activity.gesture(now: 6000))
        #expect(activity.message(now: 6000)?.hasPrefix(#"{"state":"active""#) == true)
        try activity.status(#"{"idle_ms":60000}"#, now: 66_000)
        #expect(activity.message(now: 66_000)?.hasPrefix(#"{"state":"idle""#) == true)
        // A clock that was set does not bring the panel to life.
        try activity.status(#"{"idle_ms":70000}"#, now: 71_000)
        #expect(
            activity.message(now: 71_000)
                == #"{"state":"idle","last_touch_ms":1000,"last_gesture_ms":6000,"time_ms":71000}"#)
    }
}

@Suite("Home Assistant")
struct HomeAssistantTests {
    private func assistant(commands: Bool = false) -> HomeAssistant {
        var settings = MQTTSettings()
        settings.panel = "kiosk 17"
        if commands {
            (settings.commands.scene, settings.commands.profile, settings.commands.reload) = (true, true, true)
            (settings.commands.activity, settings.homeAssistant.lock) = (true, #"lo"ck"#)
        }
        return HomeAssistant(settings, Topics(settings))
    }

    private let regions = [
        GestureClient.Region(
            id: "door/front", device: "panel",
            gestures: [.init(kind: .tap, name: "open"), .init(kind: .drag, name: "slide")]),
        GestureClient.Region(id: "empty", device: "panel", gestures: []),
    ]

    private func status(_ scenes: String) throws -> JSONValue {
        try JSONDocument.read(#"{"scenes":\#(scenes),"profiles":["default","steady"]}"#).root
    }

    @Test("gets an event for each region, sensors, and what may be switched")
    func entities() throws {
        let status = try status(#"["default","lo\"ck"]"#)
        let topics = assistant().entities(regions, status).map { assistant().topic($0) }
        #expect(topics.first == "homeassistant/event/gestured_kiosk--20-17/gesture_door--2f-front/config")
        #expect(topics.filter { $0.contains("/event/") }.count == 2)
        #expect(!topics.contains { ["/select/", "/switch/", "/button/"].contains(where: $0.contains) })
        #expect(Set(topics).count == topics.count)
        let all = assistant(commands: true).entities(regions, status)
        let controls = all.dropFirst(topics.count).map { "\($0.component) \($0.id)" }
        #expect(
            controls == ["select scene", "switch lock", "select profile", "button reload", "button activity"])
        let lock = try #require(all.first { $0.id == "lock" })
        let json = try JSONDocument.read(assistant(commands: true).payload(lock)).root
        #expect(json["value_template"]?.string == #"{{ 'ON' if value_json.daemon.scene == "lo\"ck" else 'OFF' }}"#)
        #expect((json["payload_on"]?.string, json["payload_off"]?.string) == (#"lo"ck"#, "default"))
        let counted = assistant().entities(regions, status, hasReport: true).filter { $0.id.hasPrefix("report_") }
        #expect(counted.map { $0.id } == ["report_sessions", "report_touches", "report_failed", "report_health"])
        #expect(!all.contains { $0.id.hasPrefix("report_") })
        let visitors = try JSONDocument.read(assistant().payload(counted[0])).root
        #expect(visitors["state_topic"]?.string == "gestured/kiosk 17/report")
        #expect(visitors["value_template"]?.string == "{{ value_json.sessions }}")
        // There is no switch for a scene that is gone.
        let without = assistant(commands: true).entities(regions, try self.status(#"["default"]"#))
        #expect(!without.contains { $0.id == "lock" })
    }

    @Test("gets a trigger for each gesture, and for the begin and the end of continuous ones")
    func triggers() throws {
        let triggers = assistant().entities(regions, nil).filter { $0.component == "device_automation" }
        let values = try triggers.map { try JSONDocument.read(assistant().payload($0)).root }
        let words = values.map { value in
            ["type", "subtype", "topic", "payload"].map { value[$0]?.string ?? "-" }
        }
        let topic = "gestured/kiosk 17/gesture/door%2Ffront/"
        #expect(
            words == [
                ["open", "door/front", topic + "open", "-"],
                ["slide begin", "door/front", topic + "slide", "begin"],
                ["slide end", "door/front", topic + "slide", "end"],
            ])
        #expect(values.allSatisfy { $0["unique_id"] == nil && $0["availability_topic"] == nil && $0["device"] != nil })
    }

    @Test("gets no event for a region that a client has defined")
    func leased() throws {
        let text = #"{"region":"front","device":"panel","leased":true,"gestures":[{"gesture":"tap","name":"open"}]}"#
        let leased = GestureClient.Region(try JSONDocument.read(text).root)
        #expect(!assistant().entities([leased], nil).contains { $0.id.contains("front") })
    }

    @Test("gets the types of an event, with the phases of continuous gestures")
    func types() throws {
        let event = try #require(assistant().entities(regions, nil).first)
        let json = try JSONDocument.read(assistant().payload(event)).root
        let types = json["event_types"]?.array?.compactMap { $0.string }
        #expect(types == ["open", "slide_begin", "slide_update", "slide_end", "slide_cancel"])
        #expect(json["state_topic"]?.string == "gestured/kiosk 17/gesture/door%2Ffront/+")
        #expect(json["unique_id"]?.string == "gestured_kiosk--20-17_gesture_door--2f-front")
    }

    @Test("Different ids stay different")
    func sanitized() {
        let ids = ["a.b", "a_b", "a-b", "a:b", "a/b", "ä", "a", "٣", "--2e-"]
        let all = ids.map { HomeAssistant.sanitized($0) }
        #expect(Set(all).count == ids.count)
        #expect(all.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    }
}
#endif
