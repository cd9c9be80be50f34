// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("The rows of kinds")
struct KindRowTests {
    @Test("have the settings of their kind, and keys with different names", arguments: GestureKind.allCases)
    func rows(kind: GestureKind) {
        let row = kind.row
        #expect(row.kind == kind && row.standard.kind == kind)
        #expect(!row.keys.isEmpty && Set(row.keys.map(\.name)).count == row.keys.count)
        #expect(row.keys.map { row.key($0.name)?.shape } == row.keys.map(\.shape))
        #expect(row.key("no_such_key") == nil)
    }

    @Test("have different words")
    func words() { #expect(Set(KindRow.all.map(\.word)).count == GestureKind.allCases.count) }

    /// A key that shares its property with another one, or sets none, would fail this.
    @Test("have keys that set one property each", arguments: GestureKind.allCases)
    func values(kind: GestureKind) {
        let row = kind.row
        for key in row.keys {
            let standard = key.get(row.standard)
            #expect(key.shape.samples.contains { $0 != standard }, "\(key.name)")
            for sample in key.shape.samples {
                var settings = row.standard
                key.set(sample, &settings)
                #expect(key.get(settings) == sample, "\(key.name)")
                #expect((settings == row.standard) == (sample == standard) || key.name == "attempts", "\(key.name)")
                for other in row.keys where other.name != key.name {
                    #expect(other.get(settings) == other.get(row.standard), "\(key.name) changes \(other.name)")
                }
            }
        }
    }

    @Test("ignore values of other shapes, and settings of other kinds", arguments: GestureKind.allCases)
    func foreign(kind: GestureKind) {
        let row = kind.row
        let values = Set(KindRow.all.flatMap(\.keys).flatMap(\.shape.samples))
        for key in row.keys {
            var settings = row.standard
            for value in values where !Self.isOf(key.shape, value) { key.set(value, &settings) }
            #expect(settings == row.standard, "\(key.name)")
            for other in KindRow.all where other.kind != kind {
                var settings = other.standard
                for sample in key.shape.samples { key.set(sample, &settings) }
                #expect(settings == other.standard && key.get(settings) == .off, "\(key.name)")
            }
        }
    }

    /// Whether a value has the type of the shape's values.
    private static func isOf(_ shape: SettingShape, _ value: SettingValue) -> Bool {
        switch (shape, value) {
        case (.flag, .flag), (.oneOrAny, .flag), (.count, .count), (.degrees, .number), (.ratio, .number),
            (.length, .number), (.speed, .number), (.time, .time), (.word, .words), (.words, .words),
            (.path, .words), (.counts, .counts), (.templates, .templates), (.steps, .steps), (.orOff, .off):
            true
        case (.orOff(let shape), _): isOf(shape, value)
        default: false
        }
    }
}
