// SPDX-License-Identifier: MIT
package import GestureEngine

extension Region {
    /// Nothing yet: to be read into.
    package init() {
        let nothing = Rectangle(minX: 0, minY: 0, maxX: 0, maxY: 0)
        self.init(id: "", shape: .rectangle(nothing), bounds: nothing, clip: nothing, gestures: [])
    }

    package mutating func pass(through words: inout SettingsWords) {
        words.pass(&id)
        shape.pass(through: &words)
        bounds.pass(through: &words)
        clip.pass(through: &words)
        words.pass(&parent, new: 0) { $0.pass(&$1) }
        words.pass(&z)
        words.pass(&margin)
        words.pass(&pass)
        words.pass(&isEnabled)
        words.pass(&isPrivate)
        words.pass(&leaveDistance)
        words.pass(&capture, of: [.implicit, .follow])
        words.pass(&gestures, new: Gesture(name: "", word: "", settings: .press(PressSettings()))) {
            $1.pass(through: &$0)
        }
    }
}

extension Gesture {
    package mutating func pass(through words: inout SettingsWords) {
        words.pass(&name)
        words.pass(&word)
        settings.pass(through: &words)
        words.pass(&after, new: "") { $0.pass(&$1) }
        words.pass(&unless, new: "") { $0.pass(&$1) }
        words.pass(&exclusive)
    }
}

extension ArbitrationSettings {
    package mutating func pass(through words: inout SettingsWords) {
        let nobody = Reference(region: "", gesture: "")
        words.pass(&simultaneous, new: Pair(nobody, nobody)) {
            $1.first.pass(through: &$0)
            $1.second.pass(through: &$0)
        }
        words.pass(&priority, new: .press) { $0.pass(&$1, of: GestureKind.allCases) }
    }
}

extension ArbitrationSettings.Reference {
    fileprivate mutating func pass(through words: inout SettingsWords) {
        words.pass(&region)
        words.pass(&gesture)
    }
}

extension Rectangle {
    package mutating func pass(through words: inout SettingsWords) {
        words.pass(&minX)
        words.pass(&minY)
        words.pass(&maxX)
        words.pass(&maxY)
    }
}

extension Point {
    fileprivate mutating func pass(through words: inout SettingsWords) {
        words.pass(&x)
        words.pass(&y)
    }
}

extension Shape {
    fileprivate mutating func pass(through words: inout SettingsWords) {
        var form = form
        words.pass(&form, of: Form.allCases)
        switch form {
        case .rectangle:
            var box = Rectangle(minX: 0, minY: 0, maxX: 0, maxY: 0)
            if case .rectangle(let own) = self { box = own }
            box.pass(through: &words)
            self = .rectangle(box)
        case .circle:
            var (center, radius) = (Point.zero, 0.0)
            if case .circle(let ownCenter, let ownRadius) = self { (center, radius) = (ownCenter, ownRadius) }
            center.pass(through: &words)
            words.pass(&radius)
            self = .circle(center: center, radius: radius)
        case .polygon:
            var corners: [Point] = []
            if case .polygon(let own) = self { corners = own }
            words.pass(&corners, new: .zero) { $1.pass(through: &$0) }
            self = .polygon(corners)
        }
    }

    private enum Form: CaseIterable { case rectangle, circle, polygon }

    private var form: Form {
        switch self {
        case .rectangle: .rectangle
        case .circle: .circle
        case .polygon: .polygon
        }
    }
}
