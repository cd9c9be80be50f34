// SPDX-License-Identifier: MIT
#if Web
import GestureProtocol
import NIOCore
import NIOHTTP1

struct Answer {
    var status = HTTPResponseStatus.ok
    var type = "text/plain; charset=utf-8"
    var body = Body.bytes(ByteBuffer())
    var headers: [(String, String)] = []

    enum Body {
        case bytes(ByteBuffer)
        /// A file that is read in pieces at the speed at which the browser receives it.
        case file(ServedFile)
    }

    static func text(_ text: String, status: HTTPResponseStatus = .ok) -> Answer {
        Answer(status: status, body: .bytes(ByteBuffer(string: text + "\n")))
    }

    static func json(_ write: (inout JSONWriter) -> Void) -> Answer {
        json(JSONWriter.line(write))
    }

    static func json(_ bytes: [UInt8], status: HTTPResponseStatus = .ok) -> Answer {
        Answer(status: status, type: "application/json", body: .bytes(ByteBuffer(bytes: bytes)))
    }

    static func failure(_ error: any Error) -> Answer {
        let error = error as? RequestError ?? RequestError(.internal, "\(error)")
        return json(failureLine(error), status: status(of: error.code))
    }

    /// Returns `{"ok":false,"error":{"code":…,"message":…}}`.
    static func failureLine(_ error: RequestError) -> [UInt8] {
        JSONWriter.line { json in
            json.member("ok", false)
            json.object("error") { error.write(into: &$0) }
        }
    }

    static func status(of code: ErrorCode) -> HTTPResponseStatus {
        switch code {
        case .permissionDenied: .forbidden
        case .notFound: .notFound
        case .busy: .serviceUnavailable
        case .internal: .internalServerError
        default: .badRequest
        }
    }

    var length: Int {
        switch body {
        case .bytes(let bytes): bytes.readableBytes
        case .file(let file): file.size
        }
    }

    static var tooLarge: Answer {
        .text("the body of the request is too large", status: .payloadTooLarge)
    }
    /// - Parameter allowed: the methods that are allowed instead.
    static func methodNotAllowed(_ allowed: String) -> Answer {
        var answer = text("this method is not allowed here; use \(allowed)", status: .methodNotAllowed)
        answer.headers = [("Allow", allowed)]
        return answer
    }
    static var notFound: Answer { .text("there is no such page", status: .notFound) }
    static var wrongHost: Answer {
        .text(
            "the request is for another host; if this is the host of a proxy, add it to hosts in web.toml",
            status: .misdirectedRequest)
    }
    static var stranger: Answer {
        .text("pages of this origin may not connect; add the origin to origins in web.toml", status: .forbidden)
    }
}

extension HTTPServerResponsePart {
    /// Returns the last part of an answer. An answer to HEAD has no body, so it must not have the chunk that ends one either.
    static func end(isHead: Bool) -> HTTPServerResponsePart {
        isHead ? .body(.byteBuffer(ByteBuffer())) : .end(nil)
    }
}
#endif
