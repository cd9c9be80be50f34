// SPDX-License-Identifier: MIT
package import GestureClient
package import GestureConfiguration
import GestureProtocol

extension KeysSettings {
    /// Whether `gestured-keys` receives the gestures of private regions.
    package enum PrivateRegions: Hashable, Sendable {
        case seen, hidden, unknown
    }

    /// Returns warnings about bindings that no gesture can trigger.
    /// - Parameters:
    ///   - regions: the regions of all panels.
    ///   - scenes: the scenes; `nil` if they are unknown.
    package func warnings(
        regions: [GestureClient.Region], scenes: [String]?, privateRegions: PrivateRegions
    ) -> [Diagnostic] {
        var check = BindingCheck(regions: regions, scenes: scenes, privateRegions: privateRegions)
        return bindings.compactMap { check.warning(about: $0) }
    }
}

/// Compares bindings, in their order, with the gestures that there are.
private struct BindingCheck {
    let regions: [GestureClient.Region]
    let scenes: [String]?
    let privateRegions: KeysSettings.PrivateRegions
    /// The bindings so far that apply in every scene.
    private var earlier: [Rule] = []

    init(
        regions: [GestureClient.Region], scenes: [String]?, privateRegions: KeysSettings.PrivateRegions
    ) {
        (self.regions, self.scenes, self.privateRegions) = (regions, scenes, privateRegions)
    }

    mutating func warning(about binding: Binding) -> Diagnostic? {
        let rule = Rule(binding)
        defer { if binding.scenes == nil { earlier.append(rule) } }
        guard let (code, message, suggestion) = problem(of: binding, rule) else { return nil }
        return Diagnostic(
            severity: .warning, code: code, message: "this binding never applies: " + message, suggestion: suggestion,
            at: binding.location)
    }

    private typealias Problem = (code: DiagnosticCode, message: String, suggestion: String?)

    private func problem(of binding: Binding, _ rule: Rule) -> Problem? {
        if let scenes, !scenes.contains(where: { rule.matches(scene: $0) }) {
            let word = binding.scenes?.first ?? ""
            return (.unmatched, "there is no scene \"\(word)\"", nearest(word, scenes))
        }
        let selected = regions.filter {
            rule.matches(region: $0.id) && ($0.device.isEmpty || rule.matches(device: $0.device))
        }
        guard !selected.isEmpty else { return noRegion(binding) }
        let matching = selected.flatMap { region in
            region.gestures.filter { rule.matches(kind: $0.kind, name: $0.name) }.map { (region, $0) }
        }
        guard !matching.isEmpty else {
            let word = binding.gestures[0]
            let gestures = selected.flatMap { $0.gestures }
            return (
                .unmatched, "no gesture of its regions has the name or the kind \"\(word)\"",
                nearest(word, gestures.flatMap { [$0.name, $0.kind.rawValue] })
            )
        }
        if privateRegions == .hidden, matching.allSatisfy({ $0.0.isPrivate }) {
            return (
                .noEffect,
                "its regions are private; add \"\(KeysSettings.user)\" to private_uids of [access] in the daemon's configuration",
                nil
            )
        }
        let isTaken = matching.allSatisfy { region, gesture in
            earlier.contains {
                $0.matches(region: region.id, kind: gesture.kind, name: gesture.name)
                    && $0.matches(device: region.device)
            }
        }
        if isTaken { return (.noEffect, "an earlier binding applies to all of its gestures", nil) }
        return unsuitable(binding.action, matching.map { $0.1.kind })
    }

    private func noRegion(_ binding: Binding) -> Problem {
        let hint = privateRegions == .hidden ? "; a private region needs the right private (private_uids)" : ""
        guard let word = binding.regions?.first, !regions.isEmpty else {
            return (.unmatched, "there is no region of its panels" + hint, nil)
        }
        return (.unmatched, "there is no region \"\(word)\"" + hint, nearest(word, regions.map { $0.id }))
    }

    private func unsuitable(_ action: Binding.Action, _ kinds: [GestureClient.Gesture.Kind]) -> Problem? {
        switch action {
        case .wheel where !kinds.contains(.drag): (.noEffect, "wheel needs a drag; use keys for other gestures", nil)
        case .hold where !kinds.contains(where: \.isContinuous):
            (.noEffect, "hold only presses and releases here: none of these gestures has a duration", nil)
        case .keys, .click, .hold, .wheel: nil
        }
    }

    private func nearest(_ word: String, _ names: [String]) -> String? {
        Spelling.nearest(to: word, among: names, ignoringCase: true)
    }
}
