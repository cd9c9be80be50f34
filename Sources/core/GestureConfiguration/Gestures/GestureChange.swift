// SPDX-License-Identifier: MIT
package import GestureEngine
package import GestureProtocol

extension Configuration {
    /// The keys that `setting(_:to:ofGesture:in:)` accepts for a gesture; empty if there is no such region or gesture.
    package func keys(ofGesture name: String, in region: String) -> [Setting] {
        let rule = regions.first { $0.id == region }?.gestures.first { $0.name == name }
        return rule?.type.keys ?? []
    }

    /// Returns a copy with another value for one key of a gesture, as if the gesture's own table contained it.
    ///
    /// - Parameters:
    ///   - value: the value as in the configuration: `"5.6mm"`, `31.2`.
    ///   - name: the name of the gesture.
    /// - Returns: `nil` if there is no such region, gesture or key, or if the key does not accept the value.
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
        guard let value = key.shape.read(reader) else { return nil }
        var result = self
        result.regions[place].change {
            $0.gestures[gesture].overrides.append(GestureOverride(key: key.name, value: value))
        }
        return sink.hasErrors ? nil : result
    }
}
