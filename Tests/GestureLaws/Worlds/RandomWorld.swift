// SPDX-License-Identifier: MIT
import GestureEngine

/// Generates unusual regions that are nested or overlap, with gestures of all kinds.
struct RandomWorld {
    /// Whether regions are not nested and gestures do not depend on each other, so that movements may be split.
    var isPlain = false
    private var random: RunRandom

    init(_ random: RunRandom) {
        self.random = random
    }

    mutating func make() -> LawWorld {
        var regions: [Region] = []
        for i in 0..<(1 + random.below(isPlain ? 4 : 10)) { regions.append(region(i, regions)) }
        if random.chance(60), !isPlain { regions[random.below(regions.count)].gestures.append(pattern(regions)) }
        return LawWorld(regions, arbitration: isPlain ? ArbitrationSettings() : arbitration(regions))
    }

    /// The world with one random change, as after a reload.
    mutating func changed(_ world: LawWorld) -> LawWorld {
        var new = world
        let i = random.below(new.regions.count)
        let last = new.regions.regionIndices.last
        switch random.below(6) {
        case 0: new.regions[i].isEnabled.toggle()
        case 1: new.regions[i].leaveDistance += 0.5
        case 2: new.regions[i].gestures = gestures()
        case 3 where new.regions.count > 1 && !new.regions.contains(where: { $0.parent == last }):
            new.regions.removeLast()
        case 4: new.regions.append(region(new.regions.count, new.regions))
        default: new.arbitration = arbitration(new.regions)
        }
        return new
    }

    private mutating func region(_ index: Int, _ others: [Region]) -> Region {
        let parent = others.isEmpty || isPlain || random.chance(55) ? nil : RegionIndex(raw: random.below(others.count))
        let around = parent.map { others[$0].bounds } ?? Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100)
        let shape = isPlain ? strip(index) : shape(in: around)
        var region = Region(
            id: "r\(index)", shape: shape, bounds: shape.boundingBox, clip: around, parent: parent,
            gestures: gestures())
        guard !isPlain else { return region }
        if random.chance(15) { region.z = random.below(5) - 2 }
        if random.chance(20) { region.margin = random.length(0.5, 6) }
        region.pass = random.chance(12)
        region.isEnabled = !random.chance(8)
        region.leaveDistance = random.chance(80) ? 4 : random.length(0, 10)
        if random.chance(12) { region.capture = .follow }
        if random.chance(25) { region.contacts = random.chance(60) ? .each : .near }
        if random.chance(12) { region.restAfter = Interval(microseconds: random.time(1000, 800_000)) }
        return region
    }

    private func strip(_ index: Int) -> Shape {
        let left = Double(index % 5) * 40
        return .rectangle(Rectangle(minX: left, minY: 0, maxX: left + 37.3, maxY: 99.1))
    }

    private mutating func shape(in around: Rectangle) -> Shape {
        if random.chance(15) { return .rectangle(around) }
        let width = random.length(4, max(8, around.width))
        let height = random.length(4, max(8, around.height))
        let left = around.minX + random.length(0, max(1, around.width - width / 2))
        let top = around.minY + random.length(0, max(1, around.height - height / 2))
        switch random.below(10) {
        case 0, 1:
            return .circle(center: Point(x: left + width / 2, y: top + height / 2), radius: min(width, height) / 2)
        case 2:
            return .polygon([
                Point(x: left, y: top), Point(x: left + width, y: top + height / 3),
                Point(x: left + width / 2, y: top + height / 2), Point(x: left + width / 3, y: top + height),
            ])
        default:
            return .rectangle(Rectangle(minX: left, minY: top, maxX: left + width, maxY: top + height))
        }
    }

    private mutating func gestures() -> [Gesture] {
        var gestures: [Gesture] = []
        var maker = RandomGesture(RunRandom(random.seed()), isCoarse: random.isCoarse)
        for i in 0..<random.below(isPlain ? 5 : 7) {
            var gesture = maker.make("g\(i)", isPlain: isPlain)
            // A gesture refers only to earlier ones, so that none waits for itself.
            if i > 0, !isPlain {
                if random.chance(10) { gesture.after = ["g\(random.below(i))"] }
                if random.chance(12) { gesture.unless = ["g\(random.below(i))"] }
                gesture.exclusive = random.chance(7)
            }
            gestures.append(gesture)
        }
        return gestures
    }

    private mutating func pattern(_ regions: [Region]) -> Gesture {
        let candidates = regions.filter { !$0.gestures.isEmpty }
        var steps: [PatternSettings.Step] = []
        for _ in 0..<(1 + random.below(3)) where !candidates.isEmpty {
            let region = random.pick(candidates)
            steps.append(.init(gesture: random.pick(region.gestures).name, region: region.id))
        }
        var maker = RandomGesture(RunRandom(random.seed()), isCoarse: random.isCoarse)
        var settings = maker.settings(.pattern, isPlain: false)
        GestureKind.pattern.row.key("steps")?.set(.steps(steps), &settings)
        return Gesture(name: "secret", word: "pattern", settings: settings)
    }

    private mutating func arbitration(_ regions: [Region]) -> ArbitrationSettings {
        var settings = ArbitrationSettings()
        let references = regions.flatMap { region in
            region.gestures.map { ArbitrationSettings.Reference(region: region.id, gesture: $0.name) }
        }
        for _ in 0..<random.below(4) where references.count > 1 && random.chance(60) {
            settings.simultaneous.append(.init(random.pick(references), random.pick(references)))
        }
        if random.chance(30) {
            for kind in GestureKind.allCases where random.chance(40) { settings.priority.append(kind) }
            if random.chance(50) { settings.priority.reverse() }
        }
        return settings
    }
}
