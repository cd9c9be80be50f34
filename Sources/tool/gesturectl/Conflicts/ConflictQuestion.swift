// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline

/// A question about one gesture of a panel, which touches answer: whether it loses all touches of a manner.
struct ConflictQuestion {
    enum Subject: Hashable {
        /// Whether it is ever recognized.
        case ever
        /// Whether a tap of this many milliseconds, less than its `max_time`, is ever recognized.
        case slow(Int64)
        /// Whether anybody ever gets a touch of this many milliseconds: more than the tap's `max_time`, and less than the
        /// `delay` of a long press.
        case between(Int64, String)
        /// Whether it is ever recognized while the finger trembles.
        case trembling
        /// Whether it ever wins against the same gesture of a region in its own.
        case inside(RegionIndex)
        /// Whether the middle of the region belongs to another button, whose middle belongs to this one.
        case middle
        /// Whether it ever comes without another gesture of its region.
        case both(String)
    }

    /// The number of touches after which the answer is no, if all were lost.
    static let enough = 16
    /// The number of touches that are tried.
    static let most = 48
    /// The least number of lost touches for an answer.
    private static let least = 4

    let place: GesturePlace
    let subject: Subject
    var aim: TouchAim
    /// The number of touches so far.
    var count = 0
    /// Touches that the gesture lost although they suffice for it.
    var lost: [SketchedTouch] = []
    /// Whether the gesture has won a touch.
    var isWon = false
    /// The reason why the last touch does not suffice for the gesture.
    var failure: (reason: GestureFailure, touch: SketchedTouch)?

    var isOpen: Bool { !isWon && lost.count < Self.enough && count < Self.most }

    /// Whether all touches were lost.
    var isLost: Bool { !isWon && !isOpen && lost.count >= Self.least }

    /// Whether no touch suffices for the gesture, even if there is nothing else.
    var isUnreachable: Bool {
        subject == .ever && !isWon && !isOpen && lost.isEmpty && aim.gesture.after.isEmpty && failure != nil
    }

    /// Plays one more touch.
    mutating func ask(_ stage: ConflictStage) {
        let touch = aim.touch(count)
        count += 1
        if case .inside(let other) = subject, stage.map.route(at: stage.landing(of: touch)).owner != other { return }
        let outcome = stage.outcome(of: touch)
        if case .both(let other) = subject {
            guard outcome.completed.contains(place) else { return }
            let isBoth = outcome.completed.contains(GesturePlace(region: place.region, gesture: other))
            if isBoth { lost.append(touch) } else { isWon = true }
            return
        }
        if case .between = subject {
            if outcome.begun.allSatisfy({ $0.kind == .press }) { lost.append(touch) } else { isWon = true }
            return
        }
        if outcome.completed.contains(place) {
            isWon = true
        } else if stage.isValid(touch, for: place) {
            lost.append(touch)
        } else if let reason = stage.outcome(of: touch, aloneFor: place)?.failures[place] {
            failure = (reason, touch)
        }
    }
}

extension ConflictStage {
    /// The most other gestures, and regions inside a region, that are asked about for one gesture.
    private static let mostOthers = 3

    /// The gestures that are on in this scene.
    var gestures: [(region: RegionIndex, gesture: GestureIndex)] {
        regions.regionIndices.filter { regions[$0].isEnabled }.flatMap { index in
            regions[index].gestures.indices.map { (index, GestureIndex(raw: $0)) }
        }
    }

    /// Returns the questions about one gesture, the one about all touches first.
    func questions(_ index: RegionIndex, _ number: GestureIndex, seed: UInt64) -> [ConflictQuestion] {
        let gesture = regions[index].gestures[number]
        guard isKnown(gesture) else { return [] }
        return subjects(of: gesture, in: index).enumerated().map { other, subject in
            let random = SeededRandom.of(seed, index.raw, number.raw, other)
            return ConflictQuestion(
                place: GesturePlace(region: regions[index].id, gesture: gesture.name), subject: subject,
                aim: aim(at: gesture, in: index, subject, random))
        }
    }

