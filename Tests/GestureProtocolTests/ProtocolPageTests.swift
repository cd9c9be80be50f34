// SPDX-License-Identifier: MIT
import GestureProtocol
import Glibc
import Testing

/// Compares `docs/protocol.md` with its schema and with the code.
@Suite("The protocol's page")
struct ProtocolPageTests {
    @Test("every request on the page is read by the daemon's reader")
    func requests() throws {
        let requests = try Page.lines().filter { $0.document["cmd"] != nil }
        #expect(Set(requests.map { $0.document["cmd"]?.string ?? "" }) == Set(CommandName.allCases.map { $0.rawValue }))
        for line in requests {
            guard case .request(let request) = RequestReader.read(line.text) else {
                Issue.record("line \(line.number): \(RequestReader.read(line.text))")
                continue
            }
            #expect(request.name.rawValue == line.document["cmd"]?.string)
        }
    }

    @Test("every event and every reply has an example")
    func completeness() throws {
        let documents = try Page.lines().map { $0.document }
        let events = Set(documents.compactMap { $0["event"]?.string })
        #expect(events.isSuperset(of: EventName.allCases.map { "\($0.word)" } + ["hello", "state", "overflow", "bye"]))
        let answered = Set(documents.compactMap { $0["reply"]?.string })
        #expect(answered.isSuperset(of: CommandName.allCases.map { $0.rawValue }))
        let page = try Page.text(of: "docs/protocol.md")
        for code in ErrorCode.allCases { #expect(page.contains("`\(code.rawValue)`")) }
    }

    @Test("the schema has the words and the keys of the reader")
    func words() throws {
        let definitions = try JSONDocument.read(Page.text(of: "docs/protocol.schema.json"), depth: 40).root["$defs"]
        for name in CommandName.allCases {
            let keys = definitions?["\(name.rawValue)Request"]?["properties"]?.keys ?? []
            #expect(Set(keys) == Set(RequestReader.keys(of: name) + ["cmd", "id"]), "\(name)")
        }
        let codes = definitions?["errorReply"]?["properties"]?["error"]?["properties"]?["code"]?["enum"]?.array
        #expect(codes?.map { $0.string } == ErrorCode.allCases.map { $0.rawValue })
        let subscribe = definitions?["subscribeRequest"]?["properties"]
        let events = subscribe?["events"]?["items"]?["enum"]?.array
        #expect(events?.map { $0.string } == EventName.allCases.map { "\($0.word)" })
    }

    @Test("every line on the page matches the schema, and with a further key it does not")
    func schema() throws {
        let folder = try Page.root()
        let answer = run("python3 -c '\(Self.checker)' '\(folder)' 2>&1")
        guard !answer.contains("No module named") else {
            print("skipped: python3-jsonschema is not installed")
            return
        }
        #expect(answer == "\(try Page.lines().count) lines fit\n")
    }

    @Test("the writers' lines match the schema")
    func writers() throws {
        let folder = try Page.root()
        let answer = run("printf '%s' '\(Self.written)' | python3 -c '\(Self.checker)' '\(folder)' - 2>&1")
        guard !answer.contains("No module named") else { return }
        #expect(answer == "8 lines fit\n")
    }

    /// One line of each writer.
    private static var written: String {
        var lines = JSONWriter()
        ServerLine.hello(
            server: "gestured 0.1.0", instance: "b1946ac9", capabilities: ["subscribe"], rights: .all,
            configGeneration: 0, into: &lines)
        ServerLine.state(number: 0, into: &lines) {
            $0.append(json: "\"devices\":[],\"scene\":\"default\",\"active\":[]")
        }
        ServerLine.overflow(number: 3, dropped: 2, sinceMilliseconds: 0, into: &lines)
        ServerLine.bye(reason: "shutdown", into: &lines)
        ReplyLine.success(.ping, id: .string("a"), into: &lines) { _ in }
        let error = RequestError(.notFound, "no", suggestion: "yes")
        ReplyLine.failure(error, command: .describe, id: .integer(-1), into: &lines)
        var event = EventLine()
        event.start(.gesture, subject: 0, phase: .update, identity: 1)
        event.body.append(
            json: """
                "gesture":"press","name":"press","phase":"update","region":"ok","device":"panel","sequence":1,"fingers":1\
                ,"x":1.0,"y":1.0,"u":0.5,"v":0.5,"inside":false
                """)
        event.writeTime(12)
        event.write(number: 1, into: &lines)
        event.write(number: 4, coalesced: 2, wallMilliseconds: 1_795_000_000_000, into: &lines)
        return lines.text
    }

    /// Reads the page's lines, or those of standard input, and prints the ones that do not match. It must not
    /// contain `'`.
    private static let checker = """
        import json, sys, jsonschema
        folder = sys.argv[1]
        schema = json.load(open(folder + "/docs/protocol.schema.json"))
        jsonschema.Draft202012Validator.check_schema(schema)
        def errors(name, line):
            part = {"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": "#/$defs/" + name}
            return list(jsonschema.Draft202012Validator(part).iter_errors(line))
        lines, inside = [], len(sys.argv) > 2
        for number, text in enumerate(sys.stdin if inside else open(folder + "/docs/protocol.md"), 1):
            if text.startswith("```"): inside = text.strip() == "```json"
            elif inside: lines.append((number, json.loads(text)))
        fit = 0
        for number, line in lines:
            name = "request" if "cmd" in line else "serverLine"
            wrong = errors(name, line)
            for error in wrong: print(number, error.message[:400])
            if not errors(name, dict(line, surplus=1)): print(number, "fits with a key more")
            fit += not wrong
        print(fit, "lines fit")
        """

    /// The output of a command.
    private func run(_ command: String) -> String {
        guard let output = popen(command, "r") else { return "" }
        defer { pclose(output) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(output), byte >= 0 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The page in the package's folder.
private enum Page {
    struct Line {
        var number: Int
        var text: String
        var document: JSONValue
    }

    static func root(_ file: String = #filePath) throws -> String {
        try #require(file.components(before: "/Tests/"))
    }

    static func text(of path: String) throws -> String {
        let file = try #require(fopen("\(root())/\(path)", "r"), "\(path) is missing")
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte >= 0 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines in ```json blocks.
    static func lines() throws -> [Line] {
        var result: [Line] = []
        var isInside = false
        for (index, line) in try text(of: "docs/protocol.md").split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line.hasPrefix("```") {
                isInside = line == "```json"
            } else if isInside {
                let text = String(line)
                result.append(Line(number: index + 1, text: text, document: try JSONDocument.read(text).root))
            }
        }
        return result
    }
}

extension String {
    /// The text before the last `separator`.
    fileprivate func components(before separator: String) -> String? {
        var end = endIndex
        while end > startIndex {
            if self[..<end].hasSuffix(separator) { return String(self[..<index(end, offsetBy: -separator.count)]) }
            end = index(before: end)
        }
        return nil
    }
}
