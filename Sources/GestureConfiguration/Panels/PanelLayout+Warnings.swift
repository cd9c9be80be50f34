// SPDX-License-Identifier: MIT
import GestureEngine

extension PanelLayout {
    /// Less than this outside is rounding, or a deliberate overlap of a pixel.
    private static let worthTelling = 0.005

    /// A region that lies outside its output or its parent, partly or wholly.
    mutating func warnAboutPlace(_ index: Int) {
        let (rule, region) = (rules[index], regions[index])
        let parent = region.parent.map { "its parent \"\(regions[$0].id)\"" } ?? output
        guard !region.bounds.isEmpty else {
            warn(.neverHit, "region \"\(rule.id)\" can never be hit: it has no area", at: rule.shapePlace)
            return
        }
        let visible = region.bounds.intersection(region.clip)
        guard !visible.isEmpty else {
            warn(
                .neverHit, "region \"\(rule.id)\" can never be hit: it lies outside \(parent)", at: rule.shapePlace)
            return
        }
        // A circle about a corner of the screen is what corners are touched with.
        if case .circle(let center, _) = region.shape, region.clip.holds(center) { return }
        let all = region.bounds.width * region.bounds.height
        let outside = 1 - visible.width * visible.height / all
        if outside > Self.worthTelling {
            let percent = max(1, Int((outside * 100).rounded()))
            warn(.outside, "region \"\(rule.id)\" lies \(percent) % outside \(parent)", at: rule.shapePlace)
        }
    }

    private var output: String {
        "output \"\(name)\" (\(Int(panel.widthPixels.rounded()))x\(Int(panel.heightPixels.rounded())))"
    }

    mutating func warnAboutGestures() {
        for (index, region) in regions.enumerated() {
            let delays = regions.decisionDelays(of: index)
            for (i, gesture) in region.gestures.enumerated() {
                let place = rules[index].gestures[i].place
                switch gesture.settings {
                case .tap(let tap):
                    warnAboutTap(tap, "\(region.id).\(gesture.name)", delays[i], place)
                case .swipe(let swipe):
                    if !rules[index].isEdge { warnAboutSwipe(swipe, gesture, region, place) }
                case .press, .longPress, .repeat, .drag, .pinch, .rotate, .pattern:
                    break
                }
                if delays[i].moment == .never, !gesture.unless.isEmpty {
                    warnAboutUnless(gesture, region, place)
                }
            }
        }
    }

    private mutating func warnAboutUnless(_ gesture: Gesture, _ region: Region, _ place: Place) {
        let names = gesture.unless.map { "\"\($0)\"" }.joined(separator: ", ")
        warn(
            .noEffect,
            "\(region.id).\(gesture.name) may never happen: what has to fail before (\(names)) is recognized at once, or "
                + "still possible at the lift", at: place)
    }

    private mutating func warnAboutTap(_ tap: TapSettings, _ name: String, _ delay: DecisionDelay, _ place: Place) {
        if tap.wait, delay.interval > .zero {
            warn(.waits, "\(name) is decided \(delay)", at: place)
        } else if tap.wait {
            warn(.noEffect, "\(name) waits in vain: no tap with a higher count to wait for", at: place)
        }
        if tap.count > 1, tap.minGap >= tap.gap {
            warn(.noEffect, "\(name) cannot happen: min_gap is not shorter than gap", at: place)
        }
    }

    /// A swipe may leave its region, but one that has to is seldom meant.
    private mutating func warnAboutSwipe(
        _ swipe: SwipeSettings, _ gesture: Gesture, _ region: Region, _ place: Place
    ) {
        let box = region.bounds
        let room = swipe.directions.map { direction in
            switch direction {
            case .left, .right: box.width
            case .up, .down: box.height
            case .upLeft, .upRight, .downLeft, .downRight: Vector(dx: box.width, dy: box.height).length
            }
        }
        guard let longest = room.max(), longest < swipe.minDistance else { return }
        let (needed, available) = (plain(rounded(swipe.minDistance)), plain(rounded(longest)))
        warn(
            .tooLong,
            "\(region.id).\(gesture.name) needs \(needed) mm (min_distance), but its region has only \(available) mm",
            at: place)
    }

    /// The first length in millimetres that the file itself gives.
    mutating func warnAboutMillimeters() {
        for rule in rules {
            let place: Place
            if rule.shape.lengths.contains(where: { $0.isInMillimeters }) {
                place = rule.shapePlace
            } else if rule.margin?.isInMillimeters == true {
                place = rule.place
            } else if let gesture = rule.gestures.first(where: { $0.lengths.contains { $0.isInMillimeters } }) {
                place = gesture.place
            } else {
                continue
            }
            warn(
                .unknownSize,
                "lengths in mm, but the size of \(output) is not known and was assumed; give size_mm in its [[device]]",
                at: place)
            return
        }
    }

    private func rounded(_ millimeters: Double) -> Double { (millimeters * 10).rounded() / 10 }
}

extension Rectangle {
    /// Like `contains`, but with all four sides.
    fileprivate func holds(_ point: Point) -> Bool {
        point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
    }
}

extension RegionRule {
    fileprivate var isEdge: Bool {
        if case .edge = shape { true } else { false }
    }
}
