// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureTestSupport
import Recordings

typealias PlayableTaps = (made: TappingRecording, recording: Recording)

/// Counts what became of the intended taps of recordings.
struct TapTally {
    /// The taps whose finger landed on the target.
    private(set) var landed = 0
    /// The taps whose finger landed beside the target, where no profile can help.
    private(set) var beside = 0
    /// The taps for which the target reported one tap, and no region reported anything else but presses, until the next
    /// intended tap.
    private(set) var recognized = 0
    /// The taps for which more than one tap was reported, or one of another target.
    private(set) var falseTaps = 0

    /// The share of the taps on their targets that are recognized, in whole percent, rounded down.
    var percent: Int { 100 * recognized / max(1, landed) }
    var percentBeside: Int { 100 * beside / max(1, landed + beside) }

    init(_ recordings: [PlayableTaps], in layout: TapLayout, profile: String) throws {
        for (made, recording) in recordings {
            let gestures = try recording.gestures(with: layout.configuration(made.grid, profile: profile))
            for tap in made.taps {
                add(TapLayout.id(tap.target), gestures.filter { tap.milliseconds.contains($0.milliseconds) })
            }
        }
    }

    private mutating func add(_ target: String, _ gestures: [ReplayedGesture]) {
        guard gestures.first(where: { $0.name == "press" })?.region == target else {
            beside += 1
            return
        }
        landed += 1
        let acts = gestures.filter { $0.name != "press" && $0.isBegin }
        let taps = acts.filter { ["tap", "button", "double_tap"].contains($0.name) }
        let isOne = taps.count == 1 && taps[0].region == target && taps[0].name != "double_tap"
        if isOne, acts.count == 1 { recognized += 1 }
        if !taps.isEmpty, !isOne { falseTaps += 1 }
    }
}
