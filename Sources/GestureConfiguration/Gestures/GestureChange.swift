// SPDX-License-Identifier: MIT
package import GestureProtocol

extension Configuration {
    /// The same with another value for one key of a gesture, as if the gesture's own table had it.
    ///
    /// - Parameters:
    ///   - value: as the configuration has it: `"5.6mm"`, `31.2`.
    ///   - name: of the gesture.
    /// - Returns: `nil` when there is no such region, gesture or key, or the key does not take the value.
    package func setting(
        _ key: String, to value: JSONValue, ofGesture name: String, in region: String
    ) -> Configuration? {
        guard let place = regions.firstIndex(where: { $0.id == region }),
            let gesture = regions[place].gestures.firstIndex(where: { $0.name == name }),
            let key = regions[place].gestures[gesture].type.keys.first(where: { $0.name == key })
        else { return nil }
        let sink = DiagnosticSink(files: [])
        let reader = ValueReader(
            key.name, ConfigurationValue(value, at: SourceRange(file: 0, line: 1, column: 1)), sink)
        var result = self
        result.regions[place].change { key.read(reader, &$0.gestures[gesture].overrides) }
        return sink.hasErrors ? nil : result
    }
}
