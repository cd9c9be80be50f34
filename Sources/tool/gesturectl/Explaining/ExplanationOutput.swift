// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import TouchSharing

/// Explains the daemon's lines in the form that the user chose: as paragraphs and a summary, or as lines of JSON.
struct ExplanationOutput {
    /// The gestures to explain.
    let filter: EventFilter
    let table: TableOptions
    let isJSON: Bool
    /// The number of touches that are shown.
    let limit: Int
    /// Formats the time of a line.
    let time: (Int64) -> String
    var collector = ExplanationCollector()
    /// Returns a search that replays touches; `nil`: they were not recorded, so remedies are derived from
    /// measured values.
    var search: (Explanation) -> CureSearch? = { _ in nil }
    /// Returns the settings of a touch's panel; `nil`: they are not known.
    var setup: (Explanation) -> PanelSetup? = { _ in nil }
    var summary = ExplanationSummary()
    /// The last touch that was shown.
    private(set) var last: Touch?
    var colors: Colors { table.colors.colors }

    /// The touch that several paragraphs are about.
    struct Touch: Hashable {
        let device: String
        let time: Int64
        /// Whether its owner has recognized more than a press.
        let isRecognized: Bool
    }

    /// Whether all touches have been shown, and nothing more can come of the last one.
    var isFull: Bool {
        guard shown >= limit else { return false }
        return !(last.map { collector.isOpen($0.device, since: $0.time) } ?? false)
    }

    private var shown: Int { summary.touches + summary.lost + summary.ignored }

    mutating func take(_ event: StoryEvent) { show(collector.take(event)) }

    /// - Parameter now: the time; `.max`: no more lines will come.
    mutating func advance(to now: Int64) { show(collector.advance(to: now)) }

    private mutating func show(_ explanations: [Explanation]) {
        var quiet: [Explanation] = []
        for explanation in explanations {
            guard var explanation = filter.apply(explanation) else { continue }
            let isOfLast = last?.device == explanation.device && last?.time == explanation.time
            guard isOfLast || shown < limit else { continue }
            addRemedies(to: &explanation)
            findLifts(of: &explanation)
            summary.add(explanation)
            if !isOfLast || explanation.role == .owner {
                last = Touch(
                    device: explanation.device, time: explanation.time, isRecognized: explanation.isRecognized)
            }
            guard !isJSON else {
                StandardOutput.write(explanation.line)
                continue
            }
            if isOfLast, last?.isRecognized == true, explanation.isFarFromAll {
                quiet.append(explanation)
                continue
            }
            tell(&quiet)
            StandardOutput.write(text(explanation))
        }
        tell(&quiet)
    }

    /// Prints a line about the ancestors of a touch of which no gesture was nearly made.
    private func tell(_ quiet: inout [Explanation]) {
        defer { quiet = [] }
        guard let first = quiet.first else { return }
        let regions = quiet.compactMap(\.region).map { colors.paint($0, .bold) }.joined(separator: ", ")
        StandardOutput.write(colors.paint(time(first.time), .dim) + "  \(regions): nothing near\n")
    }

    /// Removes all lifts except the nearest one within `min_gap` of the application, which has made the contact a bounce.
    private func findLifts(of explanation: inout Explanation) {
        let gap = setup(explanation)?.application.minGap?.microseconds ?? .max
        for index in explanation.contacts.indices where !explanation.contacts[index].lifts.isEmpty {
            let lifts = explanation.contacts[index].lifts.filter { $0.time < gap }
            explanation.contacts[index].lifts = Array(lifts.sorted { $0.length < $1.length }.prefix(1))
        }
    }

    private func addRemedies(to explanation: inout Explanation) {
        let misses = explanation.failed.filter {
            FailureCure($0)?.mayHelp == true && !($0.isLowScore && explanation.wasOther(than: $0))
        }
        guard !misses.isEmpty else { return }
        let search = search(explanation)
        for failure in misses {
            if let search {
                explanation.remedies[failure] = search.remedy(
                    for: failure, from: explanation.time, to: explanation.lastTime)
            } else if let cure = FailureCure(failure), let need = cure.measured, let limit = cure.limit {
                explanation.remedies[failure] = .measured(need, limit.side)
            }
        }
    }

    /// Prints the summary, except as JSON.
    func end() {
        let text = isJSON ? "" : summary.text(withLegend: !table.noLegend, colors: colors, in: StandardOutput.layout)
        if !text.isEmpty { StandardOutput.write("\n" + text) }
    }
}

extension Explanation {
    /// Whether more than a press was recognized.
    fileprivate var isRecognized: Bool {
        recognized.contains { $0.kind != GestureClient.Gesture.Kind.press.rawValue && $0.cancelled == nil }
    }

    /// Whether an ancestor recognized nothing, and each of its gestures missed a limit by far.
    fileprivate var isFarFromAll: Bool {
        role == .ancestor && !isLate && recognized.isEmpty && !failed.isEmpty && failed.allSatisfy(\.isFar)
    }

    /// Whether a gesture failed because the touch was another gesture, which was recognized.
    func wasOther(than failure: GestureClient.Failure) -> Bool {
        if failure.isLowScore { return recognized.contains { $0.kind == failure.kind.rawValue } }
        let codes = [GestureFailure.Code.moved, .tooLong]
        return GestureFailure.Code(word: failure.code).map(codes.contains) == true
            && recognized.contains { $0.kind != GestureClient.Gesture.Kind.press.rawValue }
    }
}

extension GestureClient.Failure {
    /// The lowest score of a drawing that may be meant as the shape.
    private static let leastAlike = 0.6

    /// Whether a number missed its limit by so much that the gesture was not meant.
    var isFar: Bool {
        if GestureFailure.Code(word: code) == .tooFewContacts { return true }
        return FailureCure(self)?.limit?.isNear == false && !mayBeTemplate
    }

    var isLowScore: Bool { GestureFailure.Code(word: code) == .lowScore }

    /// Whether the drawing may be another template of the shape.
    var mayBeTemplate: Bool { isLowScore && value.map { $0 >= Self.leastAlike } == true }
}

extension EventFilter {
    /// Selects the matching parts of an explanation.
    /// - Returns: `nil` if nothing matches. A touch that another region owns is kept, because it explains why
    ///   nothing was recognized.
    func apply(_ explanation: Explanation) -> Explanation? {
        guard let region = explanation.region else { return explanation }
        var rest = explanation
        let isAskedFor = passes(region: region)
        rest.recognized.removeAll { !isAskedFor || !passes(gesture: $0.kind, name: $0.name) }
        rest.failed.removeAll { !isAskedFor || !passes(gesture: $0.kind.rawValue, name: $0.name) }
        let isTold = !rest.recognized.isEmpty || !rest.failed.isEmpty
        return isTold || (explanation.role == .owner && !explanation.isLate) ? rest : nil
    }
}
