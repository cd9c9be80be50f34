// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GestureProtocol
import Testing
import TouchSharing

@Suite("Devices and filter")
struct DeviceTests {
    private static let goodix = DeviceDescription(
        name: "Goodix Capacitive TouchScreen", vendor: 0x0416, product: 0x038F,
        udev: ["ID_PATH": "platform-fe205000.i2c", "ID_SEAT": "seat1"])

    @Test(
        "match by every key that is given",
        arguments: [
            ("", true), ("name = \"*Goodix*\"", true), ("name = \"goodix*\"", false), ("name = \"Goodix\"", false),
            ("name = \"Goodix ?apacitive *Screen\"", true), ("vendor = 0x0416", true), ("vendor = 0x0417", false),
            ("product = 911", true), ("vendor = 0x0416, product = 1", false), ("path = \"platform-*\"", true),
            ("path = \"pci*\"", false), ("seat = \"seat1\"", true), ("seat = \"seat0\"", false), ("name = \"\"", false),
            ("name = \"**\"", true), ("name = \"*i*i*i*\"", true), ("name = \"*i*i*i*i*\"", false),
        ])
    func match(keys: String, expected: Bool) throws {
        let text = "[[device]]\nid = \"a\"\nmatch = { \(keys) }"
        let configuration = try #require(ConfigurationReader.read(text).configuration)
        #expect((configuration.rule(for: Self.goodix)?.id == "a") == expected)
    }

    @Test func aDeviceWithoutASeatSitsAtSeat0() throws {
        let text = "[[device]]\nid = \"a\"\nmatch = { seat = \"seat0\", path = \"\" }"
        let configuration = try #require(ConfigurationReader.read(text).configuration)
        #expect(configuration.rule(for: DeviceDescription(name: "x"))?.id == "a")
    }

