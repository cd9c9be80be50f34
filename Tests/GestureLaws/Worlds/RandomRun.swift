// SPDX-License-Identifier: MIT
import GestureEngine

/// Generates the inputs of one engine from a seed: regions, hands, faults and reloads.
package struct RandomRun {
    private var random: RunRandom
    private let world: LawWorld
    private var steps: [LawRun.Step] = []
    private var hands: [Hand] = []
    private var nextID: Int64 = 1
    private var limit = 16
    private var reloads = 0
    private var landings: [Point] = []

    /// - Parameter frames: the approximate number of frames.
    package static func make(seed: UInt64, frames: Int) -> LawRun {
        var random = RunRandom(seed)
        random.isCoarse = isCoarse(seed)
        var maker = RandomWorld(random)
        maker.isPlain = isPlain(seed)
        let world = maker.make()
        var worlds = [world]
        if !maker.isPlain {
            for _ in 0..<random.below(4) { worlds.append(maker.changed(world)) }
        }
        var player = RandomRun(random, world)
        player.reloads = worlds.count
        while player.steps.count < frames * 2 { player.frame() }
        return LawRun(worlds: worlds, steps: player.steps)
    }

    /// Whether movements may be split in this run, which holds for every sixth seed.
    static func isPlain(_ seed: UInt64) -> Bool { seed % 6 == 5 }

    /// Whether distances and times are rounded in this run, so that they meet limits exactly. This holds for two of
    /// five seeds. A mirrored run may then decide a tie differently.
    static func isCoarse(_ seed: UInt64) -> Bool { seed % 5 < 2 }

    private init(_ random: RunRandom, _ world: LawWorld) {
        self.random = random
        self.world = world
        limit = self.random.pick([1, 1, 2, 2, 3, 5, 10, 16])
    }

    private mutating func frame() {
        let gap = gap()
        steps.append(.wait(gap))
        if random.chance(4) { interlude() }
        var changes: [ContactChange] = []
        if random.chance(1), random.chance(60) {
            cancelAll(&changes)
        } else {
            let isLost = random.chance(1)
            for i in hands.indices { play(i, milliseconds: Double(gap) / 1000, isLost: isLost, &changes) }
            hands.removeAll { $0.fingers.isEmpty }
            if random.chance(hands.isEmpty ? 40 : 5) { arrive(&changes) }
        }
        if random.chance(1) { stray(&changes) }
        changes.sort { $0.id < $1.id }
        steps.append(.frame(changes))
    }

    /// The time until the next frame, in microseconds.
    private mutating func gap() -> Int64 {
        switch random.below(100) {
        case ..<8: 0
        case ..<80: random.time(4_000, 17_000)
        case ..<90: random.time(17_000, 150_000)
        case ..<96: random.time(150_000, 900_000)
        case ..<98: random.time(900_000, 4_000_000)
        case ..<99: -random.time(0, 50_000)
        default: random.chance(20) ? random.time(4_000_000, 70_000_000) : 8_000
        }
    }

    /// Adds a step that is not a frame of contacts.
    private mutating func interlude() {
        switch random.below(10) {
        case 0, 1, 2: steps.append(.reload(random.below(reloads)))
        case 3: steps.append(.updates(random.chance(70)))
        case 4: steps.append(.failures(random.chance(70)))
        case 5: steps.append(.frame([]))
        default: steps.append(.advance)
        }
    }

    private mutating func cancelAll(_ changes: inout [ContactChange]) {
        let reason = random.pick(CancelReason.allCases)
        for hand in hands {
            for finger in hand.fingers {
                guard let id = finger.id else { continue }
                changes.append(ContactChange(id: id, kind: .cancelled(reason), position: finger.position))
            }
        }
        hands = []
    }

    private mutating func arrive(_ changes: inout [ContactChange]) {
        let down = hands.reduce(0) { $0 + $1.fingers.count }
        let count = min(random.pick([1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 5]), limit - down)
        guard count > 0 else { return }
        let place = place()
        landings.append(place)
        if landings.count > 3 { landings.removeFirst() }
        hands.append(Hand(at: place, fingers: count, &random))
        play(hands.count - 1, milliseconds: 0, isLost: false, &changes)
    }

    /// The position where a hand lands: the position of an earlier landing, one in a region, or any position.
    private mutating func place() -> Point {
        if !landings.isEmpty, random.chance(50) { return landings[random.below(landings.count)] }
        if random.chance(60) {
            let box = random.pick(world.regions).bounds
            return Hand.onGlass(
                Point(x: box.minX + box.width * random.unit(), y: box.minY + box.height * random.unit()), random)
        }
        return Hand.onGlass(Point(x: random.number(0, 200), y: random.number(0, 100)), random)
    }

    /// - Parameter isLost: whether the kernel has lost events: some contacts are gone, and the others have jumped.
    private mutating func play(
        _ hand: Int, milliseconds: Double, isLost: Bool, _ changes: inout [ContactChange]
    ) {
        hands[hand].move(milliseconds: milliseconds, &random)
        var i = 0
        while i < hands[hand].fingers.count {
            if let change = play(hand, i, isLost: isLost) { changes.append(change) }
            if hands[hand].fingers[i].life < 0 { hands[hand].fingers.remove(at: i) } else { i += 1 }
        }
    }

    private mutating func play(_ hand: Int, _ i: Int, isLost: Bool) -> ContactChange? {
        let finger = hands[hand].fingers[i]
        guard let id = finger.id else {
            hands[hand].fingers[i].delay -= 1
            guard finger.delay <= 0 else { return nil }
            let position = hands[hand].position(finger, &random)
            let id = ContactID(nextID)
            nextID += 1
            hands[hand].fingers[i].id = id
            hands[hand].fingers[i].position = position
            return ContactChange(id: id, kind: .landed, position: position)
        }
        hands[hand].fingers[i].life -= 1
        if finger.life <= 0 {
            hands[hand].fingers[i].life = -1
            let kind: ContactChange.Kind = random.chance(4) ? .cancelled(random.pick(CancelReason.allCases)) : .lifted
            return ContactChange(id: id, kind: kind, position: finger.position)
        }
        if isLost, random.chance(40) {
            hands[hand].fingers[i].life = -1
            return ContactChange(id: id, kind: .cancelled(.syncLost), position: finger.position)
        }
        guard isLost || random.chance(85) else { return nil }
        let position = hands[hand].position(finger, &random)
        hands[hand].fingers[i].position = position
        return ContactChange(id: id, kind: isLost ? .resynchronized : .moved, position: position)
    }

    /// Adds a change of an unknown contact, which must have no effect.
    private mutating func stray(_ changes: inout [ContactChange]) {
        let id = ContactID(nextID + 1_000_000)
        let kind: ContactChange.Kind = random.pick([.moved, .lifted, .resynchronized, .cancelled(.palm)])
        changes.append(ContactChange(id: id, kind: kind, position: Point(x: 1, y: 1)))
    }
}
