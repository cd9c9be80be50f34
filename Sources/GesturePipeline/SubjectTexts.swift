// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol

/// What is the same in every line of one gesture, written once, for all gestures of a panel.
struct SubjectTexts: Sendable {
    /// One gesture of one region.
    struct Subject: Sendable, BitwiseCopyable {
        /// Where its text begins: `,"gesture":…,"name":…`, then `,"region":…,"device":…`.
        fileprivate var start: Int
        fileprivate var nameLength: Int
        fileprivate var placeLength: Int
        var bounds: Rectangle
        var kind: GestureKind
        /// A swipe with `max_deviation`.
        var isStrict: Bool
    }

    private let subjects: [Subject]
    /// Where each region's gestures begin in `subjects`.
    private let first: [Int]
    private let text: [UInt8]

    init(_ regions: [Region], device: String) {
        var subjects: [Subject] = []
        var first: [Int] = []
        var text = LineBuffer()
        for region in regions {
            first.append(subjects.count)
            for gesture in region.gestures {
                let start = text.count
                text.appendKey("gesture")
                text.appendQuoted(gesture.word)
                text.appendKey("name")
                text.appendQuoted(gesture.name)
                let place = text.count
                text.appendKey("region")
                text.appendQuoted(region.id)
                text.appendKey("device")
                text.appendQuoted(device)
                subjects.append(
                    Subject(
                        start: start, nameLength: place - start, placeLength: text.count - place,
                        bounds: region.bounds, kind: gesture.settings.kind, isStrict: gesture.settings.isStrictSwipe))
            }
        }
        self.subjects = subjects
        self.first = first
        self.text = text.withBytes { Array($0) }
    }

    /// The number of a region's gesture among all of the panel.
    func index(_ region: Int, _ gesture: Int) -> Int { first[region] + gesture }

    /// Tells `body` what is written of a gesture, before and behind its phase; valid until it returns.
    @inline(__always)
    func withText(
        of index: Int,
        _ body: (_ subject: Subject, _ name: UnsafeBufferPointer<UInt8>, _ place: UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let subject = subjects[index]
        text.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress.map({ $0 + subject.start }) else { return }
            body(
                subject, UnsafeBufferPointer(start: start, count: subject.nameLength),
                UnsafeBufferPointer(start: start + subject.nameLength, count: subject.placeLength))
        }
    }
}

extension GestureSettings {
    /// A swipe with `max_deviation`.
    fileprivate var isStrictSwipe: Bool {
        if case .swipe(let swipe) = self { swipe.maxDeviation != nil } else { false }
    }
}
