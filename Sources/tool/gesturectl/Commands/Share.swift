// SPDX-License-Identifier: MIT
import ArgumentParser
import CLinux
import Glibc
import LinuxSystem

struct Share: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Allow the daemon to pass touches on to applications, or show whether it may.",
        discussion: """
            Panels with share = "forward" require the right to create input devices. --enable gives it to the \
            service with a drop-in unit and restarts the daemon; --disable removes it. Both print each step and need \
            root.
            """)

    enum Change: String, EnumerableFlag {
        case enable, disable

        static func help(for value: Self) -> ArgumentHelp? {
            switch value {
            case .enable: "Give the daemon the right, even if crashes have switched sharing off."
            case .disable: "Take the right away."
            }
        }
    }

    @Flag(exclusivity: .exclusive) var change: Change?

    @Option(
        help: ArgumentHelp(
            "Change the system below this folder, such as an image, and restart nothing.", valueName: "folder"),
        completion: .directory)
    var root: String?

    func run() throws {
        if root == nil, change != nil, Environment.isContainer {
            throw ToolError(
                .noPermission,
                "a container cannot change the service of the host; start it with --device /dev/uinput, or without")
        }
        // Changing an image does not require root. If permissions are missing, the system calls report it.
        if root == nil, let change, geteuid() != 0 {
            throw ToolError(.noPermission, "only root may do this: sudo gesturectl share --\(change.rawValue)")
        }
        let service = try SharingService(root: root)
        switch change {
        case .enable: try service.enable()
        case .disable: try service.disable()
        case nil: StandardOutput.write(try service.state)
        }
    }
}

/// The systemd drop-in that lets the daemon pass touches on.
struct SharingService: ~Copyable {
    private static let unit = "gestured.service"
    private static let file = "gestured-share.conf"
    private static let folder = "/etc/systemd/system/\(unit).d"
    /// The folder in which the daemon records that it has crashed too often: `RuntimeDirectory=` of the drop-in.
    private static let crashes = "/run/gestured-share"
    private static let isDisabled =
        "disabled until the next boot after three crashes; to enable it now, run as root: gesturectl share --enable\n"
    /// The folder in which the daemon counts its crashes: `RuntimeDirectory=` of the service.
    private static let contacts = "/run/gestured-contacts"
    /// The maximum number of bytes to read. The drop-in is much shorter.
    private static let sizeLimit = 1 << 16

    /// The folder that stands for `/` in all paths.
    private let root: SystemRoot
    /// The prefix of paths in messages; empty for the running system.
    private let prefix: String
    private let isRunning: Bool

    private var link: String { "\(Self.folder)/\(Self.file)" }
    private var target: String { "\(InstalledFiles.folder)/\(Self.file)" }

    /// - Parameter root: the root folder of another system; `nil`: the running system. In another system, files in
    ///   `/run` are not changed, because they exist only while a system runs.
    /// - Throws: `ToolError` 66 if it is not a folder.
    init(root: String?) throws(ToolError) {
        let opened = try SystemRoot.at(root ?? "/")
        self.root = opened
        prefix = root ?? ""
        isRunning = root == nil
    }

    /// A readable description of the state, with one fact per line.
    var state: String {
        get throws(ToolError) {
            guard let folder = try folder(), try entry(in: folder) != nil else {
                return "not enabled: the daemon does not pass touches on; "
                    + "to enable it, run as root: gesturectl share --enable\n"
            }
            let isOff = isRunning && access("\(Self.crashes)/off", F_OK) == 0
            return "enabled by \(link)\n" + (isOff ? Self.isDisabled : "")
        }
    }

    /// - Throws: `ToolError` 66 if the installed file is missing, 73 or 77 if it cannot be linked, 69 if
    ///   systemd refuses.
    func enable() throws {
        guard shipped != nil else {
            throw ToolError(.noInput, "no \(Self.file) in \(InstalledFiles.folder.safe); install it")
        }
        try makeLink()
        guard isRunning else { return }
        try forgetCrashes()
        try startAgain()
    }

    /// - Throws: the errors of `enable`.
    func disable() throws {
        try removeLink()
        guard isRunning else { return }
        try startAgain()
        // Done after the restart, because the previous daemon may have had the device open.
        try Self.call(["setfacl", "-x", "u:gestured", "/dev/uinput"])
    }

