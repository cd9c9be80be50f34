// SPDX-License-Identifier: MIT

/// The numbers of a tap, in millimetres, degrees and times.
package struct TapSettings: Hashable, Sendable {
    /// Contacts that a tap takes.
    package var fingers = 1
    /// Taps in a streak that this gesture is.
    package var count = 1
    /// Wait until a longer streak is out of the question instead of being emitted at once.
    package var wait = false
    /// Millimetres that a contact may stray from where it landed. Default 3: Flutter 2.9, Chromium 4.
    package var slop = 3.0
    /// Lifted before this time since the first landing. Default 500 ms: the long press's delay.
    package var maxTime = Interval.milliseconds(500)
    /// All contacts land within this time of the first. Default 100 ms: real ones take up to 76 ms.
    package var group = Interval.milliseconds(100)
    /// The next tap of a streak lands within this time of the last lift. Default 300 ms: Android.
    package var gap = Interval.milliseconds(300)
    /// A landing sooner after a lift, and near it, is a bounce of the panel. Default 40 ms: panels let go for 10-30 ms.
    package var minGap = Interval.milliseconds(40)
    /// Millimetres from where that contact lifted, at most. Default 15: a landing farther away is another finger.
    package var bounceDistance = 15.0
    /// Millimetres between the taps of a streak. Default 10.
    package var distance = 10.0
    /// From the first lift to the last one of several contacts, at most; `nil`: `maxTime` alone counts.
    package var maxLiftSpread: Interval?
    /// A contact that leaves the region makes it fail. Default false.
    package var staysInside = false

    package init() {}
}

extension TapSettings: RecognizerSettings {
    var watchesInside: Bool { staysInside }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        TapRecognizer(self, longestCount: longestCount(in: region), contacts)
    }

    /// The highest tap count configured for as many fingers.
    func longestCount(in region: Region) -> Int {
        var longest = 1
        for gesture in region.gestures {
            if case .tap(let settings) = gesture.settings, settings.fingers == fingers {
                longest = max(longest, settings.count)
            }
        }
        return longest
    }
}
