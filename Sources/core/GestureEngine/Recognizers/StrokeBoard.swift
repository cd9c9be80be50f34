// SPDX-License-Identifier: MIT

/// The paths of the contacts and the scores at the lift of the one that draws, which the strokes of one region share.
///
/// The region's strokes change this object. A path is bounded, and is allocated when its contact lands.
final class StrokeBoard {
    struct Result {
        /// The length of the path in millimetres.
        var length = 0.0
        var score = 0.0
        /// The position from which the path is compared.
        var start = Point.zero

        /// The score in the ten-thousandths that clients are told. Smaller differences are rounding errors.
        var told: Double { (score * 10_000).rounded() }
    }

    /// Where a contact has been since its landing.
    private struct Path {
        let contact: ContactID
        var marks: [StrokeMark] = []
        /// The least distance between two points. It doubles when the path is full.
        var spacing = 0.5

        init(_ member: ContactGroup.Member) {
            contact = member.id
            marks.reserveCapacity(StrokeBoard.capacity)
            marks.append(StrokeMark(at: member.origin, after: nil))
        }

        /// Adds a position, unless it is close to the last one.
        /// - Returns: whether it was added.
        mutating func record(_ position: Point) -> Bool {
            guard let last = marks.last, (position - last.position).squaredLength >= spacing * spacing else {
                return false
            }
            if marks.count == StrokeBoard.capacity { thin() }
            marks.append(StrokeMark(at: position, after: last))
            return true
        }

        /// Removes every second point, but not the last one.
        private mutating func thin() {
            spacing *= 2
            var kept = 0
            for place in marks.indices where place % 2 == 0 || place == marks.count - 1 {
                marks[kept] = marks[place]
                kept += 1
            }
            marks.removeLast(marks.count - kept)
        }
    }

    private struct Entry {
        let settings: StrokeSettings
        let tolerance: StrokeTolerance
        /// The start of the path for this stroke; `nil` while it follows no contact.
        var start: StrokeMark?
        var result = Result()

        /// Whether the stroke would be recognized if there were no other.
        var meetsLimits: Bool {
            start != nil && !settings.minLength.exceeds(result.length) && result.score >= settings.minScore
        }
    }

    /// The largest number of points of the path.
    private static let capacity = 128
    /// The least distance between two points that are compared: a part of the longer side of the path's bounding box, within
    /// limits in millimetres. With less, the tremble of a finger (0.2 mm) makes a path longer where it is slow, which moves
    /// the points that are compared; with more, the corners of small shapes are cut off.
    private static let detail = (part: 0.05, limits: 0.5...1.5)

    private var entries: [Entry] = []
    private var paths: [Path] = []
    /// The part of a path that is compared.
    private var compared: [StrokeMark] = []
    private var shape = StrokeShape()
    /// The end of the path for which the results hold; `nil` if they are out of date.
    private var evaluated: Point?

    init() { compared.reserveCapacity(Self.capacity + 2) }

    /// Adds a stroke, in the order of the configuration.
    /// - Returns: its number.
    func add(_ settings: StrokeSettings) -> Int {
        let tolerance = StrokeTolerance(degrees: settings.rotation, closed: settings.closed)
        entries.append(Entry(settings: settings, tolerance: tolerance))
        return entries.count - 1
    }

    // MARK: The paths

    /// Starts paths for the contacts that have none.
    func follow(_ group: ContactGroup) {
        for member in group.members where !member.isClaimed && path(of: member.id) == nil {
            paths.append(Path(member))
        }
    }

    /// Continues the paths. A single report in which a contact jumps is an error of the panel.
    func record(_ group: ContactGroup) {
        for place in paths.indices {
            guard let member = group.index(of: paths[place].contact), !group.members[member].hasJumped else { continue }
            if paths[place].record(group.members[member].position) { evaluated = nil }
        }
    }

    func forget(_ id: ContactID) { paths.removeAll { $0.contact == id } }

    private func path(of id: ContactID) -> Int? { paths.firstIndex { $0.contact == id } }

    /// Takes the part of a path that is compared.
    private func take(_ path: [StrokeMark], from start: StrokeMark, to end: Point) {
        var (low, high) = (start.position, start.position)
        func include(_ point: Point) {
            low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
            high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        for mark in path where mark.length > start.length { include(mark.position) }
        include(end)
        let size = max(high.x - low.x, high.y - low.y)
        let least = min(max(size * Self.detail.part, Self.detail.limits.lowerBound), Self.detail.limits.upperBound)
        var last = StrokeMark(at: start.position, after: nil)
        compared.removeAll(keepingCapacity: true)
        compared.append(last)
        for mark in path where mark.length > start.length {
            guard (mark.position - last.position).squaredLength >= least * least else { continue }
            last = StrokeMark(at: mark.position, after: last)
            compared.append(last)
        }
        compared.append(StrokeMark(at: end, after: last))
    }

    // MARK: The strokes

    /// Includes a stroke in the comparison of a contact's path.
    /// - Parameter position: the position of the contact from which the path is compared; `nil`: from its landing.
    func open(_ number: Int, _ id: ContactID, from position: Point?) {
        guard let path = path(of: id).map({ paths[$0].marks }) else { return }
        entries[number].start = position.map { StrokeMark(at: $0, after: path.last) } ?? path.first
        evaluated = nil
    }

    /// Excludes a stroke. Without strokes, no contact is followed. The results of the others still hold.
    func close(_ number: Int) {
        entries[number].start = nil
        for entry in entries where entry.start != nil { return }
        paths.removeAll(keepingCapacity: true)
    }

    /// Compares the path of a contact with the templates of all strokes that are included.
    /// - Parameter position: the position of the contact, which is the end of the path.
    func evaluate(_ id: ContactID, to position: Point) {
        guard evaluated != position, let path = path(of: id).map({ paths[$0].marks }) else { return }
        evaluated = position
        var sampled: StrokeMark?
        for place in entries.indices {
            guard let start = entries[place].start else { continue }
            if sampled != start {
                take(path, from: start, to: position)
                shape.sample(compared)
            }
            sampled = start
            entries[place].result = Result(
                length: compared.last?.length ?? 0,
                score: entries[place].tolerance.score(shape, entries[place].settings.templates), start: start.position)
        }
    }

    /// The result of a stroke after `evaluate`.
    func result(_ number: Int) -> Result { entries[number].result }

    /// The score of the best other stroke that meets its limits, if it is better than this one or is equally good and
    /// comes first in the configuration.
    func best(except number: Int) -> Double? {
        let own = entries[number].result.told
        var best: Double?
        for place in entries.indices where place != number && entries[place].meetsLimits {
            let (score, told) = (entries[place].result.score, entries[place].result.told)
            guard told > own || told == own && place < number else { continue }
            best = max(best ?? score, score)
        }
        return best
    }
}
