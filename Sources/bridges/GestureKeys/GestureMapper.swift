// SPDX-License-Identifier: MIT
package import GestureClient
import GestureProtocol

/// An action of the keyboard or of the pointer of a panel.
package enum Stroke: Hashable, Sendable {
    /// Presses keys in this order.
    case press([UInt16], device: String)
    /// Releases keys in this order.
    case release([UInt16], device: String)
    /// Moves the pointer to a point, in output pixels.
    case move(device: String, GestureClient.Point)
    /// Presses and releases a button at a point, in output pixels.
    case click(PointerButton, device: String, GestureClient.Point)
    case turn(WheelTurn, device: String)
}

/// Turns gestures into actions, and knows which keys are down. It does no I/O.
package struct GestureMapper {
    private let rules: [Rule]
    private var limit = RateLimit()
    /// The keys that are down on the keyboard of each panel.
    private var held: [String: HeldKeys] = [:]
    private var open: [Identity: Activity] = [:]
    /// The wheels that run on after a drag, at most one for each panel, and when the finger had lifted, as in the lines.
    private var coasts: [(wheel: WheelCoast, lift: Int)] = []
    private var scene = "default"
    /// The number of actions that were not done because they would have exceeded the limit.
    package private(set) var refused = 0
    /// Whether a key is down.
    package var isHolding: Bool { held.values.contains { !$0.isEmpty } }

    /// The time at which `advance(to:)` must next be called, in microseconds on the monotonic clock; `nil` while no wheel
    /// runs on.
    package var nextTurn: Int64? { coasts.map { $0.wheel.next }.min() }

    package init(_ settings: KeysSettings) { rules = settings.bindings.map { Rule($0) } }

    /// The effect of a continuous gesture until it ends.
    private enum Activity {
        case hold([UInt16], device: String)
        case wheel(WheelMotion, device: String)
        /// `done` is the number of steps for which keys were pressed.
        case steps(StepKeys, done: Int, device: String)
    }

    /// Distinguishes gestures that have begun.
    private struct Identity: Hashable {
        let region: String
        let kind: String
        let name: String
        let sequence: Int

        init(_ gesture: GestureClient.Gesture) {
            (region, kind, name) = (gesture.region, gesture.kind.rawValue, gesture.name)
            sequence = gesture.sequence
        }
    }

    /// Handles an event of the stream.
    /// - Parameter time: the time in microseconds on the monotonic clock.
    package mutating func take(_ event: GestureClient.Event, at time: Int64) -> [Stroke] {
        switch event {
        case .gesture(let gesture): return take(gesture, at: time)
        case .state(let state): switchScene(state.scene)
        case .configuration(let change): switchScene(change.scene ?? scene)
        // The end of a gesture may be among the lines that were lost.
        case .overflow, .disconnected, .bye: return releaseAll()
        default: break
        }
        return []
    }

    /// Releases all keys that are down, and forgets what is under way.
    package mutating func releaseAll() -> [Stroke] {
        open.removeAll()
        coasts.removeAll()
        defer { held.removeAll() }
        return held.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { .release($0.value.all, device: $0.key) }
    }

    /// Turns the wheels that run on.
    package mutating func advance(to time: Int64) -> [Stroke] {
        var strokes: [Stroke] = []
        for index in coasts.indices where coasts[index].wheel.next <= time {
            guard let turn = coasts[index].wheel.turn(at: time) else { continue }
            strokes.append(.turn(turn, device: coasts[index].wheel.device))
        }
        coasts.removeAll { $0.wheel.isOver }
        return strokes
    }

    private mutating func switchScene(_ scene: String) {
        if scene != self.scene { coasts.removeAll() }
        self.scene = scene
    }

    /// Stops the wheel of a panel on which a finger has landed since the wheel runs on.
    private mutating func stopWheel(for gesture: GestureClient.Gesture) {
        guard !coasts.isEmpty, gesture.phase == nil || gesture.phase == .begin else { return }
        // A swipe comes with the same lift.
        coasts.removeAll { $0.wheel.device == gesture.device && (gesture.time ?? .max) > $0.lift }
    }

    private mutating func take(_ gesture: GestureClient.Gesture, at time: Int64) -> [Stroke] {
        stopWheel(for: gesture)
        switch gesture.phase {
        case nil, .begin:
            // A gesture that begins again replaces one whose end was lost.
            let ended = end(gesture)
            guard let action = action(for: gesture) else { return ended }
            return ended + begin(action, gesture, at: time)
        case .update: return follow(gesture, at: time)
        case .end: return follow(gesture, at: time) + end(gesture, at: time)
        case .cancel: return end(gesture)
        }
    }

    private func action(for gesture: GestureClient.Gesture) -> Binding.Action? {
        rules.first { $0.matches(gesture, scene: scene) }?.action
    }

    private mutating func begin(
        _ action: Binding.Action, _ gesture: GestureClient.Gesture, at time: Int64
    ) -> [Stroke] {
        guard let device = gesture.device else { return [] }
        switch action {
        case .keys(let chords): return type(chords, on: device, at: time)
        case .click(let button):
            guard let position = gesture.position, mayPress(1, at: time) else { return [] }
            return [.click(button, device: device, position)]
        case .hold(let chord):
            // A gesture without phases has no duration.
            guard gesture.phase != nil else { return type([chord], on: device, at: time) }
            guard mayPress(chord.codes.count, at: time) else { return [] }
            open[Identity(gesture)] = .hold(chord.codes, device: device)
            let codes = held[device, default: HeldKeys()].hold(chord.codes)
            return codes.isEmpty ? [] : [.press(codes, device: device)]
        case .wheel(let wheel):
            guard gesture.phase != nil, gesture.translation != nil, let position = gesture.start ?? gesture.position
            else { return [] }
            open[Identity(gesture)] = .wheel(WheelMotion(wheel), device: device)
            return [.move(device: device, position)] + follow(gesture, at: time)
        case .steps(let keys):
            guard gesture.phase != nil, gesture.steps != nil else { return [] }
            open[Identity(gesture)] = .steps(keys, done: 0, device: device)
            return follow(gesture, at: time)
        }
    }

    /// Presses and releases chords. Keys that a gesture holds stay down.
    private mutating func type(_ chords: [Chord], on device: String, at time: Int64) -> [Stroke] {
        guard mayPress(chords.reduce(0) { $0 + $1.codes.count }, at: time) else { return [] }
        return chords.flatMap { type($0, on: device) }
    }

    private func type(_ chord: Chord, on device: String) -> [Stroke] {
        let codes = chord.codes.filter { held[device]?.contains($0) != true }
        return codes.isEmpty ? [] : [.press(codes, device: device), .release(codes.reversed(), device: device)]
    }

    /// Presses and releases the keys of the steps from one number to another. Steps beyond the limit are left for the next
    /// event of the dial.
    private mutating func type(
        _ keys: StepKeys, from done: Int, to steps: Int, on device: String, at time: Int64
    ) -> (strokes: [Stroke], reached: Int) {
        let chord = steps > done ? keys.clockwise : keys.counterclockwise
        guard !chord.codes.isEmpty else { return ([], steps) }
        var (strokes, reached): ([Stroke], Int) = ([], done)
        while reached != steps, mayPress(chord.codes.count, at: time) {
            strokes += type(chord, on: device)
            reached += steps > reached ? 1 : -1
        }
        return (strokes, reached)
    }

    private mutating func mayPress(_ count: Int, at time: Int64) -> Bool {
        if limit.allows(count, at: time) { return true }
        refused += 1
        return false
    }

    /// Turns the wheel as far as a drag has moved, or presses the keys of the steps that a dial has turned.
    private mutating func follow(_ gesture: GestureClient.Gesture, at time: Int64) -> [Stroke] {
        switch open[Identity(gesture)] {
        case .wheel(var motion, let device):
            let turn = gesture.translation.flatMap { motion.turn(to: $0) }
            open[Identity(gesture)] = .wheel(motion, device: device)
            return turn.map { [.turn($0, device: device)] } ?? []
        case .steps(let keys, let done, let device):
            let (strokes, reached) = type(keys, from: done, to: gesture.steps ?? done, on: device, at: time)
            open[Identity(gesture)] = .steps(keys, done: reached, device: device)
            return strokes
        case .hold, nil: return []
        }
    }

    /// - Parameter time: the time of the end; `nil` if no wheel runs on.
    private mutating func end(_ gesture: GestureClient.Gesture, at time: Int64? = nil) -> [Stroke] {
        switch open.removeValue(forKey: Identity(gesture)) {
        case .hold(let codes, let device):
            let released = held[device]?.release(codes) ?? []
            return released.isEmpty ? [] : [.release(released, device: device)]
        case .wheel(let motion, let device):
            guard let time, let wheel = WheelCoast(motion, after: gesture, at: time) else { return [] }
            coasts.removeAll { $0.wheel.device == device }
            coasts.append((wheel, gesture.time ?? 0))
            return []
        case .steps, nil: return []
        }
    }
}

