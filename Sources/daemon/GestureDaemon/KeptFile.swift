// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import LinuxSystem

/// A file that the daemon keeps for the next process, which distrusts it.
///
/// These are all such files, and `Lasting` says how long their contents last. They are replaced as a whole. A file is not
/// used if it is a link, belongs to another user, is larger than the daemon would write it, or contains something else.
/// The daemon then works as if there were none, and replaces it at the next change.
struct KeptFile: Hashable, Sendable {
    enum Name: String, CaseIterable {
        /// The times of recent starts (`CrashGuard`).
        case starts
        /// This file exists while no panel may be shared (`CrashGuard`).
        case off
        /// A scene with a limited time (`KeptScene`).
        case scene
        /// The memories of panels (`KeptPanels`).
        case panels
        /// The contacts that a panel has reported (`SeenContacts`). The name is that of the panel's node, such as `event4`.
        case contacts = "event"
        /// The outputs that clients have set (`KeptOutputs`).
        case outputs = "outputs.json"
        /// The configuration files that were last accepted (`KeptConfiguration`).
        case configuration = "last-good.json"

        /// Whether the file has times of the monotonic clock or numbers of the kernel, which mean something else after a
        /// boot. Such files are in folders of the service's `RuntimeDirectory=`, the others in `--state-dir`.
        var isOfBoot: Bool { self != .outputs && self != .configuration }

        /// The most that the daemon writes: the size in bytes, and the number of JSON values.
        var most: (bytes: Int, values: Int) {
            switch self {
            case .off: (0, 0)
            case .starts: (4096, 0)
            case .contacts: (8192, 0)
            case .scene: (4096, 5)
            case .panels: (1 << 20, KeptPanels.mostValues)
            case .outputs: (KeptOutputs.largest, KeptOutputs.mostValues)
            case .configuration: (KeptConfiguration.largest, KeptConfiguration.mostValues)
            }
        }

        /// The folder of a file that belongs to a boot; `nil` if the service has none.
        fileprivate var runtimeFolder: String? {
            isOfBoot ? Environment.runtimeFolder(self == .off ? "gestured-share" : "gestured-contacts") : nil
        }

        fileprivate func isName(_ name: String) -> Bool {
            guard self == .contacts else { return name == rawValue }
            return name.hasPrefix(rawValue) && name.utf8.dropFirst(rawValue.utf8.count).allSatisfy { 0x30...0x39 ~= $0 }
        }
    }

    private let name: Name
    private let file: StateFile

    var path: String { file.path }

    /// - Parameters:
    ///   - folder: the folder of a file that outlives a boot.
    ///   - node: the name of a panel's node, for its contacts.
    /// - Returns: `nil` if there is no folder, so that nothing is kept.
    init?(_ name: Name, in folder: String? = nil, of node: String? = nil) {
        guard let folder = folder ?? name.runtimeFolder, !folder.isEmpty else { return nil }
        self.name = name
        file = StateFile("\(folder)/\(node ?? name.rawValue)")
    }

    /// Whether there is something in the file's place.
    var exists: Bool { access(path, F_OK) == 0 }

    /// The contents; `nil` if there is no file.
    func read() throws(UnreadableState) -> [UInt8]? {
        let contents: (bytes: [UInt8], owner: UInt32)?
        do throws(SystemError) {
            contents = try file.readWithOwner(limit: name.most.bytes)
        } catch {
            throw UnreadableState(description: "\(error)")
        }
        guard let contents else { return nil }
        guard [0, geteuid()].contains(contents.owner) else {
            throw UnreadableState(description: "\(path) belongs to another user")
        }
        return contents.bytes
    }

    /// The value of a file with JSON; `nil` if there is no file.
    /// - Parameters:
    ///   - meaning: what the file contains, such as `a list of panels`.
    ///   - parse: returns `nil` if the file contains something else.
    func read<Value>(_ meaning: String, _ parse: (JSONValue) -> Value?) throws(UnreadableState) -> Value? {
        guard let bytes = try read() else { return nil }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument.read(bytes, values: name.most.values)
        } catch {
            throw UnreadableState(description: "\(path): \(error)")
        }
        guard let value = parse(document.root) else {
            throw UnreadableState(description: "\(path) is not \(meaning)")
        }
        return value
    }

    /// Replaces the contents, or removes the file with `nil`, and returns when that is on the disk. This may take a long
    /// time. A folder in the file's place stays, which `read` has reported.
    func keep(_ bytes: [UInt8]?) throws(SystemError) {
        if let bytes { return try file.replace(with: bytes) }
        guard exists else { return }
        do throws(SystemError) { try file.remove() } catch { if error.code != EISDIR { throw error } }
    }

    /// Opens the file to overwrite a part of it with a single system call, which a power failure may leave half done.
    /// - Parameter beginning: what the file then contains; `nil` leaves the contents.
    func open(beginning: [UInt8]?) throws(SystemError) -> OwnedDescriptor {
        guard let beginning else { return try OwnedDescriptor(opening: path, flags: O_WRONLY | O_NOFOLLOW) }
        return try StateFile.create(path, beginning)
    }

    // MARK: Boots

    /// The name of the file with the boot to which the files of a folder belong.
    static let stamp = "boot"

    /// Removes the files of an earlier boot, which are there if a container has a lasting volume in the folder's place.
    /// Call this before any of the files is used. Files without a stamp are those of an earlier version, which an
    /// upgrade has just restarted; they count as those of this boot, so that no lock ends early.
    /// - Returns: the names of the removed files.
    static func forgetEarlierBoot(_ boot: String? = BootIdentity.current()) -> [String] {
        guard let boot else { return [] }
        return Set(Name.allCases.compactMap { $0.runtimeFolder }).sorted().flatMap { forgetEarlierBoot(boot, in: $0) }
    }

    private static func forgetEarlierBoot(_ boot: String, in folder: String) -> [String] {
        let stamp = StateFile("\(folder)/\(stamp)")
        let known = (try? stamp.read(limit: 64)).flatMap { $0 }
        if known?.elementsEqual(boot.utf8) == true { return [] }
        let removed = known == nil ? [] : names(in: folder).filter { unlink("\(folder)/\($0)") == 0 }
        try? stamp.replace(with: Array(boot.utf8))
        return removed
    }

    private static func names(in folder: String) -> [String] {
        var names: [String] = []
        try? forEachName(in: folder) { name in
            let name = String(cString: name)
            if Name.allCases.contains(where: { $0.isOfBoot && $0.isName(name) }) { names.append(name) }
        }
        return names.sorted()
    }
}

/// The reason why a kept file is not used, with its path.
struct UnreadableState: Error, CustomStringConvertible {
    let description: String
}
