// SPDX-License-Identifier: MIT
import GestureConfiguration
import GesturePipeline
import GestureProtocol
import GestureServer

/// Reads the input as requests. The bytes must result in the same lines whether they arrive in one piece or in several.
/// Each line must have a reply, which must be a line of JSON. The first byte determines the sizes of the pieces.
enum RequestBytes {
    static func run(_ input: UnsafeRawBufferPointer) -> String? {
        let bytes = Array(input.dropFirst())
        let whole = lines(of: bytes, pieces: [bytes.count])
        let step = Int(input.first ?? 0)
        let pieces = lines(of: bytes, pieces: [step % 7 + 1, step % 64 + 1, 1])
        if whole != pieces { return "the lines depend on the pieces: \(whole.count), \(pieces.count)" }
        for line in whole {
            if let complaint = check(line) { return complaint }
        }
        return nil
    }

    /// Cuts the bytes into lines as the server does: without empty lines and comments, up to a line that is too long.
    private static func lines(of bytes: [UInt8], pieces: [Int]) -> [[UInt8]] {
        var lines = RequestLines()
        var result: [[UInt8]] = []
        var start = 0
        var number = 0
        while start < bytes.count {
            let end = min(bytes.count, start + max(1, pieces[number % pieces.count]))
            number += 1
            bytes[start..<end].withUnsafeBufferPointer { lines.append($0) }
            start = end
            while !lines.isTooLong, lines.hasLine() { result.append(lines.takeLine()) }
            if lines.isTooLong { break }
        }
        return result
    }

    private static func check(_ line: [UInt8]) -> String? {
        if line.isEmpty || line.first == UInt8(ascii: "#") || line.contains(0x0A) { return "not a request: \(line)" }
        var answer = JSONWriter()
        switch line.withUnsafeBufferPointer({ RequestReader.read($0) }) {
        case .request(let request):
            ReplyLine.success(request.name, id: request.id, into: &answer) { _ in }
            if let complaint = check(request) { return complaint }
        case .refused(let command, let id, let error):
            if error.message.isEmpty { return "the message is empty: \(error.code)" }
            ReplyLine.failure(error, command: command, id: id, into: &answer)
        }
        if answer.count > 4096 { return "an answer of \(answer.count) bytes: \(answer.text)" }
        do throws(JSONError) {
            if answer.text.utf8.count != answer.count { return "not UTF-8: \(answer.text)" }
            let document = try JSONDocument.read(answer.text)
            return document.root["ok"]?.bool == nil ? "no \"ok\": \(answer.text)" : nil
        } catch {
            return "not JSON, \(error): \(answer.text)"
        }
    }

    private static func check(_ request: Request) -> String? {
        switch request.command {
        case .at(let x, let y, _): return x.isFinite && y.isFinite ? nil : "not a position: \(x), \(y)"
        case .defineRegions(_, let regions, _): return define(regions)
        case .putRegion(_, let region, _, _): return define([region])
        default: return nil
        }
    }

    /// Defines regions of a client in addition to two regions of the files, and touches those that are accepted.
    private static func define(_ values: [JSONValue]) -> String? {
        let (rules, diagnostics) = configuration.readDefinitions(values, file: "regions")
        if (rules == nil) != diagnostics.contains(where: { $0.isError }) { return "refused without an error" }
        if let silent = diagnostics.first(where: { $0.message.isEmpty }) { return "the message is empty: \(silent)" }
        guard let rules else { return nil }
        var runtime = RuntimeState()
        runtime.definitions = rules
        return ScriptedTouches.play(configuration.applying(runtime))
    }

    private static let configuration: Configuration = {
        let text = """
            version = 1
            [[region]]
            id = "a"
            shape = { rect = ["10%", "10%", "50%", "50%"] }
            gestures = ["press", "tap", "drag"]
            [[region]]
            id = "b"
            parent = "a"
            shape = "full"
            gestures = ["press", "long_press", "pinch"]
            """
        return ConfigurationReader.read(text).configuration ?? Configuration()
    }()
}
