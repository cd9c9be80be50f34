// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@testable import gesturectl

/// Every command, with names as long as the daemon allows, in terminals of several widths and with and without UTF-8.
@Suite("Width and characters of output")
struct OutputWidthTests {
    private static let device = "left@" + String(repeating: "p", count: 55)
    private static let region = "kiosk." + String(repeating: "r", count: 58)
    private static let title =
        "Électronique 触摸屏 \u{202E}Goodix Capacitive TouchScreen\u{7} " + String(repeating: "t", count: 30)

    /// A command line for each command. Words in capital letters stand for files.
    static let lines = [
        "listen --color always -n 4", "listen --color never --why --touches -n 4", "listen -n 0", "listen --colour",
        "wait", "wait --phase middle", "exec -n 1 -- cat", "exec -n 1", "touches --bad", "devices",
        "devices --no-legend",
        "regions", "regions --tree", "regions botton", "at 1 2", "at 1 x", "status", "status --clients", "share",
        "share --enable --disable", "doctor --quick", "check BAD", "check GOOD", "check GOOD --quiet",
        "check GOOD --conflicts", "check NOWHERE",
        "reload", "enable \(region)", "disable lft", "scene", "scene nosuch", "profile", "profile nosuch", "activity",
        "rotate",
        "rotate 90", "rotate lft 90", "rotate lft sideways", "cancel lft",
        "calibrate", "calibrate lft", "calibrate --targets 10", "calibrate --write lft", "calibrate --udev /no/r",
        "calibrate --reset", "calibrate --screens", "calibrate --screens --last --udev",
        "measure noise --duration 100ms",
        "record --device typo -o /no/r",
        "replay DEMO -c GOOD --color always --explain", "replay DEMO", "replay DEMO -c BAD", "convert GOOD",
        "play GOOD", "try -c GOOD tap", "expect -c GOOD CASES --color always",
        "explain DEMO -c GOOD", "explain DEMO -c GOOD --color always", "explain DEMO", "explain -n 2",
        "measure tap --recording DEMO -c GOOD", "measure swipe --recording DEMO -c GOOD", "measure pinch",
        "web --address 127.0.0.1:1", "web --address nonsense", "report --days 0", "report --html --csv", "schema",
        "schema nosuch", "nonsense", "", "--version",
        "help listen",
    ]