    /// The contents of the installed drop-in; `nil` if there is none.
    private var shipped: [UInt8]? {
        guard let file = try? root.open(target, O_RDONLY | O_NONBLOCK), linux_regular_size(file.rawValue) >= 0 else {
            return nil
        }
        return try? contents(of: file.rawValue, limit: Self.sizeLimit)
    }

    /// Returns the folder of the link; `nil` if there is none.
    private func folder() throws(ToolError) -> OwnedDescriptor? {
        do throws(SystemError) {
            return try root.open(Self.folder, O_RDONLY | O_DIRECTORY)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw failure(Self.folder, error)
        }
    }

    /// Whether the entry at the link's path comes from this project: a link to an installed file, under any prefix, or
    /// a copy of that file. `nil` if there is no entry.
    private func entry(in folder: borrowing OwnedDescriptor) throws(ToolError) -> Bool? {
        do throws(SystemError) {
            // The link may point to a file that was installed under another prefix than this program.
            let endings = [target, "/share/gestured/\(Self.file)"]
            return try folder.isShipped(Self.file, linkEndings: endings, contents: shipped)
        } catch {
            throw failure(link, error)
        }
    }

    /// - Throws: `ToolError` 73 if the entry is not from this project.
    private func removeShipped(from folder: borrowing OwnedDescriptor) throws(ToolError) -> Bool {
        guard let isShipped = try entry(in: folder) else { return false }
        guard isShipped else {
            throw ToolError(
                .cannotCreate,
                "\(prefix.safe)\(link) is not the link that gesturectl share makes; move it away, or edit it yourself")
        }
        guard unlinkat(folder.rawValue, Self.file, 0) == 0 else { throw failure(link, .last("unlink")) }
        return true
    }

    private func makeLink() throws(ToolError) {
        let folder: OwnedDescriptor
        do throws(SystemError) {
            folder = try root.makeFolder(Self.folder)
        } catch {
            throw failure(error.path ?? Self.folder, error)
        }
        _ = try removeShipped(from: folder)
        guard symlinkat(target, folder.rawValue, Self.file) == 0 else { throw failure(link, .last("symlink")) }
        StandardOutput.write("linked \(prefix)\(link) to \(target)\n")
    }

    private func removeLink() throws(ToolError) {
        guard let folder = try folder(), try removeShipped(from: folder) else { return }
        StandardOutput.write("removed \(prefix)\(link)\n")
    }

    private func forgetCrashes() throws(ToolError) {
        try removeFiles(of: Self.contacts) { $0 == "starts" }
        try removeFiles(of: Self.crashes) { $0 != "." && $0 != ".." }
    }

    /// Removes files from a folder of the daemon's user. A missing folder means that nothing has crashed.
    private func removeFiles(of folder: String, _ isMeant: (String) -> Bool) throws(ToolError) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        guard let names = try? root.open(folder, flags), let place = try? root.open(folder, flags) else { return }
        var meant: [String] = []
        try? forEachName(in: names) { name in
            let name = String(cString: name)
            if isMeant(name) { meant.append(name) }
        }
        for name in meant {
            guard unlinkat(place.rawValue, name, 0) == 0 else { throw failure("\(folder)/\(name)", .last("unlink")) }
            if folder == Self.crashes { StandardOutput.write("removed \(folder)/\(name.safe)\n") }
        }
    }

    private func startAgain() throws {
        try Self.call(["systemctl", "daemon-reload"])
        try Self.call(["systemctl", "restart", Self.unit])
    }

    /// Prints a system command and runs it.
    private static func call(_ words: [String]) throws {
        StandardOutput.write(words.joined(separator: " ") + "\n")
        let status = try ChildCommand(words, input: [], variables: []).wait()
        guard status == 0 else {
            throw ToolError(.unavailable, "\(words.joined(separator: " ")) ended with status \(status)")
        }
    }

    private func failure(_ path: String, _ error: SystemError) -> ToolError {
        ToolError(
            error.code == EACCES || error.code == EPERM ? .noPermission : .cannotCreate,
            "\(prefix.safe)\(path.safe): \(error.reason)")
    }
}
