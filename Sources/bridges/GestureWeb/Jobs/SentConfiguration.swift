// SPDX-License-Identifier: MIT
#if Web
import CLinux
import GestureConfiguration
import GestureProtocol
import LinuxSystem

/// The files of a configuration, sent by a page or read by the daemon.
struct SentConfiguration {
    /// The maximum length of a path in bytes, which is that of the kernel. There must be a limit, because each
    /// diagnostic repeats the path.
    private static let longestPath = 4096

    private var files: [(path: String, text: [UInt8])]

    /// Reads one text, or a list of `{"path":…,"text":…}`.
    /// - Returns: `nil` for anything else, and if a file is larger than the daemon accepts.
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

    /// Reads the files of the daemon's current configuration.
    /// - Parameter arguments: the arguments of `WebJob.files`.
    /// - Throws: an error if the bridge may not read the files, or if they contain private regions that it may not see.
    init(running arguments: [String]) throws(RequestError) {
        files = []
        do throws(ConfigurationFileError) {
            for path in arguments.dropFirst() {
                if let text = try ConfigurationFiles.read(path) { files.append((path, text)) }
            }
        } catch {
            throw RequestError(
                .permissionDenied, "the bridge cannot read \(error); let its user \(Self.user) read this file")
        }
        guard isSmall else { throw RequestError(.busy, "the configuration is too large for the bridge") }
        guard arguments.first != "private" else { return }
        // If the configuration has errors, it may have private regions.
        let configuration = read().configuration
        guard configuration?.hasPrivateRegions != false else { return }
        throw RequestError(
            .permissionDenied,
            "the configuration \(configuration == nil ? "has errors and may have" : "has") private regions, which the user "
                + "\(Self.user) may not see; add \"\(Self.user)\" to private_uids "
                + Rights.remedy(in: files.map(\.path)))
    }

    /// The user of the bridge.
    private static var user: String { Users.name(of: geteuid()) ?? "\(geteuid())" }

    /// The files as `{"files":[{"path":…,"text":…}]}`.
    var json: [UInt8] {
        JSONWriter.line { json in
            json.objects("files", files) { file, json in
                json.member("path", file.path)
                json.member("text", String(decoding: file.text, as: UTF8.self))
            }
        }
    }

    func read() -> (configuration: Configuration?, diagnostics: [Diagnostic]) { ConfigurationReader.read(files) }
}
#endif
