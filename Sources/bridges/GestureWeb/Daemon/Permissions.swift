// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import CLinux
import GestureProtocol
import LinuxSystem

/// The answer to `GET /bridge`: the permissions of a page, and the configuration lines that would grant the missing
/// ones.
struct Permissions {
    let settings: WebSettings
    /// The rights that the daemon gives the bridge; `nil` if the daemon is not running.
    let rights: [String]?

    /// The commands that a page needs to make a recording.
    private static let recording = ["subscribe", "describe"]

    func write(into json: inout JSONWriter) {
        let user = Users.name(of: geteuid()) ?? "\(geteuid())"
        let changes = CommandName.allCases.filter { $0.changesSomething }.map { $0.rawValue }
        let mayDefine = settings.commands.contains { ["define_regions", "put_region"].contains($0) }
        let mayRecord = Self.recording.allSatisfy { settings.commands.contains($0) }
        json.member("version", Version.number)
        json.member("user", user)
        json.member("daemon", rights != nil)
        json.member("readonly", !settings.commands.contains { changes.contains($0) })
        json.member("commands", settings.commands)
        json.member("rights", rights ?? [])
        json.member("raw", has("raw"))
        json.member("private", has("private"))
        json.member("define", mayDefine && (has("define") || has("control")))
        json.member("recording", mayRecord && has("raw"))
        json.object("cures") { json in
            if !has("raw") { json.member("raw", Self.access("raw_uids", user)) }
            if !has("private") { json.member("private", Self.access("private_uids", user)) }
            if !has("define"), !has("control") {
                json.member("define", Self.access("define_uids", user))
            } else if !mayDefine {
                json.member("define", commands(adding: ["define_regions", "put_region", "remove_region"]))
            }
            if !mayRecord { json.member("recording", commands(adding: Self.recording)) }
        }
    }

    private func has(_ right: String) -> Bool { rights?.contains(right) == true }

    /// Returns the text for `gestured.toml` that grants a right.
    private static func access(_ list: String, _ user: String) -> String { "[access]\n\(list) = [\"\(user)\"]" }

    /// Returns the text for `web.toml` that allows these commands in addition to the current ones.
    private func commands(adding names: [String]) -> String {
        let all = settings.commands + names.filter { !settings.commands.contains($0) }
        return "commands = [" + all.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }
}
#endif
