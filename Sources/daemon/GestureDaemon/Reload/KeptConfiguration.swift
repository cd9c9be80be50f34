// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem

/// The last accepted configuration files, which are kept in case the files are refused at the next start.
struct KeptConfiguration: Sendable {
    /// The maximum size of a file written by `save`. JSON escapes take at most three bytes for each byte of a text, and
    /// a path has at most 4096 bytes.
    static let largest = 3 * ConfigurationFiles.largestTogether + mostFiles * (3 * 4096 + 32)
    /// The maximum number of files: the file of `--config`, and the files of a directory.
    private static let mostFiles = 1 + ConfigurationFiles.mostFiles
    /// The maximum number of JSON values written by `save`: an object and two strings for each file, and the two values
    /// around them.
    static let mostValues = 3 * mostFiles + 2

    private let file: KeptFile

    var path: String { file.path }

    /// Creates the storage.
    /// - Parameter folder: the folder of the daemon's state; with `nil`, nothing is kept.
    init?(folder: String?) {
        guard let file = KeptFile(.configuration, in: folder) else { return nil }
        self.file = file
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
        if let old = try? file.read(), old == bytes { return }
        try file.keep(bytes)
    }

    /// The files that were last kept; `nil` if there are none.
    func load() throws(UnreadableState) -> [ConfigurationText]? {
        try file.read("a list of configuration files") { json in
            let files = (json["files"]?.array ?? []).compactMap { file -> ConfigurationText? in
                guard let path = file["path"]?.string, let text = file["text"]?.string else { return nil }
                return (path, Array(text.utf8))
            }
            let size = files.reduce(0) { $0 + $1.text.count }
            return files.isEmpty || size > ConfigurationFiles.largestTogether ? nil : files
        }
    }
}
