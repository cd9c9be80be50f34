// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import GestureProtocol
import LinuxSystem

/// The memories of panels, kept for the next process, so that a crash ends no lockout.
///
/// It is a `RuntimeFile`, so its times always refer to the monotonic clock of the current boot.
final class KeptPanels {
    /// The maximum number of patterns. More have no lockout after a crash.
    private static let mostPatterns = 256
    /// The maximum size of the file in bytes. A pattern has two names of at most 128 bytes, of which JSON escapes make
    /// six times as many.
    private static let largest = 1 << 20

    private let file = RuntimeFile.panels.file
    /// Whether there is something to remove.
    private var isStored = false

    /// Stores the memories of panels, by key.
    func save(_ panels: [String: PanelMemories.Memory], at now: Int64) throws(SystemError) {
        guard let file else { return }
        let lasting = panels.filter { $0.value.isGivenBack || $0.value.hasWrongSteps(at: now) }
        guard !lasting.isEmpty else {
            // A folder in the file's place stays, and has been reported.
            if isStored { try? file.remove() }
            isStored = false
            return
        }
        isStored = true
        var left = Self.mostPatterns
        try file.replace(
            with: JSONWriter.line { json in
                json.array("panels") { json in
                    for (key, memory) in lasting {
                        json.object { Self.write(memory, of: key, at: now, &left, into: &$0) }
                    }
                }
            })
    }

    private static func write(
        _ memory: PanelMemories.Memory, of key: String, at now: Int64, _ left: inout Int, into json: inout JSONWriter
    ) {
        json.member("panel", key)
        json.member("given_back", memory.isGivenBack)
        json.array("patterns") { json in
            for (pattern, wrong) in memory.pipeline.wrongSteps where wrong.end.microseconds > now && left > 0 {
                left -= 1
                json.object { json in
                    json.member("region", pattern.region)
                    json.member("gesture", pattern.gesture)
                    json.member("wrong", Int64(wrong.count))
                    json.member("latest_us", wrong.latest.microseconds)
                    json.member("end_us", wrong.end.microseconds)
                }
            }
        }
    }

    /// The memories that the previous process has stored.
    /// - Throws: an error for the log, with the path and the problem.
    func load(at now: Int64) throws(UnreadableState) -> [String: PanelMemories.Memory] {
        guard let file else { return [:] }
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try file.read(limit: Self.largest)
        } catch {
            isStored = true
            throw UnreadableState(description: "\(error)")
        }
        guard let bytes else { return [:] }
        isStored = true
        guard let list = JSONValue(parsing: bytes)?["panels"]?.array else {
            throw UnreadableState(description: "\(file.path): it is not a list of panels")
        }
        var panels: [String: PanelMemories.Memory] = [:]
        for entry in list.prefix(PanelMemories.most) {
            guard let key = entry["panel"]?.string, let memory = Self.memory(entry, at: now) else {
                throw UnreadableState(description: "\(file.path): it contains something other than panels")
            }
            panels[key] = memory
        }
        return panels
    }

    private static func memory(_ entry: JSONValue, at now: Int64) -> PanelMemories.Memory? {
        guard let isGivenBack = entry["given_back"]?.bool, let patterns = entry["patterns"]?.array else { return nil }
        var memory = PanelMemories.Memory(isGivenBack: isGivenBack)
        for pattern in patterns.prefix(mostPatterns) {
            guard let region = pattern["region"]?.string, let gesture = pattern["gesture"]?.string,
                let count = pattern["wrong"]?.integer, (1...1000).contains(count),
                let latest = pattern["latest_us"]?.integer, (0...now).contains(latest),
                let end = pattern["end_us"]?.integer, end >= latest
            else { return nil }
            memory.pipeline.wrongSteps[PatternKey(region: region, gesture: gesture)] = WrongSteps(
                count: Int(count), latest: Timestamp(microseconds: latest), end: Timestamp(microseconds: end))
        }
        return memory
    }
}

extension PanelMemories.Memory {
    fileprivate func hasWrongSteps(at now: Int64) -> Bool {
        pipeline.wrongSteps.contains { $0.value.end.microseconds > now }
    }
}
