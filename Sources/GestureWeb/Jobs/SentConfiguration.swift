// SPDX-License-Identifier: MIT
#if Web
import GestureConfiguration
import GestureProtocol
import LinuxSystem

/// The files of a configuration that a page has sent, or that the daemon reads.
struct SentConfiguration {
    /// Bytes, as of a path for the kernel. Each diagnostic repeats it.
    private static let longestPath = 4096

    private var files: [(path: String, text: [UInt8])]

    /// One text, or a list of `{"path":…,"text":…}`.
    /// - Returns: `nil` for anything else, and for more than the daemon reads.
    init?(_ value: JSONValue) {
        if let text = value.string {
            files = [("gestured.toml", Array(text.utf8))]
        } else if let list = value.array {
            files = list.compactMap { file in
                guard let path = file["path"]?.string, path.utf8.count <= Self.longestPath,
                    let text = file["text"]?.string
                else { return nil }
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

    /// Reads the files of the configuration in force.
    /// - Parameter arguments: those of `WebJob.files`.
    /// - Throws: if the bridge may not read them, or may not see what is private in them.
    init(running arguments: [String]) throws(RequestError) {
        files = []
        do throws(ConfigurationFileError) {
            for path in arguments.dropFirst() {
                if let text = try ConfigurationFiles.read(path) { files.append((path, text)) }
            }
        } catch {
            throw RequestError(.permissionDenied, "the bridge cannot read \(error)")
        }
        guard isSmall else { throw RequestError(.busy, "the configuration is larger than the bridge reads") }
        guard arguments.first == "private" || !mayHidePrivate else {
            throw RequestError(
                .permissionDenied,
                "there are private regions in the configuration: add the bridge's user to private_uids in [access]")
        }
    }

    /// `{"files":[{"path":…,"text":…}]}`
    var json: [UInt8] {
        JSONWriter.line { json in
            json.objects("files", files) { file, json in
                json.member("path", file.path)
                json.member("text", String(decoding: file.text, as: UTF8.self))
            }
        }
    }

    func read() -> (configuration: Configuration?, diagnostics: [Diagnostic]) { ConfigurationReader.read(files) }

    /// Whether there may be private regions in it. A text with a mistake does not tell.
    private var mayHidePrivate: Bool {
        read().configuration?.hasPrivateRegions ?? true
    }
}
#endif
