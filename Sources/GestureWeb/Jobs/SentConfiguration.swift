// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureProtocol
import LinuxSystem

/// The files of a configuration that a page has sent, or that the daemon reads.
struct SentConfiguration: Sendable {
    var files: [(path: String, text: [UInt8])]

    /// One text, or a list of `{"path":…,"text":…}`.
    /// - Returns: `nil` for anything else, and for more than the daemon reads.
    init?(_ value: JSONValue) {
        if let text = value.string {
            files = [("gestured.toml", Array(text.utf8))]
        } else if let list = value.array {
            files = list.compactMap { file in
                guard let path = file["path"]?.string, let text = file["text"]?.string else { return nil }
                return (path, Array(text.utf8))
            }
            guard files.count == list.count, files.count <= ConfigurationFiles.mostFiles else { return nil }
        } else {
            return nil
        }
        guard isSmall else { return nil }
    }

    init?(text: [UInt8]) {
        files = [("gestured.toml", text)]
        guard isSmall else { return nil }
    }

    private var isSmall: Bool {
        files.allSatisfy { $0.text.count <= ConfigurationFiles.largestFile }
            && files.reduce(0) { $0 + $1.text.count } <= ConfigurationFiles.largestTogether
    }

    /// Those that the daemon has read, as far as the bridge may.
    /// - Throws: the error of the first file that it may not read.
    init(paths: [String]) throws(ConfigurationFileError) {
        files = []
        for path in paths {
            if let text = try ConfigurationFiles.read(path) { files.append((path, text)) }
        }
    }

    func read() -> (configuration: Configuration?, diagnostics: [Diagnostic]) { ConfigurationReader.read(files) }

    /// Whether there may be private regions in it. A text with a mistake does not tell.
    var mayHidePrivate: Bool {
        guard let configuration = read().configuration else { return true }
        return !configuration.privateRegionIDs.isEmpty
    }
}