    @Test func firstMatchWinsAndTheOthersAreWarnings() throws {
        let text = """
            [[device]]
            id = "a"
            match = { name = "Good*" }
            [[device]]
            id = "b"
            match = { name = "*" }
            ignore = true
            [[device]]
            id = "c"
            match = { vendor = 0x0416 }
            """
        let configuration = try #require(ConfigurationReader.read(text, path: "t").configuration)
        #expect(configuration.rule(for: Self.goodix)?.id == "a")
        #expect(configuration.rule(for: DeviceDescription(name: "other"))?.ignore == true)
        #expect(
            configuration.unmatchedRules(among: [Self.goodix]).map { $0.headline } == [
                "t:5:6: warning: device \"b\" matches no connected device",
                "t:9:6: warning: device \"c\" matches no connected device",
            ])
        #expect(Configuration().rule(for: Self.goodix) == nil)
    }

    @Test func outputAndCalibration() throws {
        let text = """
            [[device]]
            id = "a"
            match = {}
            output = { size = [1920, 1080], size_mm = [344.2, 194], rotation = 270 }
            calibration = [0, 1, 0, -1, 0, 1.0]
            grab = true
            """
        let rule = try #require(ConfigurationReader.read(text).configuration?.devices.first)
        #expect(
            rule.output
                == OutputSettings(
                    sizePixels: OutputSettings.Size(width: 1920, height: 1080),
                    sizeMillimeters: OutputSettings.Size(width: 344.2, height: 194), rotation: .threeQuarters,
                    calibration: .matrix(AffineMatrix(0, 1, 0, -1, 0, 1))))
        #expect(rule.share == .grab)
        #expect(!rule.ignore)
    }

    @Test("rotations", arguments: OutputSettings.Rotation.allCases)
    func rotation(rotation: OutputSettings.Rotation) throws {
        let value = rotation.isFlipped ? "\"\(rotation.rawValue)\"" : rotation.rawValue
        let text = "[[device]]\nid = \"a\"\nmatch = {}\noutput = { rotation = \(value) }"
        #expect(ConfigurationReader.read(text).configuration?.devices.first?.output.rotation == rotation)
    }

    @Test("calibration words", arguments: [("udev", OutputSettings.Calibration.udev), ("none", .none)])
    func calibration(word: String, expected: OutputSettings.Calibration) throws {
        let text = "[[device]]\nid = \"a\"\nmatch = {}\ncalibration = \"\(word)\""
        #expect(ConfigurationReader.read(text).configuration?.devices.first?.output.calibration == expected)
    }

    @Test("wake, and the warning that the application gets the touch")
    func wake() throws {
        func read(_ keys: String) -> (WakeSettings?, [String]) {
            let (configuration, diagnostics) = ConfigurationReader.read(
                "[[device]]\nid = \"a\"\nmatch = {}\n\(keys)\n[[region]]\nid = \"r\"\nshape = \"full\"\n")
            return (configuration?.devices.first?.wake, diagnostics.map(\.message))
        }
        #expect(read("share = \"forward\"") == (nil, []))
        #expect(read("wake = {}\nshare = \"forward\"") == (WakeSettings(), []))
        var settings = WakeSettings()
        (settings.display, settings.quiet, settings.key) = ("/run/display", .milliseconds(1500), nil)
        settings.patience = nil
        let keys = "display = \"/run/display\", guard = \"1.5s\", key = \"none\", give_up = \"off\""
        #expect(read("grab = true\nwake = { \(keys) }") == (settings, []))
        #expect(read("grab = true\nwake = { key = \"f24\" }").0?.key == .f24)
        #expect(read("grab = true\nwake = \"off\"") == (nil, []))
        #expect(read("ignore = true\nwake = { display = \"auto\" }") == (WakeSettings(), []))
        #expect(
            read("wake = {}").1 == [
                "wake of device \"a\" keeps the touch from gestures, but not from the application; use share = \"forward\""
            ])
    }

    /// Reads a panel with these keys, and a scene with others.
    private static func application(_ device: String, scene: String = "") -> (ApplicationFilter?, [String]) {
        let (configuration, diagnostics) = ConfigurationReader.read(
            """
            daemon = { scene = "night" }
            [[device]]
            id = "a"
            match = {}
            output = { size = [1000, 500], size_mm = [200, 100] }
            \(device)
            [[region]]
            id = "r"
            shape = "full"
            [[scene]]
            id = "night"
            regions = ["r"]
            \(scene)
            """)
        let rule = configuration?.devices.first
        let size = configuration?.nominalPanel(for: rule).size
        return (size.flatMap { configuration?.application(for: $0, rule: rule) }, diagnostics.map(\.message))
    }

    @Test("application: the keys of the scene win one by one")
    func application() throws {
        let keys = "max_contacts = 1, min_gap = \"60ms\", bounce_distance = \"10px\", filter = true"
        var expected = ApplicationFilter()
        #expect(Self.application("share = \"forward\"") == (expected, []))
        (expected.maxContacts, expected.minGap, expected.bounceDistance) = (1, .milliseconds(60), 2)
        expected.filter = true
        #expect(Self.application("share = \"forward\"\napplication = { \(keys) }") == (expected, []))
        (expected.maxContacts, expected.bounceDistance, expected.filter) = (nil, 5, false)
        let scene = "application = { max_contacts = \"off\", bounce_distance = \"5mm\", filter = false }"
        #expect(Self.application("share = \"forward\"\napplication = { \(keys) }", scene: scene) == (expected, []))
        expected = ApplicationFilter()
        expected.maxHold = .milliseconds(400)
        #expect(Self.application("share = \"forward\"\napplication = { max_hold = \"400ms\" }") == (expected, []))
        expected = ApplicationFilter()
        expected.bridge = true
        let bridge = "share = \"forward\"\nfilter = { bridge = \"40ms\" }"
        #expect(Self.application(bridge, scene: "application = { bridge = true }") == (expected, []))
    }

    @Test(
        "application: warnings about keys without effect, and a distance that is too long",
        arguments: [
            (
                "application = { max_contacts = 1 }", "",
                "application of device \"a\" has no effect without share = \"forward\""
            ),
            (
                "", "application = { max_contacts = 1 }",
                "application of scene \"night\" has no effect: no [[device]] has share = \"forward\""
            ),
            (
                "share = \"forward\"\napplication = { bounce_distance = \"5mm\" }", "",
                "bounce_distance of application of device \"a\" has no effect without min_gap"
            ),
            (
                "share = \"forward\"", "application = { min_gap = \"off\", bounce_distance = \"5mm\" }",
                "bounce_distance of application of scene \"night\" has no effect without min_gap"
            ),
            (
                "share = \"forward\"\napplication = { bridge = true }", "",
                "bridge of application of device \"a\" has no effect; set the time with bridge in [filter] too"
            ),
            (
                "share = \"forward\"\napplication = { filter = true }\nfilter = { palm = \"ignore\", "
                    + "max_touch = \"off\", storm = \"off\", max_contact_age = \"off\" }", "",
                "filter of application of device \"a\" has no effect: [filter] hides no contacts"
            ),
            (
                "share = \"forward\"\napplication = { min_gap = \"1s\", bounce_distance = \"10000mm\" }", "",
                "bounce_distance of application of device \"a\" also hides what another hand touches; use 100mm or less"
            ),
            (
                "share = \"forward\"\napplication = { min_gap = \"60ms\", bounce_distance = \"100mm\" }",
                "application = { bounce_distance = \"501px\" }",
                "bounce_distance of application of scene \"night\" also hides what another hand touches; use 100mm or less"
            ),
        ])
    func withoutEffect(device: String, scene: String, warning: String) {
        #expect(Self.application(device, scene: scene).1 == [warning])
    }

    @Test("application: min_gap is at most a second", arguments: ["1h", "1001ms"])
    func longGap(value: String) {
        let (filter, messages) = Self.application("share = \"forward\"\napplication = { min_gap = \"\(value)\" }")
        #expect(filter == nil && messages == ["min_gap is \(value); it must be 1ms to 1s, or \"off\""])
    }

    @Test("a dark scene, and the warning that nothing is guarded")
    func dark() throws {
        func read(_ wake: String) -> (Bool?, [String]) {
            let (configuration, diagnostics) = ConfigurationReader.read(
                """
                daemon = { scene = "night" }
                [[device]]
                id = "a"
                match = {}
                share = "forward"
                \(wake)
                [[region]]
                id = "r"
                shape = "full"
                [[scene]]
                id = "night"
                regions = []
                dark = true
                """)
            return (configuration?.isDark, diagnostics.map(\.message))
        }
        #expect(read("wake = {}") == (true, []))
        #expect(read("") == (true, ["dark of scene \"night\" changes nothing: no [[device]] has wake"]))
    }

    @Test func filterOfEveryKey() throws {
        let text = """
            [filter]
            palm = "ignore"
            max_touch = "10%"
            mask = [["0%", "0%", "100%", "2mm"], [40, 40, 40, 40]]
            max_contact_age = "5s"
            storm = { contacts_per_second = 9, quiet = "1s" }
            bridge = "80ms"
            """
        let configuration = try #require(ConfigurationReader.read(text).configuration)
        #expect(
            configuration.filter(for: .fullHD)
                == FilterSettings(
                    palmCancels: false, maxTouch: 27,
                    masks: [
                        Rectangle(minX: 0, minY: 0, maxX: 480, maxY: 2),
                        Rectangle(minX: 10, minY: 10, maxX: 20, maxY: 20),
                    ],
                    maxContactAge: .milliseconds(5000),
                    storm: FilterSettings.Storm(contactsPerSecond: 9, quiet: .milliseconds(1000)),
                    bridge: .milliseconds(80)))
    }

    /// A panel's own keys replace those of `[filter]`, even if `[filter]` comes later in the file.
    @Test func filterOfOnePanel() throws {
        let text = """
            [[device]]
            id = "weak"
            match = { name = "weak*" }
            filter = { bridge = "80ms", max_touch = "off" }
            [[device]]
            id = "other"
            match = { name = "*" }
            [filter]
            max_touch = "20mm"
            palm = "ignore"
            """
        let configuration = try #require(ConfigurationReader.read(text).configuration)
        let filters = configuration.devices.map { configuration.filter(for: .fullHD, rule: $0) }
        let filter = FilterSettings(palmCancels: false, maxTouch: 20)
        #expect(filters[0] == FilterSettings(palmCancels: false, maxTouch: nil, bridge: .milliseconds(80)))
        #expect(filters[1] == filter)
        #expect(configuration.filter(for: .fullHD) == filter)
    }

    @Test(arguments: ["\"0ms\"", "\"-5ms\"", "80", "\"80mm\"", "true"])
    func badBridge(value: String) {
        let (configuration, diagnostics) = ConfigurationReader.read("[filter]\nbridge = \(value)")
        #expect(configuration == nil && diagnostics.count == 1)
    }

    @Test func filterIsOffOrBuiltIn() throws {
        let text = "[filter]\nmax_touch = \"off\"\nmax_contact_age = \"off\"\nstorm = \"off\""
        let off = try #require(ConfigurationReader.read(text).configuration)
        #expect(off.filter(for: .fullHD) == FilterSettings(maxTouch: nil, maxContactAge: nil, storm: nil))
        #expect(Configuration().filter(for: .fullHD) == FilterSettings())
    }

    @Test func connectionsOfOneUser() throws {
        let text = "[daemon]\nmax_clients_per_user = 40"
        #expect(try #require(ConfigurationReader.read(text).configuration).daemon.maxClientsPerUser == 40)
        #expect(Configuration().daemon.maxClientsPerUser == 16)
        #expect(
            ConfigurationReader.read("[daemon]\nmax_clients_per_user = 0").diagnostics.map { $0.headline } == [
                "gestured.toml:2:24: error: max_clients_per_user is 0; it must be 1 to 1024"
            ])
    }

    @Test func daemonAndAccess() throws {
        let text =
            "[daemon]\nlog_level = \"warning\"\nmax_clients = 1024\n[access]\ncontrol_uids = [\"kiosk\", 0, 4294967294]"
        let configuration = try #require(ConfigurationReader.read(text).configuration)
        #expect(configuration.daemon.logLevel == .warning)
        #expect(configuration.daemon.maxClients == 1024)
        let place = SourceLocation(file: "gestured.toml", line: 5, column: 17, length: 7)
        #expect(
            configuration.access.lists.first?.members.map { $0.id.withoutText } == [
                .name("kiosk", place), .number(0), .number(4_294_967_294),
            ])
        var asked: [String] = []
        let (lists, warnings) = configuration.accessLists { name, _ in
            asked.append(name)
            return name == "kiosk" ? 7 : nil
        }
        #expect(asked == ["kiosk"])
        #expect(lists.first?.users == [7, 0, 4_294_967_294])
        #expect(warnings.isEmpty)
        #expect(
            configuration.accessLists { _, _ in nil }.warnings.map { $0.headline } == [
                "gestured.toml:5:17: warning: control_uids: no user is called \"kiosk\""
            ])
    }

    @Test(
        "few regions after many are a warning",
        arguments: [(0, 0, true), (0, 4, true), (1, 3, true), (2, 4, false), (1, 0, false)])
    func lostRegions(now: Int, before: Int, warns: Bool) throws {
        let configurations = try [now, before].map { count in
            let text = (0..<count).map { "[[region]]\nid = \"r\($0)\"\nshape = \"full\"\n" }.joined()
            return try #require(ConfigurationReader.read(text).configuration)
        }
        let found = configurations[0].lostRegions(since: configurations[1], file: "t")
        #expect(found.map { $0.code } == (warns ? .fewRegions : nil))
        #expect(configurations[0].lostRegions(since: nil, file: "t").map { $0.code } == (now == 0 ? .fewRegions : nil))
    }
}

