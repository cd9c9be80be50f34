// SPDX-License-Identifier: MIT
import GestureProtocol

/// What the daemon answered.
struct Reply {
    /// As it came, without its end.
    var line: [UInt8]
    var json: JSONValue

    /// - Throws: `ToolError` with the daemon's words when it said no.
    func checked() throws(ToolError) -> Reply {
        guard json["ok"]?.bool != true else { return self }
        let error = json["error"]
        let code = error?["code"]?.string ?? ""
        var message = (error?["message"]?.string ?? "the daemon said no").safe
        if let suggestion = error?["suggestion"]?.string { message += "; did you mean \"\(suggestion.safe)\"?" }
        for diagnostic in error?["diagnostics"]?.elements ?? [] {
            message += "\n" + DiagnosticText.line(diagnostic)
        }
        throw ToolError(Self.status(of: code), message)
    }

    private static func status(of code: String) -> ToolError.Status {
        switch code {
        case "permission_denied": .noPermission
        case "config_invalid": .configuration
        case "not_found", "busy": .unavailable
        case "bad_value", "bad_request": .usage
        default: .software
        }
    }
}

/// A diagnostic of the daemon in the compiler's form: `file:line:column: error: message`.
enum DiagnosticText {
    static func line(_ json: JSONValue) -> String {
        var place = (json["file"]?.string ?? "").safe
        if let line = json["line"]?.integer, line > 0 { place += ":\(line):\(json["column"]?.integer ?? 1)" }
        var text = "\(place): \((json["severity"]?.string ?? "error").safe): \((json["message"]?.string ?? "").safe)"
        if let suggestion = json["suggestion"]?.string { text += "; did you mean \"\(suggestion.safe)\"?" }
        return text
    }
}
