// SPDX-License-Identifier: MIT
import GestureClient
package import GestureConfiguration
import GestureProtocol

extension KeysSettings {
    /// Returns warnings about bindings that no gesture can trigger.
    package func warnings(in context: BindingContext) -> [Diagnostic] {
        var check = BindingCheck(context: context)
        return bindings.compactMap { check.warning(about: $0) }
    }
}

/// Compares bindings, in their order, with the gestures that there are.
private struct BindingCheck {
    let context: BindingContext
    private var earlier: [Rule] = []

    init(context: BindingContext) { self.context = context }

    private struct Problem {
        var code = DiagnosticCode.unmatched
        var message: String
        var suggestion: String?
    }

    /// A gesture that has the name or the kind of the binding.
    private struct Match {
        let region: GestureClient.Region
        let gesture: GestureClient.RegionGesture
    }

    mutating func warning(about binding: Binding) -> Diagnostic? {
        let rule = Rule(binding)
        defer { earlier.append(rule) }
        guard let problem = problem(of: binding, rule) else { return nil }
        return Diagnostic(
            severity: .warning, code: problem.code, message: problem.message, suggestion: problem.suggestion,
            at: binding.location)
    }

    /// Narrows down what the binding asks for. The cause is the first condition that nothing meets.
    private func problem(of binding: Binding, _ rule: Rule) -> Problem? {
        let scenes = context.scenes.filter { rule.matches(scene: $0.id) }
        guard !scenes.isEmpty else { return missing("scene", binding.scenes ?? [], context.scenes.map { $0.id }) }
        if let problem = panelProblem(of: binding) { return problem }
        guard context.isFromFiles || context.panels.contains(where: { $0.problem == nil }) else {
            return never(.unmatched, "no panel is ready; see gesturectl devices")
        }
        let named = context.regions.filter { rule.matches(region: $0.id) && rule.admits(isLeased: $0.isLeased) }
        guard !named.isEmpty else { return regionProblem(of: binding, rule) }
        let regions = named.compactMap { region in
            panel(region.device, of: binding).map { name in
                var region = region
                region.device = name
                return region
            }
        }
        guard !regions.isEmpty else { return elsewhere(named, binding) }
        let matches = regions.flatMap { region in
            region.gestures.filter { rule.matches(kind: $0.kind, name: $0.name) }.map {
                Match(region: region, gesture: $0)
            }
        }
        guard !matches.isEmpty else { return gestureProblem(of: binding, regions.flatMap { $0.gestures }) }
        let shown = matches.filter { match in scenes.contains { $0.has(match.region.id) } }
        guard !shown.isEmpty else { return off(matches, binding.scenes ?? scenes.map { $0.id }) }
        let open = context.privateRegions == .hidden ? shown.filter { !$0.region.isPrivate } : shown
        guard !open.isEmpty else {
            return never(
                .noEffect,
                "its regions are private; add \"\(KeysSettings.user)\" to private_uids of [access] in the daemon's configuration"
            )
        }
        let free = open.lazy.filter { !isTaken($0, in: scenes) }
        guard !free.isEmpty else { return never(.noEffect, "an earlier binding applies to all of its gestures") }
        return unsuitable(binding.action, free.map { $0.gesture.kind })
            ?? endless(binding.action, free.map { $0.region.device })
    }

    /// Returns a warning about a wheel that runs on when a finger lands, because no line says so.
    private func endless(_ action: Binding.Action, _ panels: some Sequence<String>) -> Problem? {
        guard action.hasMomentum else { return nil }
        let stopped = Set(context.regions.filter { $0.gestures.contains { $0.kind == .press } }.map { $0.device })
        guard let panel = panels.first(where: { !stopped.contains($0) }) else { return nil }
        return Problem(
            code: .noEffect,
            message:
                "a finger that lands does not stop the wheel: no region of panel \"\(panel)\" has a press; add one with "
                + "shape = \"full\" and pass = true")
    }

    /// Whether earlier bindings apply to the gesture in each of these scenes in which its region is on.
    private func isTaken(_ match: Match, in scenes: [BindingContext.Scene]) -> Bool {
        let (region, gesture) = (match.region, match.gesture)
        let rules = earlier.filter {
            $0.matches(region: region.id, kind: gesture.kind, name: gesture.name) && $0.matches(device: region.device)
                && $0.admits(isLeased: region.isLeased)
        }
        return scenes.allSatisfy { scene in !scene.has(region.id) || rules.contains { $0.matches(scene: scene.id) } }
    }

    // MARK: Panels

