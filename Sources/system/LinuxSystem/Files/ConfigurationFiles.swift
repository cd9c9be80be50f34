// SPDX-License-Identifier: MIT
import CLinux

/// The printable path and the contents of a configuration file.
package typealias ConfigurationText = (path: String, text: [UInt8])

/// Finds and reads the configuration files.
///
/// Only regular files of at most 1 MiB are read. When this runs as root, it follows only symbolic links that root owns,
/// because errors quote the file and must not show text to users who may not read it.
package struct ConfigurationFiles: Hashable, Sendable {
    /// The administrator's file.
    package static let standardFile = "\(standardFolder)/gestured.toml"
    /// The installed file, which is read instead while the standard file does not exist. An upgrade replaces it.
    package static let defaultFile = "\(InstalledFiles.folder)/gestured.toml"
    package static let standardDirectory = "\(standardFolder)/conf.d"
    package static let standardFolder = "/etc/gestured"
    /// The maximum size of one file, in bytes.
    package static let largestFile = 1 << 20
    /// The maximum size of all files together, in bytes.
    package static let largestTogether = 4 << 20
    /// The maximum number of files in a directory.
    package static let mostFiles = 256

    /// The file given by `-c`, which replaces all others. With the standard file, the standard directory is read too.
    package var file: String?
    /// More files, which are read after `file`.
    package var further: [String]
    /// The directory given by `--conf-dir`, which replaces the standard one.
    package var directory: String?

    package init(file: String? = nil, further: [String] = [], directory: String? = nil) {
        self.file = file
        self.further = further
        self.directory = directory
    }

    /// Reads all files. Later files override earlier ones: first `file`, then `further`, then the files in the
    /// directory whose names end in `.toml`, in the order of their names. The files in the standard directory follow
    /// the standard file immediately, however its path is written, or the default file that is read instead.
    ///
    /// A missing file is an error only if its path was given, so the result may be empty. A link that leads nowhere is
    /// not a missing file.
    /// - Throws: the error of the first file that cannot be read.
    package func read() throws(ConfigurationFileError) -> [ConfigurationText] {
        var result: [ConfigurationText] = []
        for path in [file ?? Self.standardFile] + further {
            let mayBeMissing = file == nil && path == Self.standardFile
            let count = result.count
            try Self.add(Array(path.utf8CString), mayBeMissing: mayBeMissing, to: &result)
            if mayBeMissing, result.count == count {
                try Self.add(Array(Self.defaultFile.utf8CString), mayBeMissing: true, to: &result)
            }
            if directory == nil, Self.isStandard(path) {
                try Self.add(directory: Self.standardDirectory, mayBeMissing: true, to: &result)
            }
        }
        if let directory { try Self.add(directory: directory, mayBeMissing: false, to: &result) }
        return result
    }

    private static func isStandard(_ path: String) -> Bool {
        if path == standardFile { return true }
        guard let real = realpath(path, nil) else { return false }
        defer { free(real) }
        guard let standard = realpath(standardFile, nil) else { return false }
        defer { free(standard) }
        return strcmp(real, standard) == 0
    }

    private static func add(
        directory: String, mayBeMissing: Bool, to result: inout [ConfigurationText]
    ) throws(ConfigurationFileError) {
        for path in try list(directory, mayBeMissing: mayBeMissing) { try add(path, to: &result) }
    }

    /// Reads one file, with the restrictions of this type.
    /// - Returns: `nil` if the file is missing and `mayBeMissing` is true.
    package static func read(_ path: String, mayBeMissing: Bool = false) throws(ConfigurationFileError) -> [UInt8]? {
        try readFile(Array(path.utf8CString), shown: path, mayBeMissing: mayBeMissing)
    }

    private static func add(
        _ path: [CChar], mayBeMissing: Bool = false, to result: inout [ConfigurationText]
    ) throws(ConfigurationFileError) {
        let shown = readable(path)
        guard let text = try readFile(path, shown: shown, mayBeMissing: mayBeMissing) else { return }
        if result.reduce(text.count, { $0 + $1.text.count }) > largestTogether {
            throw ConfigurationFileError(
                path: shown, reason: "with the files before it is larger than \(largestTogether >> 20) MiB")
        }
        result.append((shown, text))
    }

    /// Returns a printable form of a path. If the path is not UTF-8, bytes beyond ASCII are written like `\xff`.
    static func readable(_ path: [CChar]) -> String {
        let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let digits = Array("0123456789abcdef".utf8)
        let shown = bytes.flatMap { byte in
            byte < 0x80 ? [byte] : Array("\\x".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// - Parameters:
    ///   - name: the path as bytes, because file names need not be UTF-8.
    ///   - path: the path to be shown in errors.
    private static func readFile(
        _ name: [CChar], shown path: String, mayBeMissing: Bool
    ) throws(ConfigurationFileError) -> [UInt8]? {
        let descriptor: OwnedDescriptor
        do throws(SystemError) {
            // The file is opened without blocking, because a FIFO at this path must not delay the start.
            if geteuid() == 0 {
                descriptor = OwnedDescriptor(
                    adopting: try retryingOnInterrupt("open", path: path) { linux_open_through_links_of_root(name) })
            } else {
                descriptor = try OwnedDescriptor(opening: name, flags: O_RDONLY | O_NONBLOCK)
            }
        } catch {
            if error.code == ENOENT {
                try refuseDeadLinks(in: name)
                if mayBeMissing { return nil }
                throw ConfigurationFileError(path: path, code: error.code, cure: cureForMissing(path))
            }
            // For users other than root, ELOOP means that links form a loop.
            if error.code == ELOOP, geteuid() == 0 {
                let place = isLink(name) ? "is" : "leads through"
                throw ConfigurationFileError(
                    path: path, reason: "\(place) a symbolic link of another user, which root does not follow")
            }
            throw ConfigurationFileError(path: path, code: error.code)
        }
        let size = linux_regular_size(descriptor.rawValue)
        if size == -1 { throw ConfigurationFileError(path: path, code: linux_errno()) }
        if size < 0 { throw ConfigurationFileError(path: path, reason: "is not a regular file") }
        let text: [UInt8]
        do throws(SystemError) {
            text = try contents(of: descriptor.rawValue, limit: largestFile)
        } catch {
            throw ConfigurationFileError(path: path, code: error.code)
        }
        if text.count > largestFile { throw ConfigurationFileError(path: path, reason: "is larger than 1 MiB") }
        return text
    }

    /// Returns the paths of a directory's files, in the order of the bytes of their names.
    private static func list(
        _ directory: String, mayBeMissing: Bool
    ) throws(ConfigurationFileError) -> [[CChar]] {
        var names: [[UInt8]] = []
        do throws(SystemError) {
            try forEachName(in: directory) { pointer in
                let name = UnsafeBufferPointer(start: pointer, count: strlen(pointer)).map { UInt8(bitPattern: $0) }
                // To reject the directory, it is enough to find one name too many.
                if names.count <= mostFiles, isConfiguration(name) { names.append(name) }
            }
        } catch {
            if error.code == ENOENT, mayBeMissing {
                try refuseDeadLinks(in: Array(directory.utf8CString))
                return []
            }
            throw ConfigurationFileError(path: directory, code: error.code)
        }
        if names.count > mostFiles {
            throw ConfigurationFileError(path: directory, reason: "contains more than \(mostFiles) files")
        }
        let prefix = directory.hasSuffix("/") ? directory : directory + "/"
        return names.sorted { $0.lexicographicallyPrecedes($1) }.map { name in
            prefix.utf8.map { CChar(bitPattern: $0) } + name.map { CChar(bitPattern: $0) } + [0]
        }
    }

    /// Whether the name is that of a configuration file. Names that begin with a dot are excluded, because editors
    /// leave such files behind.
    private static func isConfiguration(_ name: [UInt8]) -> Bool {
        name.suffix(5).elementsEqual(".toml".utf8) && name.first != UInt8(ascii: ".")
    }

    /// Throws an error for the first link in a path that leads nowhere, because its disk may not be mounted.
    private static func refuseDeadLinks(in path: [CChar]) throws(ConfigurationFileError) {
        for end in path.indices.dropFirst() where path[end] == CChar(UInt8(ascii: "/")) || path[end] == 0 {
            let part = Array(path[..<end]) + [0]
            guard isLink(part), access(part, F_OK) != 0 else { continue }
            throw ConfigurationFileError(path: readable(part), reason: "is a symbolic link that leads nowhere")
        }
    }

    /// Names the installed file that the administrator may copy to this path.
    private static func cureForMissing(_ path: String) -> String {
        guard path.hasPrefix(standardFolder + "/") else { return "" }
        let installed = InstalledFiles.folder + path.dropFirst(standardFolder.count)
        guard access(installed, R_OK) == 0 else { return "" }
        return "; to change the defaults, copy \(installed) there"
    }

    private static func isLink(_ path: [CChar]) -> Bool {
        var owner = uid_t()
        return linux_file_kind(path, &owner) == linux_kind_link()
    }
}

/// The reason why a configuration file cannot be read.
package struct ConfigurationFileError: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    /// The reason, such as `Permission denied` or `is not a regular file`.
    package let reason: String

    /// The path and the reason, such as `/etc/gestured/gestured.toml: Permission denied`.
    package var description: String { "\(path): \(reason)" }
}

extension ConfigurationFileError {
    /// - Parameters:
    ///   - code: the errno.
    ///   - cure: what to do, after a semicolon.
    fileprivate init(path: String, code: CInt, cure: String = "") {
        self.init(path: path, reason: SystemError(call: "open", code: code).reason + cure)
    }
}
