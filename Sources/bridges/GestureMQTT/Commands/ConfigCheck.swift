// SPDX-License-Identifier: MIT
#if MQTT
import CLinux
import GestureClient
import GestureConfiguration
import GestureProtocol
import LinuxSystem

/// Decides whether a configuration from the broker may be applied. It is checked in a separate process, because
/// checking even a short text may take an arbitrarily long time.
///
/// The answer contains only facts that a client without the right `private` may know: the text is read as if there were
/// no private regions, and only mistakes in the text itself are reported.
enum ConfigCheck {
    /// The reason why a text may not be applied, as reported in the answer.
    struct Verdict {
        var code: String
        var message: String
        var diagnostics: [GestureClient.Diagnostic] = []
    }

    static let name = "check-config"
    /// A configuration of 1 MiB with 7500 regions takes 25 MiB. The program and the job together stay below
    /// `MemoryMax=` of the unit.
    private static let job = ChildJob(name, ChildJob.Limits(memory: 36 << 20, milliseconds: 5000, output: 65_536))
    /// The maximum number of diagnostics in an answer. The message contains the number of all errors.
    private static let mostDiagnostics = 50

    // MARK: starting the check

    /// Starts to check a text that is to replace a file, together with the daemon's other files.
    /// - Parameter completed: receives `nil` if there are no mistakes.
    static func start(
        _ text: [UInt8], as file: String, among files: [String], loop: EventLoop,
        completed: @escaping (Verdict?) -> Void
    ) throws(SystemError) -> BackgroundWork<(outcome: ChildJob.Outcome, output: [UInt8])> {
        let head = JSONWriter.line { json in
            json.member("file", file)
            json.member("files", files)
        }
        let input = try JobInput(head + text)
        let job = job
        return try BackgroundWork(loop: loop) {
            job.run(input)
        } completed: { result in
            completed(verdict(result.outcome, result.output))
        }
    }

    private static func verdict(_ outcome: ChildJob.Outcome, _ output: [UInt8]) -> Verdict? {
        if let complaint = job.complaint(outcome) {
            return Verdict(code: "config_invalid", message: "checking the configuration \(complaint)")
        }
        guard let json = JSONValue(parsing: output) else {
            return Verdict(code: "internal", message: "the configuration could not be checked")
        }
        guard !json.flag("ok") else { return nil }
        return Verdict(
            code: json.text("code"), message: json.text("message"),
            diagnostics: json.list("diagnostics").map { GestureClient.Diagnostic($0) })
    }

    // MARK: the process that checks

    static func run(_ input: [UInt8]) {
        let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
        guard let head = JSONValue(parsing: Array(input[..<end])) else { return }
        let change = Change(
            text: Array(input[end...].dropFirst()), file: head.text("file"), paths: head.texts("files"))
        JobProgram.write(
            JSONWriter.line { json in
                guard let fault = change.fault() else { return json.member("ok", true) }
                json.member("code", fault.code)
                json.member("message", fault.message)
                json.objects("diagnostics", fault.diagnostics) { $0.write(into: &$1) }
            })
    }

    /// The text to be checked, and the daemon's files.
    struct Change {
        private let text: [UInt8]
        private let file: String
        private let paths: [String]
        /// The paths of the file that is to be replaced. There may be two, because the path that the daemon uses may be
        /// a link.
        private let places: Set<String>

        init(text: [UInt8], file: String, paths: [String]) {
            self.text = text
            self.file = file
            self.paths = paths
            let real = Self.resolved(file)
            places = Set([file] + paths.filter { real != nil && Self.resolved($0) == real })
        }

        private static func resolved(_ path: String) -> String? {
            guard let real = realpath(path, nil) else { return nil }
            defer { free(real) }
            return String(cString: real)
        }

        struct Fault: Hashable {
            var code: String
            var message: String
            var diagnostics: [Diagnostic] = []
        }

        /// Returns the reason why the text may not be applied; `nil` if it may be.
        func fault() -> Fault? {
            var files: [ConfigurationText] = []
            for path in paths {
                guard let bytes = try? ConfigurationFiles.read(path) else {
                    return Fault(
                        code: "config_invalid",
                        message: "a file of the daemon's configuration cannot be read here; nothing has changed")
                }
                files.append((path, bytes))
            }
            let now = valid(files)
            guard let before = ConfigurationReader.read(now, needsVersion: !now.isEmpty).configuration else {
                return Fault(
                    code: "config_invalid",
                    message: "the configuration on the machine has errors; correct it there first")
            }
            let new = replaced(files)
            return fault(of: new, since: before, FleetKeys(now).changed(to: FleetKeys(new)))
        }

        /// Returns the files on the machine, without the one that is to be replaced if it has errors.
        private func valid(_ files: [ConfigurationText]) -> [ConfigurationText] {
            let isValid = ConfigurationReader.read(files, needsVersion: !files.isEmpty).configuration != nil
            return isValid ? files : files.filter { !places.contains($0.path) }
        }

        private func replaced(_ files: [ConfigurationText]) -> [ConfigurationText] {
            let result = files.map { places.contains($0.path) ? (path: $0.path, text: text) : $0 }
            return result.contains { places.contains($0.path) } ? result : result + [(path: file, text: text)]
        }

        /// - Parameter keys: the keys whose values differ in these files.
        private func fault(
            of files: [ConfigurationText], since before: Configuration, _ keys: [String]
        ) -> Fault? {
            let hidden = before.privateRegionIDs
            let shown = ConfigurationReader.read(files, needsVersion: !paths.isEmpty, hiding: hidden)
            let mistakes = shown.diagnostics.filter { $0.isError && places.contains($0.file) }
            guard mistakes.isEmpty else {
                return Fault(
                    code: "config_invalid", message: "\(counted(mistakes.count, "error")); nothing has changed",
                    diagnostics: Array(mistakes.prefix(mostDiagnostics)))
            }
            let whole = hidden.isEmpty ? shown : ConfigurationReader.read(files, needsVersion: !paths.isEmpty)
            guard let after = whole.configuration else {
                let isHere = whole.diagnostics.contains { $0.isError && places.contains($0.file) }
                return isHere
                    ? fault(in: .privateRegions)
                    : Fault(
                        code: "config_invalid",
                        message: "the configuration would cause errors in other files; nothing has changed")
            }
            if let part = before.protectedParts(changedBy: after).first { return fault(in: part) }
            return before.refusal(of: keys, changedBy: after).map {
                Fault(code: "permission_denied", message: "\($0); nothing has changed")
            }
        }

        private func fault(in part: ProtectedPart) -> Fault {
            Fault(code: "permission_denied", message: "\(part.name) on the machine only; nothing has changed")
        }
    }
}

extension ProtectedPart {
    fileprivate var name: String {
        switch self {
        case .access: "[access] may be changed"
        case .share: "share, and the [[device]] tables of panels that use it, may be changed"
        case .privateRegions: "private regions, and other regions that receive touches there, may be changed"
        }
    }
}
#endif
