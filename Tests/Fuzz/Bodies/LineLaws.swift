// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import GestureProtocol
import StreamVerifier

/// Checks the lines of one panel as a client receives them: each must be valid JSON, and the stream verifier must find
/// no violation.
final class LineLaws {
    /// The first violation.
    private(set) var complaint: String?
    /// The lines of gestures and idle times without their numbers, used to compare two runs.
    private(set) var text: [UInt8] = []
    private let name: String
    private var number: Int64 = 0
    private var verifier = StreamVerifier(isWholeConnection: false)
    private var buffer = JSONWriter()

    init(_ name: String, _ setup: PanelSetup) {
        self.name = name
        verifier.setPanel(setup.device, width: setup.size.widthPixels, height: setup.size.heightPixels)
    }

    func complain(_ text: String) {
        if complaint == nil { complaint = "\(name): \(text)" }
    }

    func check(_ line: borrowing EventLine) {
        number += 1
        buffer.removeAll()
        line.write(number: number, into: &buffer)
        if [.gesture, .idle].contains(line.event) {
            text += line.body.bytes
            text.append(0x0A)
        }
        buffer.withBytes { verifier.take(UnsafeBufferPointer(rebasing: $0.dropLast())) }
        if let violation = verifier.violations.first { complain("\(violation): \(buffer.text)") }
        // The verifier parses all lines itself, so it is enough to read the first ones with a second parser.
        if number <= Self.parsedLines { parse(buffer.text) }
    }

    private static let parsedLines = 50

    private func parse(_ text: String) {
        if text.utf8.count != buffer.count { complain("the line is not UTF-8: \(text)") }
        do throws(JSONError) { _ = try JSONDocument.read(text) } catch { complain("not JSON, \(error): \(text)") }
    }

    /// Checks the end of a stream. Call it when no gesture is in progress.
    func finish() {
        verifier.finish()
        if let violation = verifier.violations.first { complain("\(violation)") }
    }
}