extension AccessSettings.Member.ID {
    /// The location without the text of its line.
    fileprivate var withoutText: Self {
        guard case .name(let name, var location) = self else { return self }
        location.source = nil
        return .name(name, location)
    }
}

@Suite("Shared panels: configuration")
struct ShareTests {
    private func read(_ keys: String) -> (Configuration?, [String]) {
        let (configuration, diagnostics) = ConfigurationReader.read(
            "[[device]]\nid = \"a\"\nmatch = { name = \"*\" }\n\(keys)", path: "t")
        return (configuration, diagnostics.map { $0.headline })
    }

    @Test(
        "grab = true is another word for share = \"grab\"",
        arguments: [
            ("", PanelShare.listen), ("grab = true", .grab), ("grab = false", .listen), ("share = \"grab\"", .grab),
            ("share = \"grab\"\ngrab = true", .grab), ("share = \"forward\"\ngrab = false", .forward),
            ("share = \"listen\"", .listen),
        ])
    func words(keys: String, share: PanelShare) throws {
        #expect(try #require(read(keys).0).devices.first?.share == share)
    }

    @Test("grab = true contradicts other values of share")
    func contradiction() {
        for word in ["listen", "forward"] {
            let said = read("grab = true\nshare = \"\(word)\"").1
            #expect(said == ["t:5:9: error: share cannot be \"\(word)\" with grab = true; leave grab out"])
        }
        #expect(read("share = \"forwrad\"").1.first?.contains("did you mean \"forward\"?") == true)
    }