    /// Returns the name of a panel for which the binding applies there; `nil` if it does not.
    private func panel(_ id: String, of binding: Binding) -> String? {
        guard let words = binding.devices, !words.contains(where: { Glob($0).matches(id) }) else { return id }
        guard context.isFromFiles else { return nil }
        return words.first { mayBeUnnamed($0) || Glob(String($0.prefix { $0 != "@" })).matches(id) }
    }

    /// Whether a panel without a `[[device]]`, which is named after its node, may match a glob.
    private func mayBeUnnamed(_ word: String) -> Bool {
        context.isFromFiles && (word.hasPrefix("event") || Glob(word).matches("event0"))
    }

    private func panelProblem(of binding: Binding) -> Problem? {
        guard let words = binding.devices else { return nil }
        let panels = context.panels.filter { panel($0.id, of: binding) != nil }
        if let problem = panels.first?.problem, panels.allSatisfy({ $0.problem != nil }) {
            return never(.unmatched, "panel \"\(panels[0].id)\" cannot be used: \(problem)")
        }
        guard panels.isEmpty, !words.contains(where: mayBeUnnamed) else { return nil }
        return missing(context.isFromFiles ? "panel" : "connected panel", words, context.panels.map { $0.id })
    }

    // MARK: Regions

    private func regionProblem(of binding: Binding, _ rule: Rule) -> Problem {
        if let leased = context.regions.first(where: { rule.matches(region: $0.id) }) {
            return never(
                .noEffect, "a client has defined region \"\(leased.id)\"; add leased = true if its name may be trusted")
        }
        if let stray = context.strayRegions.first(where: { rule.matches(region: $0) }) {
            return never(
                .unmatched,
                "region \"\(stray)\" is on no panel; see its device, and ignore of [[device]], in the daemon's configuration"
            )
        }
        var problem = missing("region", binding.regions ?? [], context.regions.map { $0.id } + context.strayRegions)
        if problem.suggestion == nil, !context.showsPrivate {
            problem.message += "; a private region is listed only with the right private (private_uids)"
        }
        return problem
    }

    private func elsewhere(_ regions: [GestureClient.Region], _ binding: Binding) -> Problem {
        guard let words = binding.regions else {
            return never(.unmatched, "there is no region on panel \(list(binding.devices ?? []))")
        }
        return never(.unmatched, "region \(list(words)) is only on panel \(list(regions.map { $0.device }, "and"))")
    }

    private func off(_ matches: [Match], _ scenes: [String]) -> Problem {
        let regions = matches.map { $0.region.id }
        let subject = Set(regions).count == 1 ? "region \"\(regions[0])\" is" : "its regions are"
        return never(.noEffect, "\(subject) off in scene \(list(scenes))")
    }

    // MARK: Gestures

    private func gestureProblem(of binding: Binding, _ gestures: [GestureClient.RegionGesture]) -> Problem {
        let names = gestures.flatMap { [$0.name, $0.kind.rawValue] }
        return never(
            .unmatched, "no gesture of its regions has the name or the kind \(list(binding.gestures))",
            suggestion: nearest(binding.gestures, names))
    }

    private func unsuitable(
        _ action: Binding.Action, _ kinds: some Sequence<GestureClient.Gesture.Kind>
    ) -> Problem? {
        switch action {
        case .wheel where !kinds.contains(.drag): never(.noEffect, "wheel needs a drag; use keys for other gestures")
        case .steps where !kinds.contains(.dial): never(.noEffect, "steps needs a dial; use keys for other gestures")
        case .hold where !kinds.contains(where: \.isContinuous):
            Problem(
                code: .noEffect,
                message:
                    "hold of this binding presses and releases at once, because none of its gestures has a duration; "
                    + "use keys"
            )
        case .keys, .click, .hold, .wheel, .steps: nil
        }
    }

    // MARK: Words

    private func never(_ code: DiagnosticCode, _ cause: String, suggestion: String? = nil) -> Problem {
        Problem(code: code, message: "no gesture triggers this binding: " + cause, suggestion: suggestion)
    }

    private func missing(_ kind: String, _ words: [String], _ names: [String]) -> Problem {
        let name = words.isEmpty ? "" : " " + list(words)
        return never(.unmatched, "there is no \(kind)\(name)", suggestion: nearest(words, names))
    }

    private func list(_ words: [String], _ last: String = "or") -> String {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }.map { "\"\($0)\"" }.joined(separator: " \(last) ")
    }

    private func nearest(_ words: [String], _ names: [String]) -> String? {
        words.lazy.compactMap { Spelling.nearest(to: $0, among: names, ignoringCase: true) }.first
    }
}