    /// Whether touches can be made for the gesture: not for a pattern with steps that are not here, or that must come
    /// after others.
    private func isKnown(_ gesture: Gesture) -> Bool {
        guard case .pattern(let pattern) = gesture.settings else { return true }
        let steps = regions.gestures(of: pattern)
        return steps.count == pattern.steps.count
            && steps.allSatisfy { step in
                regions[step.region].isEnabled && step.gesture.after.isEmpty && step.gesture.settings.kind != .pattern
            }
    }

    private func aim(
        at gesture: Gesture, in index: RegionIndex, _ subject: ConflictQuestion.Subject, _ random: SeededRandom
    ) -> TouchAim {
        var aimed = gesture
        var manner = TouchAim.Manner.anywhere
        switch subject {
        case .ever, .both: break
        case .slow(let time), .between(let time, _): manner = .held(time)
        case .trembling: manner = .trembling
        case .middle: manner = .middle
        case .inside(let other):
            manner = .inside(other)
            if let common = common(gesture, regions[other]) { aimed.settings = common }
        }
        return TouchAim(regions: regions, index: index, gesture: aimed, manner: manner, map: map, random: random)
    }

    private func subjects(of gesture: Gesture, in index: RegionIndex) -> [ConflictQuestion.Subject] {
        var subjects = [ConflictQuestion.Subject.ever]
        if case .tap(let tap) = gesture.settings { subjects += times(of: tap, regions[index]) }
        if !gesture.settings.kind.row.motion.isMovement, gesture.settings.fingers == 1 { subjects.append(.trembling) }
        subjects += twins(of: gesture, in: regions[index]).map { .both($0) }
        subjects += rivals(of: gesture, in: index).map { .inside($0) }
        if regions[index].gestures.first?.name == gesture.name, isOverlapped(index) { subjects.append(.middle) }
        return subjects
    }

    // MARK: Times

    /// The questions about the times of a tap. Its `max_time` is asked about only if the configuration sets it.
    private func times(of tap: TapSettings, _ region: Region) -> [ConflictQuestion.Subject] {
        let most = tap.maxTime.wholeMilliseconds
        guard tap.count == 1, tap.fingers == 1 else { return [] }
        let standard = TapSettings().maxTime
        let isSet = tap.maxTime != standard && tap.maxTime < .unlimited
        var subjects = [ConflictQuestion.Subject.slow(isSet ? most / 10 * 9 : 250)]
        for gesture in region.gestures where tap.maxTime < standard {
            guard case .longPress(let press) = gesture.settings, press.fingers == 1, press.taps == 0 else { continue }
            let delay = press.delay.wholeMilliseconds
            // A long press that takes longer is meant to be safe from taps that are too long.
            if delay <= 1000, delay > most * 5 / 4 { subjects.append(.between((most + delay) / 2, gesture.name)) }
        }
        return subjects
    }

    // MARK: Both

    /// Gestures of a region that may come with every touch for another one, without a wish of the designer.
    private func twins(of gesture: Gesture, in region: Region) -> [String] {
        region.gestures.lazy.filter { other in
            other.name != gesture.name && other.settings.kind == gesture.settings.kind
                && gesture.settings.excludes(other.settings) && !self.isLinked(gesture, other, in: region)
        }.prefix(Self.mostOthers).map(\.name)
    }

    /// Whether the configuration says how two gestures of a region relate, or that they do the same.
    private func isLinked(_ gesture: Gesture, _ other: Gesture, in region: Region) -> Bool {
        let names = gesture.after + gesture.unless + other.after + other.unless
        return names.contains(gesture.name) || names.contains(other.name)
            || (gesture.action != nil && gesture.action == other.action)
            || isSimultaneous(
                GesturePlace(region: region.id, gesture: gesture.name),
                GesturePlace(region: region.id, gesture: other.name))
    }

    private func isSimultaneous(_ a: GesturePlace, _ b: GesturePlace) -> Bool {
        func reference(_ place: GesturePlace) -> ArbitrationSettings.Reference {
            .init(region: place.region, gesture: place.gesture)
        }
        return setup.arbitration.simultaneous.contains { pair in
            [pair.first, pair.second] == [reference(a), reference(b)]
                || [pair.first, pair.second] == [reference(b), reference(a)]
        }
    }

    // MARK: Inside