    /// Returns the warnings about one region of a shared panel.
    private func warnings(_ region: String, cancel: String = "lift") throws -> [String] {
        let text = """
            [[device]]
            id = "a"
            match = { name = "*" }
            share = "forward"
            cancel = "\(cancel)"
            [[region]]
            id = "r"
            shape = "full"
            \(region)

            """
        let (configuration, diagnostics) = ConfigurationReader.read(text, path: "t")
        let found = try #require(configuration, "\(diagnostics)")
        let (_, more) = found.regions(for: .fullHD, rule: found.devices.first, name: "panel", isSizeKnown: true)
        return (diagnostics + more).map { "\($0.code.rawValue) \($0.message.prefix { $0 != ";" })" }
    }

    @Test(
        "warnings about the touches that applications receive",
        arguments: [
            ("gestures = [{ type = \"swipe\", consume = true }]", nil),
            ("gestures = [\"press\", \"tap\"]", nil),
            (
                "gestures = [{ type = \"tap\", consume = true }]",
                "shared r.tap ends its touch with a lift, which the application treats as a click"
            ),
            ("gestures = [\"double_tap\"]", "shared r.double_tap does not keep its first tap from the application"),
            (
                "gestures = [\"tap\", { type = \"pattern\", steps = [\"tap r\"] }]",
                "shared r.pattern does not keep its touches from the application"
            ),
            ("touches = \"hold\"\ngestures = [\"double_tap\"]", nil),
            (
                "touches = \"hold\"\ngestures = [\"press\"]",
                "no_effect r.press begins at the landing, so hold acts like capture"
            ),
            ("touches = \"hold\"", "no_effect region \"r\" holds no touches: it has no gesture to wait for"),
            ("touches = \"capture\"", nil),
            (
                "touches = \"capture\"\ngestures = [{ type = \"swipe\", consume = true }]",
                "no_effect r.swipe consumes contacts that the region already captures"
            ),
            ("touches = \"capture\"\npass = true", "no_effect region \"r\" has pass = true, so it keeps no touches"),
        ] as [(String, String?)])
    func shared(region: String, message: String?) throws {
        #expect(try warnings(region).filter { $0.hasPrefix("shared") || $0.contains("no_effect") }.first == message)
    }

    @Test("a palm can cancel a click that a lift would complete")
    func palm() throws {
        #expect(try warnings("gestures = [{ type = \"tap\", consume = true }]", cancel: "palm") == [])
    }

    @Test("`touches` without a shared panel is a warning")
    func notShared() throws {
        let said = read("[[region]]\nid = \"r\"\nshape = \"full\"\ntouches = \"capture\"").1
        #expect(
            said == [
                "t:5:6: warning: region \"r\" keeps nothing from applications: no [[device]] has share = \"forward\""
            ])
    }
}