/// A binding with its compiled globs.
struct Rule {
    let action: Binding.Action
    private let globs: GlobFilter
    private let gestures: [Glob]
    private let scenes: [Glob]?
    private let takesLeased: Bool

    init(_ binding: Binding) {
        action = binding.action
        takesLeased = binding.leased
        globs = GlobFilter(regions: binding.regions, devices: binding.devices, gestures: nil, names: nil)
        gestures = binding.gestures.map { Glob($0) }
        scenes = binding.scenes?.map { Glob($0) }
    }

    func matches(_ gesture: GestureClient.Gesture, scene: String) -> Bool {
        matches(region: gesture.region, kind: gesture.kind, name: gesture.name) && admits(isLeased: gesture.isLeased)
            && globs.passes(device: gesture.device) && matches(scene: scene)
    }

    /// Whether the binding applies to regions of the files, or to those that clients have defined.
    func admits(isLeased: Bool) -> Bool { takesLeased || !isLeased }

    /// Whether a gesture with this name or of this kind may match, in some scene.
    func matches(region: String, kind: GestureClient.Gesture.Kind, name: String) -> Bool {
        matches(kind: kind, name: name) && matches(region: region)
    }

    func matches(region: String) -> Bool { globs.passes(region: region, gesture: "", name: "") }

    func matches(device: String) -> Bool { globs.passes(device: device) }

    func matches(kind: GestureClient.Gesture.Kind, name: String) -> Bool {
        gestures.contains { $0.matches(name) || $0.matches(kind.rawValue) }
    }

    func matches(scene: String) -> Bool { scenes.map { $0.contains { $0.matches(scene) } } ?? true }
}
