// SPDX-License-Identifier: MIT
import GestureClient

/// An explanation for a person:
///
///     14:03:07.123  carousel  1 finger 923,422 → 511,430, 612 ms
///       + press
///       - swipe "page"  612 ms > max_time 500 ms          needs max_time = "613ms"
///       - long_press    moved 41.2 mm > slop 5 mm         see slop
struct ExplanationText {
    var colors: Colors
    var filter: ExplanationFilter
    /// From the configuration, to tell a region without gestures from one without events.
    var regions: [ExplainedRegion]

    func text(_ explanation: Explanation, time: String) -> String {
        let text = colors.paint(time, .dim) + "  " + head(explanation) + "\n"
        var table = Table()
        for gesture in explanation.recognized {
            let more =
                gesture.cancelled.map { "cancelled: \($0)" } ?? (gesture.times > 1 ? "\(gesture.times) times" : "")
            table.rows.append(["  +", gestureLabel(gesture.kind, gesture.name), more])
        }
        for failure in explanation.failed {
            table.rows.append(["  -", failure.label, failure.shortText, Self.cure(failure)])
        }
        table.colors = [0: { $0 == "  +" ? .green : .red }, 1: { _ in .bold }, 3: { _ in .yellow }]
        return text + table.text(withLegend: false, colors: colors)
    }

    private func head(_ explanation: Explanation) -> String {
        let way = Self.way(explanation.contacts)
        guard let region = explanation.region else {
            return colors.paint("no region", .red)
                + "  \(way): nothing listens there; gesturectl regions shows what lies where"
        }
        var text = colors.paint(region, .bold)
        if explanation.isLate {
            text += "  later, of sequence \(explanation.sequence ?? 0)"
        } else if let owner = explanation.owner {
            text += "  lies under \(owner), which owns the touch"
        } else if !way.isEmpty {
            text += "  " + way
        } else {
            text += "  looks on"
        }
        if !filter.matches(region: region) { return text + ": it owns this touch, the regions asked for do not" }
        if explanation.recognized.isEmpty, explanation.failed.isEmpty { text += ": " + silence(explanation) }
        return text
    }

    private func silence(_ explanation: Explanation) -> String {
        let region = regions.first { $0.device == explanation.device && $0.id == explanation.region }
        if region?.gestures.isEmpty == true { return "it has no gestures, and lets nothing through to those below" }
        return explanation.sequence == nil ? "nothing was told of it" : "none of the gestures asked for"
    }

    /// `1 finger 923,422 → 511,430, 612 ms`
    static func way(_ contacts: [Explanation.Contact]) -> String {
        guard let first = contacts.first else { return "" }
        let ways = contacts.prefix(3).map { contact in
            let from = "\(shortest(contact.from.x)),\(shortest(contact.from.y))"
            guard contact.to != contact.from else { return "at \(from)" }
            return "\(from) → \(shortest(contact.to.x)),\(shortest(contact.to.y))"
        }
        var text = "\(contacts.count) finger\(contacts.count == 1 ? "" : "s") " + ways.joined(separator: " and ")
        if contacts.count > 3 { text += " …" }
        let lifted = contacts.compactMap(\.lifted).max()
        if let lifted { text += ", \((lifted - first.landed) / 1000) ms" }
        return text
    }

    private static func cure(_ failure: GestureClient.Failure) -> String {
        guard let cure = FailureCure(failure) else { return "" }
        if let needed = cure.needed { return "needs \(cure.key) = \(needed)" }
        return switch cure.section {
        case .gesture: "see \(cure.key)"
        case .region: "see \(cure.key) of the region"
        case .filter: "see [filter] \(cure.key)"
        case .arbitration: "see [arbitration] \(cure.key)"
        }
    }
}
