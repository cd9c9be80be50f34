// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import GestureProtocol
import LinuxSystem

/// The memories of panels, kept for the next process, so that a crash ends no lockout.
struct KeptPanels {
    /// The maximum number of patterns. More have no lockout after a crash.
    private static let mostPatterns = 256
    static let mostValues = 2 + PanelMemories.most * 5 + mostPatterns * 6

    private let file = KeptFile(.panels)

    /// Stores the memories of panels, by key.
    func save(_ panels: [String: PanelMemories.Memory], at now: Int64) throws(SystemError) {
        guard let file else { return }
        let lasting = panels.filter { $0.value.isGivenBack || $0.value.hasWrongSteps(at: now) }
        guard !lasting.isEmpty else { return try file.keep(nil) }
        var left = Self.mostPatterns
        try file.keep(
            JSONWriter.line { json in
                json.array("panels") { json in
                    for (key, memory) in lasting.prefix(PanelMemories.most) {
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
    func load(at now: Int64) throws(UnreadableState) -> [String: PanelMemories.Memory] {
        try file?.read("a list of panels") { json in
            guard let list = json["panels"]?.array else { return nil }
            var panels: [String: PanelMemories.Memory] = [:]
            for entry in list.prefix(PanelMemories.most) {
                guard let key = entry["panel"]?.string, let memory = Self.memory(entry, at: now) else { return nil }
                panels[key] = memory
            }
            return panels
        } ?? [:]
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
