// SPDX-License-Identifier: MIT
import ArgumentParser
import CLinux
import Glibc
import LinuxSystem

/// `gesturectl share`
struct Share: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let the daemon pass touches on to applications, or say whether it may.",
        discussion: """
            Panels with share = "forward" take the right to make input devices. --enable gives it to the service, with a \
            drop-in unit, and starts the daemon again; --disable takes it away. Both print each step, and are for root.
            """)

    enum Change: String, EnumerableFlag {
        case enable, disable

        static func help(for value: Self) -> ArgumentHelp? {
            switch value {
            case .enable: "Give the daemon the right, also after crashes have switched sharing off."
            case .disable: "Take the right away."
            }
        }
    }

    @Flag(exclusivity: .exclusive) var change: Change?

    @Option(
        help: ArgumentHelp(
            "Change the system below this folder, such as an image, and start nothing.", valueName: "folder"),
        completion: .directory)
    var root: String?

    func run() throws {
        let service = SharingService(root: root ?? "")
        switch change {
        case .enable: try service.enable()
        case .disable: try service.disable()
        case nil: StandardOutput.write(service.state)
        }
    }
}

/// The drop-in unit that lets the daemon pass touches on.
struct SharingService {
    private static let unit = "gestured.service"
    private static let file = "gestured-share.conf"

    /// What all paths are below; empty: the running system.
    var root: String

    private var folder: String { "/etc/systemd/system/\(Self.unit).d" }
    private var link: String { "\(folder)/\(Self.file)" }
    private var target: String { "\(SharedFiles.folder)/\(Self.file)" }
    /// Where the daemon notes that it has crashed too often: RuntimeDirectory= of the drop-in.
    private var crashes: String { "/run/gestured-share" }
    /// By which it counts its crashes. The service always has it.
    private var starts: String { "/run/gestured-contacts/starts" }

    /// For people: one line for each fact.
    var state: String {
        var owner = uid_t()
        // Below another root, the link leads to a file of that root.
        guard linux_file_kind(root + link, &owner) >= 0 else {
            return "not enabled: the daemon passes no touches on; as root: gesturectl share --enable\n"
        }
        let isOff = access("\(root)\(crashes)/off", F_OK) == 0
        return "enabled by \(link)\n"
            + (isOff ? "off after three crashes, until the next boot; as root: gesturectl share --enable\n" : "")
    }

    /// - Throws: `ToolError` 66 without the installed file, 73 and 77 when it cannot be linked, 69 when systemd refuses.
    func enable() throws {
        try checkUser("--enable")
        guard access(root + target, R_OK) == 0 else {
            throw ToolError(
                .noInput, "no \(Self.file) in \(SharedFiles.folder.safe); install it, or set GESTURED_SHARE")
        }
        try makeLink()
        try forgetCrashes()
        try startAgain()
    }

    /// - Throws: as `enable`.
    func disable() throws {
        try checkUser("--disable")
        try removeLink()
        try startAgain()
        // Last, because the daemon that has just ended may have had it open.
        if root.isEmpty { try Self.call(["setfacl", "-x", "u:gestured", "/dev/uinput"]) }
    }

    private func checkUser(_ option: String) throws(ToolError) {
        guard root.isEmpty, geteuid() != 0 else { return }
        throw ToolError(.noPermission, "only root may do this: sudo gesturectl share \(option)")
    }

    private func makeLink() throws(ToolError) {
        var path = root
        for part in folder.split(separator: "/") {
            path += "/\(part)"
            if mkdir(path, 0o755) != 0, errno != EEXIST { throw Self.failure(path) }
        }
        guard unlink(root + link) == 0 || errno == ENOENT, symlink(target, root + link) == 0 else {
            throw Self.failure(root + link)
        }
        StandardOutput.write("linked \(root)\(link) to \(target)\n")
    }

    private func removeLink() throws(ToolError) {
        let path = root + link
        if unlink(path) == 0 { return StandardOutput.write("removed \(path)\n") }
        guard errno == ENOENT || errno == ENOTDIR else { throw Self.failure(path) }
    }

    private func forgetCrashes() throws(ToolError) {
        let path = root + crashes
        guard unlink(root + starts) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw Self.failure(root + starts)
        }
        var names: [String] = []
        // Without the folder, nothing has crashed.
        try? forEachName(in: path) { names.append(String(cString: $0)) }
        for name in names where name != "." && name != ".." {
            guard unlink("\(path)/\(name)") == 0 else { throw Self.failure("\(path)/\(name)") }
            StandardOutput.write("removed \(path)/\(name)\n")
        }
    }

    private func startAgain() throws {
        guard root.isEmpty else { return }
        try Self.call(["systemctl", "daemon-reload"])
        try Self.call(["systemctl", "restart", Self.unit])
    }

    /// Runs a command of the system, and prints it.
    private static func call(_ words: [String]) throws {
        StandardOutput.write(words.joined(separator: " ") + "\n")
        let status = try ChildCommand(words, input: [], variables: []).wait()
        guard status == 0 else {
            throw ToolError(.unavailable, "\(words.joined(separator: " ")) ended with status \(status)")
        }
    }

    private static func failure(_ path: String) -> ToolError {
        let error = SystemError.last("open")
        return ToolError(
            error.code == EACCES || error.code == EPERM ? .noPermission : .cannotCreate, "\(path.safe): \(error.reason)"
        )
    }
}
