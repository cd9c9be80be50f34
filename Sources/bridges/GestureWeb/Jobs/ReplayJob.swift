// SPDX-License-Identifier: MIT
#if Web
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import LinuxSystem
import Recordings

/// The job for `POST /replay`, which produces the lines that the daemon would send for a recording.
struct ReplayJob {
    /// The number of bytes of lines that are collected before they are sent.
    private static let block = 65_536

    /// The configuration; `nil` for the daemon's current one.
    let configuration: SentConfiguration?
    private var recording: [UInt8]
    private let explains: Bool
    /// The device to replay, if the recording contains several.
    private let device: String?

    /// - Parameter body: `{"config":TOML or files or null,"recording":text,"explain":true}`
    init(_ body: [UInt8]) throws(RequestError) {
        let object = try JSONDocument.body(body)
        guard let recording = object["recording"]?.string else {
            throw RequestError(.badRequest, "\"recording\" is missing: the text of an evemu or libinput recording")
        }
        self.recording = Array(recording.utf8)
        if let value = object["config"], !value.isNull {
            guard let sent = SentConfiguration(value) else {
                throw RequestError(.badValue, "\"config\" must be TOML of at most 1 MiB, a list of files, or null")
            }
            configuration = sent
        } else {
            configuration = nil
        }
        explains = object["explain"]?.bool ?? false
        device = object["device"]?.string
    }

    /// Writes the lines: `devices`, `regions`, the recognized events, and `replay` at the end.
    ///
    /// - Parameters:
    ///   - configuration: the configuration that the page has sent, or the daemon's current one.
    ///   - write: receives complete lines, many at once.
    mutating func run(_ configuration: SentConfiguration, _ write: ([UInt8]) -> Void) {
        do throws(RequestError) {
            try replay(configuration, write)
        } catch {
            write(Self.end(error))
        }
    }

    private mutating func replay(_ configuration: SentConfiguration, _ write: ([UInt8]) -> Void) throws(RequestError) {
        let recording = try readRecording()
        // The text is freed here, because the events take the same amount of memory again.
        self.recording = []
        let (read, diagnostics) = configuration.read()
        guard let read else {
            let details = JSONWriter.bytes { $0.objects("diagnostics", diagnostics) { $0.write(into: &$1) } }
            throw RequestError(.configInvalid, "the configuration has errors", details: details)
        }
        let setup: PanelSetup
        switch PanelDecision(recording.description, read, fallbackName: recording.device ?? "panel") {
        case .ready(let ready): setup = ready
        case .refused(_, let reason), .ignored(_, let reason): throw RequestError(.badValue, reason)
        }
        write(Self.head(setup))
        var output: [UInt8] = []
        var number: Int64 = 0
        var json = JSONWriter()
        let interest = LineInterest(updates: true, touches: true, frames: true, failures: explains)
        let isComplete = RecordingReplay.run(recording, read, setup, interest) { line in
            number += 1
            json.removeAll()
            line.write(number: number, into: &json)
            json.withBytes { output.append(contentsOf: $0) }
            guard output.count >= Self.block else { return }
            write(output)
            output.removeAll(keepingCapacity: true)
        }
        let failure = RequestError(.busy, "a gesture was still waiting an hour after the last event")
        write(output + Self.end(isComplete ? nil : failure))
    }

    private func readRecording() throws(RequestError) -> Recording {
        let devices: [LibinputDevice]
        do throws(RecordingError) {
            devices = try RecordingFormat(head: recording.prefix(65_536)).read(recording)
        } catch {
            throw RequestError(.badValue, error.description)
        }
        let chosen =
            device.map { name in devices.first { $0.isNamed(name) } } ?? devices.first(where: \.isPanel)
            ?? devices.first
        guard let chosen else { throw RequestError(.notFound, "the recording contains no such device") }
        return chosen.recording
    }

    /// Returns the data that the page needs to draw the panel, in the form of the daemon's replies to `devices` and
    /// `regions`.
    private static func head(_ setup: PanelSetup) -> [UInt8] {
        JSONWriter.line { json in
            json.member("reply", "devices")
            json.member("ok", true)
            json.objects("devices", [setup]) { setup, json in
                json.member("device", setup.device)
                json.member("name", setup.description.name)
                json.member("state", "ready")
                json.object("output") { OutputReply.write(setup, into: &$0) }
            }
        }
            + JSONWriter.line { json in
                json.member("reply", "regions")
                json.member("ok", true)
                RegionsReply.write([setup], matching: { _ in true }, seesPrivate: true, into: &json)
            }
    }

    /// Returns the last line of the answer.
    static func end(_ error: RequestError?) -> [UInt8] {
        JSONWriter.line { json in
            json.member("reply", "replay")
            json.member("ok", error == nil)
            guard let error else { return }
            json.object("error") { error.write(into: &$0) }
        }
    }
}

extension JSONDocument {
    static func body(_ bytes: [UInt8]) throws(RequestError) -> JSONValue {
        do throws(JSONError) {
            return try read(bytes, values: WebJob.mostValues).root
        } catch {
            throw RequestError(.badJSON, error.description)
        }
    }
}
#endif