    private static func answer(_ request: String) -> FakeDaemon.Answer {
        let id = request.firstRange(of: "\"id\":").map { request[$0.upperBound...].prefix { $0.isNumber } } ?? "1"
        let command = request.components(separatedBy: "\"").dropFirst(3).first ?? ""
        guard let keys = replies[command] else {
            let error =
                #"{"code":"not_found","message":"no region, scene or panel has the name that was given here","suggestion":"\#(region)"}"#
            return .init(#"{"reply":"\#(command)","id":\#(id),"ok":false,"error":\#(error)}"#)
        }
        var answer = FakeDaemon.Answer(#"{"reply":"\#(command)","id":\#(id),"ok":true\#(keys)}"#)
        // `explain` is interrupted, so it gets no events that it might or might not have read by then.
        if command == "subscribe", !request.contains("\"frame\"") { answer.lines += events }
        return answer
    }

    private static let replies: [String: String] = [
        "subscribe": #","unmatched":["\#(region).*"]"#,
        "devices": """
        ,"devices":[{"device":"\(device)","node":"/dev/input/event14","name":"\(json(title))","state":"ready","grab":"held",\
        "output":{"width":16384,"height":9216,"width_mm":1209.6,"height_mm":680.4,"rotation":270,"corners":[\
        {"x":16384.0,"y":0.0},{"x":16384.0,"y":9216.0},{"x":0.0,"y":9216.0},{"x":0.0,"y":0.0}]},"contacts":10,\
        "twin":{"node":"/dev/input/event19","forwarded":12,"captured":3,"held":2,"cancelled":1}},\
        {"device":"event5","node":"/dev/input/event5","name":"Pad","state":"refused","reason":"it is a touchpad","contacts":0}]
        """,
        "regions": """
        ,"regions":[{"region":"\(region)","device":"\(device)","parent":null,"z":0,"shape":{"rect":[0.5,0.5,16384.0,9216.0]},\
        "margin":12.5,"pass":true,"enabled":false,"private":true,"gestures":[{"gesture":"swipe","name":"next_page_of_the_catalogue"},\
        {"gesture":"two_finger_tap","name":"two_finger_tap"}]},{"region":"buttons","device":"\(device)","parent":"\(region)",\
        "z":1,"shape":{"circle":{"center":[1920.0,0.0],"radius":78.1}},"margin":0,"pass":false,"enabled":true,"private":false,\
        "gestures":[{"gesture":"tap","name":"\(json(title))"}]}]
        """,
        "at": #","owner":"\#(region)","chain":["\#(region)","carousel","screen"],"pass":["\#(region)"]"#,
        "state": #","scene":"night-\#(region)","devices":[]"#, "set_region": #","enabled":false"#, "cancel": "",
        "reload": """
        ,"config_generation":4,"warnings":1,"diagnostics":[{"severity":"warning","file":"/etc/gestured/conf.d/50-\(region).toml",\
        "line":2,"column":3,"message":"the gesture waits for others, and they are never recognized"}]
        """,
        "status": """
        ,"version":"0.1.0","pid":0,"uptime_ms":90061000,"config":{"files":["/etc/gestured/gestured.toml",\
        "/etc/gestured/conf.d/50-\(region).toml"],"generation":3,"state":"ok","errors":0,"warnings":1},\
        "devices":{"ready":1,"refused":2},"scene":"night","scenes":["default","night","\(region)","evening","morning"],\
        "profiles":["default","steady","slow","\(region)"],"clients":2
        """,
        "clients": """
        ,"clients":[{"uid":1000,"pid":731,"events":["gesture","failed","touches","frame","idle"],"regions":["\(region)","kiosk.*"],\
        "queued_bytes":51200,"dropped":7,"self":false},{"uid":0,"pid":912,"events":["gesture"],"queued_bytes":0,"dropped":0,"self":true}]
        """,
        "counts": #","devices":[{"device":"\#(device)","contacts":400,"flickers":14}],"regions":[]"#,
    ]

    private static let events =
        [
            #"{"event":"failed","seq":1,"gesture":"swipe","name":"next_page","region":"\#(region)","device":"\#(device)","code":"too_slow","key":"max_time","value":612,"limit":500,"unit":"ms","message":"took 612 ms, max_time is 500 ms","time_us":1}"#,
            #"{"event":"touches","seq":2,"device":"\#(device)","contacts":[{"id":91,"slot":0,"x":10.0,"y":20.5,"region":"\#(region)"},{"id":92,"slot":1,"x":1.0,"y":2.0,"region":null}],"time_us":1}"#,
            #"{"event":"config","seq":3,"change":"rejected","generation":4,"diagnostics":[{"severity":"error","file":"/etc/gestured/conf.d/50-\#(region).toml","line":41,"column":21,"message":"unknown key \"marginn\"","suggestion":"margin"}]}"#,
            #"{"event":"device","seq":4,"change":"added","device":"\#(device)","node":"/dev/input/event4","name":"\#(json(title))"}"#,
            #"{"event":"overflow","seq":5,"dropped":37,"since_ms":2210}"#,
        ]
        + Array(
            repeating:
                #"{"event":"gesture","seq":6,"gesture":"swipe","name":"page","region":"carousel","device":"\#(device)","sequence":9,"fingers":2,"direction":"left","angle":178.8,"distance_mm":41.3,"velocity_mm_s":310.0,"duration_ms":133,"start":{"x":9.0,"y":4.0},"x":511.0,"y":430.0,"time_us":1}"#,
            count: 4)

    private static func json(_ text: String) -> String { text.replacing("\u{7}", with: "\\u0007") }

    private static let good = """
        version = 1
        [[region]]
        id = "\(region)"
        shape = "full"
        gestures = ["press", { type = "tap", name = "a_name_of_considerable_length", wait = true }, "double_tap", "swipe"]

        """

    private let folder: ScratchFolder
    private let daemon: FakeDaemon

    init() throws {
        folder = try ScratchFolder()
        try folder.write(Self.good, to: "GOOD")
        try folder.write(
            Self.good.replacing("wait =", with: "wiat =").replacing("id = ", with: "\tid  = ").replacing(
                "\"full\"", with: "\"触摸屏ful\""),
            to: "BAD")
        try folder.write(
            "tap 50%,50%; swipe left from 90%,50% # \(Self.title)\n---\n* press cancel reason=\(String(repeating: "page.", count: 20))\n! *\n",
            to: "CASES")
        daemon = try FakeDaemon(connections: 64) { Self.answer($0) }
    }

    /// - Parameter columns: the value of COLUMNS; `nil`: it is not set.
    private func run(_ line: String, _ columns: String?, _ locale: String) throws -> Tool.Outcome {
        var environment = ["LC_ALL": locale, "GESTURED_SOCKET": daemon.path]
        environment["COLUMNS"] = columns
        let words = line.split(separator: " ").map { word in
            switch word {
            case "GOOD", "BAD", "CASES", "NOWHERE": folder(String(word))
            case "DEMO": BuildProducts.root + "/config/demo.evemu"
            default: String(word)
            }
        }
        return try Tool.run(words, environment: environment, interruptAt: line == "explain -n 2" ? "Ctrl-C" : nil)
    }

    private static func plain(_ text: String) -> String {
        text.replacing(/\u{1B}\[\d+m/, with: "").replacing(/\d\d:\d\d:\d\d\.\d\d\d/, with: "TIME")
    }

    private static func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }

    /// Characters that the tool prints, beyond those in names.
    private static let own = "…→°–×├└│─▁▂▃▄▅▆▇█"

    @Test(
        "no line is too wide, no word is broken that fits, and only names are not ASCII without UTF-8", arguments: lines
    )
    func width(line: String) throws {
        for locale in ["C", "C.UTF-8"] {
            let whole = try run(line, nil, locale)
            let known = Set(Self.words(Self.plain(whole.output + whole.errors)))
            let long = known.filter { String($0).columns > 60 / 3 }
            for columns in [60, 80, 200] {
                let outcome = try run(line, "\(columns)", locale)
                #expect(outcome.status == whole.status)
                for line in Self.plain(outcome.output + outcome.errors).split(separator: "\n") {
                    if line.hasPrefix("{") { continue }
                    #expect(locale != "C" || !line.contains { Self.own.contains($0) }, "\(line)")
                    #expect(String(line).columns <= columns, "\(columns): \(line)")
                    for word in Self.words(String(line)) where !known.contains(word) {
                        let isCut = word.contains("…") || word.contains("...")
                        let isTree = word.allSatisfy { "│|".contains($0) } || word == "#"
                        let isPart = long.contains { $0.contains(word) }
                        // `measure` writes out the keys of a table in braces that is too long.
                        let isKey = line.hasPrefix("swipe.")
                        #expect(isKey || isCut || isTree || isPart, "\(columns): \(word) in \(line)")
                    }
                }
            }
        }
    }

    @Test("a pipe has whole names without UTF-8; a terminal has ASCII")
    func names() throws {
        let file = try folder.write(
            "version = 1\n[[region]]\nid = \"kaffee-größe\"\nshape = { rect = [0, 0, \"50%\", \"50%\"] }\ngestures = [\"tap\"]\n",
            to: "names.toml")
        let line = "regions -c '\(file)' --tree"
        let piped = try ShellScript.run("LC_ALL=C exec \"$TOOL\" \(line)")
        #expect(piped.output.contains("`- kaffee-größe  "), "\(piped.output)")
        let shown = try ShellScript.run("LC_ALL=C exec script -qec \"'$TOOL' \(line)\" /dev/null")
        #expect(shown.output.contains("`- kaffee-gr??e  "), "\(shown.output)")
    }

    @Test("help of every command fits", arguments: ["1", "20", "46", "60", "80", "200", "0", "abc", "-5", nil])
    func help(columns: String?) throws {
        let dump = Data(try Tool.run(["--experimental-dump-help"]).output.utf8)
        let json = try #require(try JSONSerialization.jsonObject(with: dump) as? [String: Any])
        let command = try #require(json["command"] as? [String: Any])
        let names = try #require(command["subcommands"] as? [[String: Any]]).compactMap { $0["commandName"] as? String }
        let width = columns.flatMap { UInt16($0) }.map(Int.init).flatMap { $0 > 0 ? $0 : nil } ?? 80
        for name in names {
            let outcome = try run("\(name) --help", columns, "C")
            #expect(outcome.status == 0)
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count > 3)
            #expect(lines.allSatisfy { $0.count <= width }, "\(name): \(lines.max { $0.count < $1.count } ?? "")")
        }
    }

    /// Tables that leave out columns, with the columns that a page tells people to look at.
    @Test(
        "a column that a page mentions is never left out",
        arguments: zip(["devices", "regions"], [["STATE", "SIZE"], ["REGION", "GESTURES"]]))
    func mentioned(line: String, headings: [String]) throws {
        for columns in [60, 70, 80, 100, 200] {
            let head = try #require(try run(line, "\(columns)", "C").output.split(separator: "\n").first)
            #expect(headings.allSatisfy { head.split(separator: " ").contains(Substring($0)) }, "\(columns): \(head)")
        }
    }

    @Test("lines of JSON, files and scripts are the same in every width and locale")
    func verbatim() throws {
        try folder.write("", to: "empty")
        for line in [
            "devices --json", "regions --json", "status --clients --json", "replay DEMO -c GOOD",
            "explain DEMO -c GOOD --json", "check BAD --json", "convert DEMO", "--generate-completion-script zsh",
            "--experimental-dump-help", "measure tap --recording DEMO -c GOOD --json", "listen -n 4",
        ] {
            let whole = try run(line, nil, "C.UTF-8")
            #expect(!whole.output.isEmpty)
            #expect(try run(line, "20", "C").output == whole.output, "\(line)")
        }
    }

    @Test("measured settings are a configuration in every width", arguments: ["1", "40", "60"])
    func measured(columns: String) throws {
        let text = try run("measure swipe --recording DEMO -c GOOD", columns, "C").output
        #expect(text.contains("\nswipe.max_time = "), "\(text)")
        let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("# distance  mm") })
        #expect(columns != "60" || row.split(separator: " ").count == 6, "\(text)")
        let outcome = try Tool.run(["check", "--quiet", folder("GOOD"), try folder.write(text, to: "measured.toml")])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("odd values of COLUMNS do not stop a command", arguments: ["0", "abc", "1", "2", "99999"])
    func odd(columns: String) throws {
        for line in [
            "listen --color always -n 4", "listen --colour", "devices", "regions", "regions --tree", "at 1 2", "status",
            "check BAD", "reload", "explain DEMO -c GOOD", "measure tap --recording DEMO -c GOOD", "help listen",
        ] {
            let outcome = try run(line, columns, "C.UTF-8")
            #expect(outcome.status < 128 && outcome.status >= 0, "\(line): \(outcome.status)")
        }
    }

    @Test("the list has every command")
    func complete() throws {
        let names = try Tool.commandNames()
        #expect(names.isSubset(of: Self.lines.map { String($0.prefix { $0 != " " }) }))
    }
}
