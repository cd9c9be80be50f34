// SPDX-License-Identifier: MIT
#if Web
import NIOCore
import NIOWebSocket

extension WebSocketFrame {
    /// The reason why a page must not send this frame, regardless of earlier frames; `nil` if the frame is allowed.
    var violation: PageStream.End? {
        guard maskKey != nil, !rsv1, !rsv2, !rsv3 else { return .badFrame }
        switch opcode {
        case .text, .continuation, .ping, .pong: return nil
        case .binary: return .noText
        case .connectionClose: return Self.violation(ofReason: unmaskedData)
        default: return .badFrame
        }
    }

    /// - Parameter reason: the data of a close frame. It is valid if it is empty, or if it contains a status that is
    ///   allowed in a close frame, followed by a text.
    private static func violation(ofReason reason: ByteBuffer) -> PageStream.End? {
        guard reason.readableBytes > 0 else { return nil }
        var text = reason
        switch text.readInteger(as: UInt16.self) ?? 0 {
        case 1000...1003, 1007...1014, 3000...4999: return text.isText ? nil : .badText
        default: return .badFrame
        }
    }
}

extension ByteBuffer {
    /// Whether the buffer contains valid UTF-8.
    var isText: Bool { withUnsafeReadableBytes { String(validating: $0, as: UTF8.self) != nil } }
}
#endif
