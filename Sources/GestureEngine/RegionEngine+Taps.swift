// SPDX-License-Identifier: MIT

/// Gestures that come after taps (`taps`). One machine of the region counts the taps of one finger, by the rules of
/// the region's taps; whether a gesture may come is decided when its first contact lands.
extension RegionEngine {
    /// The machine that counts taps; `nil`: no gesture comes after any.
    static func tapCounter(of region: Region, _ contacts: RegionContacts) -> TapRecognizer? {
        let taps = region.gestures.map { $0.settings.common.taps }.max() ?? 0
        guard taps > 0 else { return nil }
        var settings = region.taps
        settings.fingers = 1
        settings.wait = false
        settings.count = max(taps + 1, settings.longestCount(in: region))
        return TapRecognizer(settings, longestCount: settings.count, contacts)
    }

    /// A contact has landed that begins something new: what comes after another number of taps fails.
    func refuseWithoutTaps() {
        guard let tapCounter else { return }
        for gesture in recognizers.indices {
            let taps = rules.gestures[gesture].taps
            guard taps > 0, taps != tapCounter.tapsBefore else { continue }
            send(
                .refused(GestureFailure(.wrongTaps, value: Double(tapCounter.tapsBefore), limit: Double(taps))),
                to: gesture)
        }
    }

    /// What is under way is cancelled: the taps so far count for nothing, and what is down makes none.
    func cancelTaps(_ reason: CancelReason) {
        // Only a streak outlives its sequence.
        _ = tapCounter?.handle(contacts.sequence == nil ? .forgetStreak : .cancel(reason, byGesture: false))
    }

    /// The taps so far may be those that come before a gesture, which lands after them.
    func awaitsLanding(_ gesture: Int) -> Bool {
        let taps = rules.gestures[gesture].taps
        return taps > 0 && tapCounter?.mayReach(taps) == true
    }

    /// A tap of an earlier sequence is one of those before a gesture that is still possible.
    func mayContain(_ sequence: SequenceID, _ gesture: Int) -> Bool {
        if recognizers[gesture].mayContain(sequence) { return true }
        guard rules.gestures[gesture].taps > 0, let start = tapCounter?.streakStart, sequence >= start else {
            return false
        }
        if awaitsLanding(gesture) { return true }
        guard contacts.sequence != nil, !recognizers[gesture].isOver else { return false }
        return [.possible, .dormant, .deferred].contains(recognizers[gesture].disposition)
    }

    /// The sequence in which began what a gesture is recognized with, if that is an earlier one.
    func streakStart(_ gesture: Int) -> SequenceID? {
        recognizers[gesture].streakStart ?? (rules.gestures[gesture].taps > 0 ? tapCounter?.streakStart : nil)
    }
}
