// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureProtocol

/// Which lines a replay prints: `gesture,failed,touches`.
struct ReplayEvents: ExpressibleByArgument, Hashable {
    /// Those that a replay can make.
    private static let known: [EventName] = [.gesture, .failed, .touches]

    var names: Set<EventName>

    init(_ names: Set<EventName>) {
        self.names = names
    }

    init?(argument: String) {
        names = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let name = Self.known.first(where: { "\($0.word)" == word }) else { return nil }
            names.insert(name)
        }
    }

    var defaultValueDescription: String { names.map { "\($0.word)" }.sorted().joined(separator: ",") }
    static var allValueStrings: [String] { known.map { "\($0.word)" } }
}
