// SPDX-License-Identifier: MIT

/// The settings of one kind of gesture, and the factory of its recognizer.
protocol RecognizerSettings: Sendable {
    static var keys: [Setting] { get }
    /// The minimum number of contacts that take part; 0 if the kind observes other gestures instead.
    var fingers: Int { get }
    /// The number of one-finger taps that must directly precede the gesture.
    var taps: Int { get }
    /// The directions that the gesture distinguishes; empty for a kind without directions.
    var swipeDirections: [SwipeDirection] { get }

    /// The numbers of contacts with which it can begin.
    var fingerRange: ClosedRange<Int> { get }
    /// The shortest movement with which it can begin, in millimetres; 0 if another measure decides.
    var leastMovement: Double { get }
    /// Whether a movement (y down) has a direction that the gesture accepts.
    func accepts(_ moved: Vector) -> Bool
    /// The words of the directions that it accepts; empty if it accepts all.
    var directionWords: [String] { get }

    /// When the gesture is decided.
    var decision: Decision { get }
    var latestFailure: LatestFailure { get }
    var demand: Demand { get }

    /// Whether the recognizer depends on contacts being inside the region.
    var watchesInside: Bool { get }

    /// Creates the recognizer of a gesture.
    /// - Parameters:
    ///   - region: the region of the gesture.
    ///   - isAwaited: whether another gesture waits for the failure of this one.
    /// - Returns: `nil` if the kind receives no contacts.
    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer?
}

extension RecognizerSettings {
    var taps: Int { 0 }
    var swipeDirections: [SwipeDirection] { [] }
    var fingerRange: ClosedRange<Int> { fingers...fingers }
    var leastMovement: Double { 0 }
    func accepts(_ moved: Vector) -> Bool { true }
    var directionWords: [String] { swipeDirections.map(\.word) }
    var watchesInside: Bool { false }
}
