// SPDX-License-Identifier: MIT
package import GestureEngine

/// The values that a key may have. Schemas are made of forms, by a reader that notes them instead of reading a value.
package indirect enum ValueForm {
    case flag
    case whole(ClosedRange<Int64>)
    /// A number. If it is open, it must be more than the lower bound.
    case number(ClosedRange<Double>, isOpen: Bool)
    case text
    /// A text of a few bytes on one line, which may have to match a regular expression.
    case label(matching: String?)
    case identifier, path, length, speed, time, coordinate
    case choice([Choice])
    case list(ValueNote, ClosedRange<Int>)
    /// A list with one element for each note.
    case tuple([ValueNote])
    case either([ValueForm])
    case orOff(ValueForm)
    case table([KeyForm])
    /// A gesture's word or table, and the table of a kind in `defaults`.
    case gesture, settings(KindRow)
    /// A number of fingers, a range such as `"1..3"`, or `"any"`.
    case fingers(ClosedRange<Int>)
    /// The points of a template or of several, and a step of a pattern.
    case templates, step

    /// A word, or the text of a number, and what it means.
    package struct Choice {
        package let text: String
        package let isNumber: Bool
        package let value: Any

        init(_ text: String, isNumber: Bool = false, _ value: Any) {
            (self.text, self.isNumber, self.value) = (text, isNumber, value)
        }
    }
}

/// A setting that is written as a text.
package protocol TextSetting {
    /// The setting as in a file.
    var text: String { get }
}

/// The notes of a reader about a value.
package final class ValueNote {
    /// The form; `nil` if the reader has noted none.
    package internal(set) var form: ValueForm?
    /// The value in force if no file has the key; `nil` if there is none.
    package internal(set) var standard: Any?

    /// Notes what a function would read.
    /// - Parameter name: the name of the value.
    package init<Value>(_ name: String = "", _ read: (ValueReader) -> Value) {
        _ = read(ValueReader(name, noting: self))
    }

    /// A note that a reader fills later.
    init() {}
}

/// A key of a table, with the note about its value.
package struct KeyForm {
    package let name: String
    package let note: ValueNote
}

extension Key {
    /// - Parameter target: the settings of a table without keys.
    package func form(in target: Target) -> KeyForm {
        var target = target
        return KeyForm(name: name, note: ValueNote(name) { read($0, &target) })
    }
}

extension Setting {
    /// The values that the key may have.
    package var note: ValueNote { ValueNote(name) { shape.read($0) } }
}

extension Configuration {
    /// The keys of a file.
    package static var forms: [KeyForm] { keys.map { $0.form(in: Configuration()) } }

    /// The keys that a gesture has besides those of its kind.
    package static func gestureForms(_ type: GestureType) -> [KeyForm] {
        let place = SourceLocation(file: "")
        let draft = GestureDraft(rule: GestureRule(name: "", location: place, type: type, overrides: []))
        return GestureDraft.keys.map { $0.form(in: draft) }
    }
}
