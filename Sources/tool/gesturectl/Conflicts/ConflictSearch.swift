// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline

/// Searches the panels of a configuration for gestures that always lose the touches that are meant for them.
///
/// Touches are random, but depend only on the seed. A gesture that has won one touch is asked no more, so a search takes
/// long only for what is lost.
struct ConflictSearch {
    let configuration: Configuration
    let seed: UInt64
    /// Whether there is time for another touch.
    let hasTime: () -> Bool
    /// Called after each gesture, with the number of those that were searched in a scene, and of all in it.
    var report: (_ searched: Int, _ all: Int) -> Void = { _, _ in }

    private(set) var conflicts: [Conflict] = []
    /// The number of gestures that were searched.
    private(set) var gestures = 0
    /// The number of touches that were made for them.
    private(set) var touches = 0
    /// Whether the time sufficed.
    private(set) var isComplete = true

    init(_ configuration: Configuration, seed: UInt64, hasTime: @escaping () -> Bool) {
        (self.configuration, self.seed, self.hasTime) = (configuration, seed, hasTime)
    }

    /// Searches one panel in all scenes.
    mutating func search(_ rule: DeviceRule?) {
        var known = KnownWarnings(configuration, rule)
        let scenes = configuration.scenes.map { Optional($0.id) } + [nil]
        for scene in scenes {
            var runtime = configuration.runtime
            runtime.scene = scene ?? RuntimeState.defaultScene
            let stage = ConflictStage(configuration.applying(runtime), rule, scene: scene)
            search(stage, &known)
            touches += stage.touches
            guard isComplete else { break }
        }
        gestures += known.searched.count
        conflicts.sort { a, b in
            let (a, b) = (a.location, b.location)
            return (a.file, a.line, a.column) < (b.file, b.line, b.column)
        }
    }

    private mutating func search(_ stage: ConflictStage, _ known: inout KnownWarnings) {
        // In any order, so that a search that ends early has seen regions of all kinds.
        var random = SeededRandom(seed)
        let gestures = stage.gestures.shuffled(using: &random)
        for (number, gesture) in gestures.enumerated() where isComplete {
            for question in stage.questions(gesture.region, gesture.gesture, seed: seed) {
                guard known.leavesOpen(question, stage) else { continue }
                guard let answer = answer(question, stage) else {
                    isComplete = false
                    break
                }
                if answer.isWon, answer.subject == .ever { known.won.insert(answer.place) }
                guard answer.isLost || answer.isUnreachable else { continue }
                add(answer, stage, known)
                // A gesture that is never recognized is not recognized in any manner.
                if answer.subject == .ever { break }
            }
            report(number + 1, gestures.count)
        }
    }

    /// - Returns: `nil` if the time was over before.
    private func answer(_ question: ConflictQuestion, _ stage: ConflictStage) -> ConflictQuestion? {
        var question = question
        while question.isOpen {
            guard hasTime() else { return nil }
            question.ask(stage)
        }
        return question
    }

    private mutating func add(_ question: ConflictQuestion, _ stage: ConflictStage, _ known: KnownWarnings) {
        guard let finding = ConflictFinding(question, stage),
            !known.includes(finding.verdict.rule, about: question.place),
            !conflicts.contains(where: { $0.isSubject(of: finding) })
        else { return }
        var conflict = finding.conflict(stage, at: known.location(of: question.place))
        // The rows of a list have the same conflict, and so have the gestures of a region.
        if let same = conflicts.firstIndex(where: { $0.isLike(conflict) }) {
            let label = stage.label(conflict.loser)
            if !conflicts[same].alike.contains(label) { conflicts[same].alike.append(label) }
            return
        }
        conflict.touch = finding.smallest(stage, hasTime)
        conflict.cure = ConflictCure(finding, stage, seed: seed, hasTime: hasTime).text
        conflicts.append(conflict)
    }
}

/// The warnings about a panel that are known before touches are played, and the gestures that were searched.
private struct KnownWarnings {
    private let rules: [String: RegionRule]
    /// The places of warnings that say that something has no effect.
    private let warned: Set<SourceLocation>
    private let hasScenes: Bool
    /// The regions of the scenes that were searched.
    private var shown: Set<String> = []
    /// The gestures that were recognized in one of these scenes.
    var won: Set<GesturePlace> = []
    private(set) var searched: Set<GesturePlace> = []

    init(_ configuration: Configuration, _ rule: DeviceRule?) {
        rules = Dictionary(configuration.regions.map { ($0.id, $0) }) { $1 }
        hasScenes = !configuration.scenes.isEmpty
        let warnings = PanelSetup(nominal: configuration, rule: rule).diagnostics
        warned = Set(warnings.filter { [.neverHit, .noEffect, .tooLong].contains($0.code) }.map(\.location))
    }

    /// Whether a question has no answer yet. In the scene that has all regions, regions of other scenes may lie above
    /// each other, because they are not meant to be on together.
    mutating func leavesOpen(_ question: ConflictQuestion, _ stage: ConflictStage) -> Bool {
        searched.insert(question.place)
        let region = question.place.region
        if let rule = rules[region], warned.contains(rule.shapeLocation) { return false }
        if stage.scene != nil {
            shown.insert(region)
        } else if hasScenes {
            return question.subject == .ever ? !won.contains(question.place) : !shown.contains(region)
        }
        return true
    }

    func location(of place: GesturePlace) -> SourceLocation {
        let rule = rules[place.region]
        return rule?.gestures.first { $0.name == place.gesture }?.location ?? rule?.location
            ?? SourceLocation(file: place.region)
    }

    /// Whether the check without touches has said the same.
    func includes(_ rule: ConflictRule, about place: GesturePlace) -> Bool {
        [.unreachable, .unless].contains(rule) && warned.contains(location(of: place))
    }
}