    /// Regions in a region that have the same gesture, if it takes touches.
    private func rivals(of gesture: Gesture, in index: RegionIndex) -> [RegionIndex] {
        guard parents.contains(index), gesture.settings.kind.row.motion.isMovement else { return [] }
        var seen: Set<[Gesture]> = []
        return regions.regionIndices.filter { other in
            guard other > index, regions[other].isEnabled, !regions[other].pass, regions.isIn(other, index) else {
                return false
            }
            let same = regions[other].gestures.filter { gesture.settings.common(with: $0.settings) != nil }
            return common(gesture, regions[other]) != nil && seen.insert(same).inserted
        }.prefix(Self.mostOthers).map(\.self)
    }

    /// Returns the settings of a gesture with the directions that a gesture of the same kind in another region accepts,
    /// too; `nil` if there are none.
    private func common(_ gesture: Gesture, _ region: Region) -> GestureSettings? {
        for other in region.gestures where gesture.action == nil || gesture.action != other.action {
            if let common = gesture.settings.common(with: other.settings) { return common }
        }
        return nil
    }

    // MARK: Middle

    /// Whether the middles of two buttons of the same height belong to the same one of them, though neither is in the other.
    private func isOverlapped(_ index: RegionIndex) -> Bool {
        let region = regions[index]
        guard region.hasButton, region.isDrawn(at: region.middle),
            let owner = map.route(at: region.middle).owner, owner != index
        else { return false }
        let other = regions[owner]
        return other.hasButton && other.z == region.z && !regions.isIn(owner, index) && !regions.isIn(index, owner)
            && region.bounds.contains(other.middle) && !region.bounds.holds(other.bounds)
            && !other.bounds.holds(region.bounds)
    }
}

extension [Region] {
    /// Whether a region is in another one, perhaps with others between them.
    func isIn(_ index: RegionIndex, _ other: RegionIndex) -> Bool {
        var next = self[index].parent
        while let parent = next {
            if parent == other { return true }
            next = self[parent].parent
        }
        return false
    }
}

extension Region {
    fileprivate var middle: Point { Point(x: (bounds.minX + bounds.maxX) / 2, y: (bounds.minY + bounds.maxY) / 2) }

    /// Whether a finger that does not move makes a gesture.
    fileprivate var hasButton: Bool {
        gestures.contains { !$0.settings.kind.row.motion.isMovement && $0.settings.fingers == 1 }
    }
}

extension Rectangle {
    fileprivate func holds(_ other: Self) -> Bool { union(other) == self }
}

extension GestureSettings {
    /// Whether one touch should not be two gestures of this kind with such settings.
    fileprivate func excludes(_ other: Self) -> Bool {
        switch (self, other) {
        case (.tap(let a), .tap(let b)): a.count == b.count && a.fingers == b.fingers
        // Holds of different lengths are stages of one gesture.
        case (.longPress(let a), .longPress(let b)): a.delay == b.delay
        case (.repeat(let a), .repeat(let b)): a.delay == b.delay
        case (.press, _), (.pattern, _): false
        default: true
        }
    }

    /// The settings with the directions that both accept; `nil` if there are none.
    fileprivate func common(with other: Self) -> GestureSettings? {
        switch (self, other) {
        case (.swipe(var a), .swipe(let b)) where a.fingers == b.fingers && a.taps == b.taps:
            a.directions = a.directions.filter(b.directions.contains)
            return a.directions.isEmpty ? nil : .swipe(a)
        case (.drag(var a), .drag(let b)) where a.fingerRange.overlaps(b.fingerRange) && a.taps == b.taps:
            guard a.axis == b.axis || a.axis == .any || b.axis == .any else { return nil }
            if a.axis == .any { a.axis = b.axis }
            return .drag(a)
        case (.swipe(var a), .drag(let b)) where b.fingerRange.contains(a.fingers) && a.taps == b.taps:
            a.directions = a.directions.filter { b.axis == .any || $0.axis == b.axis }
            return a.directions.isEmpty ? nil : .swipe(a)
        case (.pinch, .pinch), (.rotate, .rotate): return self
        default: return nil
        }
    }
}

extension SwipeDirection {
    /// The axis of the direction; `nil` for a diagonal one.
    fileprivate var axis: DragSettings.Axis? {
        switch self {
        case .left, .right: .horizontal
        case .up, .down: .vertical
        case .upLeft, .upRight, .downLeft, .downRight: nil
        }
    }
}
