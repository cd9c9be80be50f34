// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem

/// The last accepted configuration files, which are kept in case the files are refused at the next start.
struct KeptConfiguration: Sendable {
    private static let name = "last-good.json"
    /// The maximum size of a file written by `save`. JSON escapes take at most three bytes for each byte of a text, and
    /// a path has at most 4096 bytes.
    private static let largest = 3 * ConfigurationFiles.largestTogether + mostFiles * (3 * 4096 + 32)
    /// The maximum number of files: the file of `--config`, and the files of a directory.
    private static let mostFiles = 1 + ConfigurationFiles.mostFiles
    /// The maximum number of JSON values written by `save`: an object and two strings for each file, and the two values
    /// around them.
    private static let mostValues = 3 * mostFiles + 2

    private let file: StateFile

    var path: String { file.path }

    /// Creates the storage.
    /// - Parameter folder: the folder of the daemon's state; with `nil`, nothing is kept.
    init?(folder: String?) {
        guard let folder, !folder.isEmpty else { return nil }
        file = StateFile(folder + "/" + Self.name)
    }

    /// Writes the files to the disk, unless they are already there. This may take a long time.
    func save(_ files: [ConfigurationText]) throws(SystemError) {
        let bytes = JSONWriter.bytes { json in
            json.object { json in
                json.member("version", Version.number)
                json.array("files") { json in
                    for file in files {
                        json.object { json in
                            json.member("path", file.path)
                            json.member("text", String(decoding: file.text, as: UTF8.self))
                        }
                    }
                }
            }
        }
        // An unreadable file is replaced.
        if let old = try? file.read(limit: Self.largest), old == bytes { return }
        try file.replace(with: bytes)
    }

    /// The files that were last kept; `nil` if there are none.
    /// - Throws: an error for the log, with the path and the problem.
    func load() throws(UnreadableState) -> [ConfigurationText]? {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try file.read(limit: Self.largest)
        } catch {
            throw UnreadableState(description: "\(error)")
        }
        guard let bytes else { return nil }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument.read(bytes, depth: 3, values: Self.mostValues)
        } catch {
            throw UnreadableState(description: "\(path): \(error)")
        }
        let files = (document.root["files"]?.array ?? []).compactMap { file -> ConfigurationText? in
            guard let path = file["path"]?.string, let text = file["text"]?.string else { return nil }
            return (path, Array(text.utf8))
        }
        guard !files.isEmpty else { throw UnreadableState(description: "\(path): it contains no files") }
        guard files.reduce(0, { $0 + $1.text.count }) <= ConfigurationFiles.largestTogether else {
            throw UnreadableState(description: "\(path): its files are too large")
        }
        return files
    }
}

/// The reason why the kept configuration cannot be used.
struct UnreadableState: Error, CustomStringConvertible {
    let description: String
}
