// SPDX-License-Identifier: MIT
import GestureProtocol

/// A report in one of its forms.
struct ReportOutput {
    let data: ReportData
    let advice: [RegionAdvice]
    let nearMisses: [NearMiss]
    /// The health of the glass on the last day; `nil` if it was not judged.
    let health: GlassHealth?

    init(_ data: ReportData, _ health: GlassHealth? = nil) {
        (self.data, self.health) = (data, health)
        advice = RegionAdvice.worst(3, of: data)
        nearMisses = Array(NearMiss.all(in: data).prefix(3))
    }

    func bytes(_ form: ReportOptions.Form) -> [UInt8] {
        switch form {
        case .text: Array(text.utf8)
        case .html: Array(html.utf8)
        case .csv: Array(csv.utf8)
        case .json: json
        }
    }

    // MARK: sentences that the forms share

    /// The sentence above what to change.
    static let adviceNote =
        "Regions are the buttons and areas of the screen. These are the ones with the most tries that did nothing; the table has all."

    var period: String { data.first == data.last ? data.last.text : "\(data.first.text) to \(data.last.text)" }

    /// The numbers of the whole period, with their names.
    var sums: [(String, String)] {
        let days = max(1, data.days.count)
        var sums = [
            (
                "Sessions",
                "\(data.sessions), \((data.sessions + days / 2) / days) a day; half of them last \(Self.time(data.medianLength)) or more"
            ), ("Touches", "\(data.touches); \(Self.share(data.failed, of: data.touches)) were tries that did nothing"),
        ]
        if data.nothing > 0 {
            sums.append(("Nothing there", "\(Self.counted(data.nothing, "touch")) landed where nothing is"))
        }
        if let busiest, data.sessions > 0 {
            sums.append(
                ("Busiest", "from \(LocalDay.two(Int64(busiest))):00 to \(LocalDay.two(Int64(busiest + 1))):00"))
        }
        for panel in data.glass {
            let facts = [
                panel.use.reportRate.map { "a moving finger is reported \(Int($0.rounded())) times a second" },
                panel.use.jitter.map { "a resting finger wanders \(Self.tenths($0)) mm a second" },
            ].compactMap { $0 }
            if !facts.isEmpty { sums.append(("Panel", "\(panel.device): \(facts.joined(separator: "; "))")) }
        }
        if let health { sums.append(("Glass", "\(health.score) of 100 (the best): \(health.reason)")) }
        return sums
    }

    private var busiest: Int? { data.hours.indices.max { (data.hours[$0], $1) < (data.hours[$1], $0) } }

    /// The sentences about a region at which touches fail: the first says how many, the others why and what helps.
    static func sentences(_ advice: RegionAdvice) -> [String] {
        let use = advice.region.use
        var result = [
            "\(use.failed) of \(Self.counted(use.touches, "touch")) did nothing (\(percent(use.failed, of: use.touches))); "
                + "\(use.twice == 1 ? "once" : "\(use.twice) times") somebody tried twice in a row."
        ]
        if let limit = advice.limit {
            result.append(
                "\(limit.missed) \(cause(limit.key.code)) \(limit.key.gesture): \(limit.key.key) is \(limit.presentText)."
            )
            guard let setting = limit.setting else {
                return result + [
                    limit.isKnown
                        ? "Leave this setting, because another value would take too many other touches for it. Make the region larger, or move it."
                        : "How far is not known: with a press in this region, the next report says it."
                ]
            }
            let wrong =
                limit.wrong == 0
                ? "and no other touch would have been mistaken for one"
                : "and \(counted(limit.wrong, "other touch")) would have been mistaken for one"
            result.append(
                "If a technician sets \(limit.key.key) = \(setting) there, \(limit.admitted) of them would have worked, \(wrong)."
            )
        }
        if let failure = advice.failure {
            result.append(
                "\(counted(failure.count, "finger")) slid off its edge: make it larger, or give it a margin.")
        }
        return result
    }

    /// The words for a failure between a number and the name of a gesture, for somebody who does not know the codes.
    private static func cause(_ code: String) -> String {
        switch code {
        case "moved": "slid too far for"
        case "too_long": "were held too long for"
        case "too_quick": "were too quick for"
        case "too_slow": "were too slow for"
        case "too_short": "did not go far enough for"
        case "low_velocity": "were lifted too slowly for"
        case "stopped": "stood still before the lift of"
        case "wrong_direction": "went in a wrong direction for"
        case "lifted_early": "were lifted too early for"
        case "no_further_tap": "came too late for a further tap of"
        case "small_turn": "did not turn far enough for"
        default: "missed (\(code)) the gesture"
        }
    }

    static func sentence(_ miss: NearMiss) -> String {
        let place =
            ["above": "above it", "below": "below it"][miss.side.rawValue] ?? "to the \(miss.side.rawValue) of it"
        return "\(counted(miss.count, "touch")) landed on the empty screen just \(place) (within 10 mm): "
            + "make it larger on that side, or move it."
    }

    // MARK: numbers as text

    static func counted(_ number: Int, _ noun: String) -> String {
        let plural = noun.hasSuffix("ch") ? noun + "es" : noun + "s"
        return "\(number) \(number == 1 ? noun : plural)"
    }

    static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "0 %" }
        let tenths = (part * 1000 + whole / 2) / whole
        return tenths >= 100 ? "\((tenths + 5) / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }

    static func share(_ part: Int, of whole: Int) -> String { "\(part) (\(percent(part, of: whole)))" }

    /// A number with one digit after the point.
    static func tenths(_ value: Double) -> String {
        let tenths = Int(max(0, min(value * 10, 1e9)).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    static func time(_ seconds: Int) -> String {
        if seconds < 120 { return "\(seconds) s" }
        if seconds < 7200 { return "\((seconds + 30) / 60) min" }
        return "\((seconds + 1800) / 3600) h"
    }
}
