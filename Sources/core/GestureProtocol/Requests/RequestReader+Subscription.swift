// SPDX-License-Identifier: MIT

extension RequestReader {
    static func readSubscription(_ arguments: RequestArguments) throws(RequestError) -> SubscriptionRequest {
        var request = SubscriptionRequest()
        if let events = try words("events", arguments, EventName.subscribable.map { ($0, "\($0.word)") }) {
            request.events = events
        }
        let phases = LinePhase.allCases.filter { $0 != .none }.map { ($0, "\($0.word)") }
        if let phases = try words("phases", arguments, phases) { request.phases = phases }
        request.regions = try globs("regions", arguments)
        request.devices = try globs("devices", arguments)
        request.gestures = try globs("gestures", arguments)
        request.names = try globs("names", arguments)
        request.maxRate = try arguments.number("max_rate_hz", in: 0.1...1000, "a number from 0.1 to 1000")
        request.maxAge =
            try arguments.integer("max_age_ms", in: 0...3_600_000, "an integer from 0 (no limit) to 3600000")
            ?? SubscriptionRequest.defaultMaxAge
        request.wallClock = try arguments.bool("wall_clock") ?? false
        return request
    }

    /// Reads a list of words, each of which must be in `known`.
    private static func words<Word: Hashable>(
        _ key: String, _ arguments: RequestArguments, _ known: [(Word, String)]
    ) throws(RequestError) -> Set<Word>? {
        guard let list = try arguments.array(key, atMost: ProtocolLimits.listEntries) else { return nil }
        var result: Set<Word> = []
        for value in list {
            guard let text = value.string else { throw arguments.wrong(key, "a list of strings") }
            guard let word = known.first(where: { $0.1 == text }) else {
                let allowed = known.map { $0.1 }
                let list = allowed.joined(separator: ", ")
                throw RequestError(
                    .badValue, "unknown value \"\(SafeText.excerpt(text))\" in \"\(key)\": use one of \(list)",
                    suggestion: Spelling.nearest(to: text, among: allowed))
            }
            result.insert(word.0)
        }
        return result
    }

    private static func globs(_ key: String, _ arguments: RequestArguments) throws(RequestError) -> [String]? {
        guard let list = try arguments.array(key, atMost: ProtocolLimits.listEntries) else { return nil }
        var result: [String] = []
        for value in list {
            guard let text = value.string, text.utf8.count <= ProtocolLimits.identifierBytes else {
                throw arguments.wrong(key, "a list of strings of at most \(ProtocolLimits.identifierBytes) bytes")
            }
            result.append(text)
        }
        return result
    }
}
