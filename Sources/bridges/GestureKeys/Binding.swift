// SPDX-License-Identifier: MIT
package import GestureConfiguration
import GestureProtocol

/// An action, and the gestures that cause it.
package struct Binding: Hashable, Sendable {
    /// The globs for the name or the kind of the gesture.
    package var gestures: [String]
    /// The globs for the region, the panel and the scene; `nil`: any.
    package var regions: [String]?
    package var devices: [String]?
    package var scenes: [String]?
    /// Whether the binding also applies to regions that clients have defined, whose names clients choose.
    package var leased = false
    package var action: Action
    /// The location of the binding, for warnings.
    package var location: SourceLocation

    /// The action of a binding.
    package enum Action: Hashable, Sendable {
        /// Presses and releases the keys of each chord, one chord after another.
        case keys([Chord])
        /// Clicks with a button at the finger.
        case click(PointerButton)
        /// Turns the wheel as far as the finger drags.
        case wheel(Wheel)
        /// Keeps the keys down until the gesture ends.
        case hold(Chord)
        /// Presses and releases keys for each step of a dial.
        case steps(StepKeys)

        package var keyCodes: [UInt16] {
            switch self {
            case .keys(let chords): chords.flatMap { $0.codes }
            case .hold(let chord): chord.codes
            case .steps(let steps): steps.clockwise.codes + steps.counterclockwise.codes
            case .click, .wheel: []
            }
        }

        /// Whether the action depends on the updates of a gesture.
        var followsUpdates: Bool {
            switch self {
            case .wheel, .steps: true
            case .keys, .click, .hold: false
            }
        }

        /// Whether the wheel runs on after the drag.
        var hasMomentum: Bool { if case .wheel(let wheel) = self { wheel.friction != nil } else { false } }

        package var usesPointer: Bool {
            switch self {
            case .click, .wheel: true
            case .keys, .hold, .steps: false
            }
        }
    }
}

/// Keys that are pressed together, as the kernel's codes in the order of the text.
package struct Chord: Hashable, Sendable {
    package var codes: [UInt16]

    package init(_ codes: [UInt16]) { self.codes = codes }
}

/// A button of the pointer. The raw value is the kernel's code.
package enum PointerButton: UInt16, Hashable, Sendable, CaseIterable {
    case left = 0x110
    case right = 0x111
    case middle = 0x112
}

/// The directions in which a drag turns the wheel.
package struct Wheel: Hashable, Sendable {
    package var x = false
    package var y = false
    /// The distance of one step of the wheel, in output pixels. Chromium scrolls 53 pixels for a step.
    package var step = 53
    /// The part of its speed that the wheel loses in a second after the drag; `nil`: it does not run on.
    package var friction: Int?

    package init() {}

    /// The friction of `momentum = true`. As UIKit's normal deceleration, it leaves 0.998 of the speed after a millisecond.
    static let usualFriction = 2
    static let frictions: ClosedRange<Int64> = 1...50

    // A direction with an error counts as chosen, so that there is no second error about a wheel without a direction.
    static let keys: [Key<Wheel>] = [
        Key("x", \.x) { $0.boolean() ?? true },
        Key("y", \.y) { $0.boolean() ?? true },
        Key("step", \.step) { $0.integer(1...1000) },
        Key("momentum", \.friction) { $0.momentum() },
    ]
}

/// The keys for a step of a dial in each direction; no keys in a direction that is not bound.
package struct StepKeys: Hashable, Sendable {
    package var clockwise = Chord([])
    package var counterclockwise = Chord([])

    package init() {}

    static let keys: [Key<StepKeys>] = [
        Key("cw", \.clockwise) { $0.chord() },
        Key("ccw", \.counterclockwise) { $0.chord() },
    ]
}

extension Binding {
    /// The keys of a `[[binding]]` as far as they could be read.
    private struct Draft {
        var gestures: [String]?
        var regions: [String]?
        var devices: [String]?
        var scenes: [String]?
        var leased = false
        var action: Action?
        /// The keys that name an action, also if their values have errors.
        var actions: [String] = []
    }

    private static let keys: [Key<Draft>] = [
        Key("gesture", \.gestures) { $0.globs() },
        Key("region", \.regions) { $0.globs() },
        Key("device", \.devices) { $0.globs() },
        Key("scene", \.scenes) { $0.globs() },
        Key("leased", \.leased) { $0.boolean() },
    ]

    private static let actions: [Key<Draft>] = [
        action("keys") { $0.chords().map { .keys($0) } },
        action("click") { value in
            value.choice(PointerButton.allCases.map { ("\($0)", $0) }).map { .click($0) }
        },
        action("wheel") { $0.wheel().map { .wheel($0) } },
        action("hold") { $0.chord().map { .hold($0) } },
        action("steps") { $0.stepKeys().map { .steps($0) } },
    ]

    /// The keys of which a binding has exactly one.
    package static var actionNames: [String] { actions.map { $0.name } }

    private static func action(
        _ name: String, _ read: @escaping @Sendable (ValueReader) -> Action?
    ) -> Key<Draft> {
        Key(name) { value, draft in
            draft.actions.append(name)
            draft.action = read(value)
        }
    }

    /// Reads a `[[binding]]`, and reports its errors.
    init?(_ entry: ValueReader) {
        let name = "[[binding]]"
        var draft = Draft()
        guard let table = entry.table(Self.keys + Self.actions, into: &draft, name: name) else { return nil }
        if table["gesture"] == nil {
            table.missingKey("\(name) has no gesture; add the name or the kind of a gesture")
        }
        if draft.actions.isEmpty {
            table.missingKey("\(name) has no action; add keys, click, wheel, hold or steps")
        } else if draft.actions.count > 1 {
            let list = draft.actions.joined(separator: " and ")
            entry.error(.badValue, "\(name) has \(list), but a gesture causes one action; remove the others")
        }
        guard draft.actions.count == 1, let gestures = draft.gestures, let action = draft.action else { return nil }
        self.init(
            gestures: gestures, regions: draft.regions, devices: draft.devices, scenes: draft.scenes,
            leased: draft.leased, action: action, location: entry.location)
    }
}
