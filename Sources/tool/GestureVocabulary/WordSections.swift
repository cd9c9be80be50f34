// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol

extension GeneratedFile {
    static let inspectorWords = GeneratedFile(
        "clients/web/inspector/words.js",
        sections: [
            MarkedSection(
                "reasons",
                GestureFailure.Code.words.compactMap { word in
                    GestureFailure.Code(word: word).map { "  \(word): \"\($0.phrase)\"," }
                })
        ])

    /// The words of files and requests that the fuzzers try.
    static let configurationDictionary = GeneratedFile(
        "Tests/Fuzz/Dictionaries/Configuration.dict", sections: [MarkedSection("kinds", GestureType.names.map(quoted))])
    static let requestDictionary = GeneratedFile(
        "Tests/Fuzz/Dictionaries/Requests.dict",
        sections: [MarkedSection("commands", CommandName.allCases.map { quoted($0.rawValue) })])

    private static func quoted(_ word: String) -> String { "\"\\\"\(word)\\\"\"" }
}
