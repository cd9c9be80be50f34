// SPDX-License-Identifier: MIT
#if Web
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Writes the daemon's lines to a page, and replies of the bridge between them.
final class LineWriter {
    private let page: any Channel
    private let form: PageStream.Form
    /// Whether a line of the daemon has been only partly written.
    private var isInLine = false
    /// Replies that are waiting for the end of that line.
    private var waiting: [[UInt8]] = []

    init(_ page: any Channel, _ form: PageStream.Form) {
        self.page = page
        self.form = form
    }

    /// Passes on bytes from the daemon in pieces, each of which belongs to only one line.
    func handOn(_ bytes: ByteBuffer) {
        var bytes = bytes
        while bytes.readableBytes > 0 {
            let end = bytes.readableBytesView.firstIndex(of: UInt8(ascii: "\n"))
            guard let piece = bytes.readSlice(length: (end ?? bytes.writerIndex) - bytes.readerIndex) else { return }
            if end != nil { bytes.moveReaderIndex(forwardBy: 1) }
            write(piece, isLast: end != nil)
        }
        page.flush()
    }

    /// Writes a reply of the bridge. If a line is incomplete, the reply is written after that line.
    func reply(_ line: [UInt8]) {
        if isInLine { waiting.append(line) } else { write(ByteBuffer(bytes: line), isLast: true) }
        page.flush()
    }

    /// Writes an empty comment of the event stream, unless a line is incomplete.
    func comment() {
        if !isInLine { writeBody(ByteBuffer(string: ":\n\n")) }
        page.flush()
    }

    private func write(_ piece: ByteBuffer, isLast: Bool) {
        switch form {
        case .webSocket:
            page.write(
                WebSocketFrame(fin: isLast, opcode: isInLine ? .continuation : .text, data: piece), promise: nil)
        case .events:
            var event = page.allocator.buffer(capacity: piece.readableBytes + 8)
            if !isInLine { event.writeStaticString("data: ") }
            event.writeImmutableBuffer(piece)
            if isLast { event.writeStaticString("\n\n") }
            writeBody(event)
        }
        isInLine = !isLast
        guard isLast, !waiting.isEmpty else { return }
        let replies = waiting
        waiting = []
        for reply in replies { write(ByteBuffer(bytes: reply), isLast: true) }
    }

    private func writeBody(_ bytes: ByteBuffer) {
        page.write(HTTPServerResponsePart.body(.byteBuffer(bytes)), promise: nil)
    }
}
#endif
