// SPDX-License-Identifier: MIT
import GestureProtocol

/// One line for a person from one event line of the daemon.
///
/// `14:03:07.123  carousel      swipe "page"           left  41.3 mm  310.0 mm/s  133 ms  at 511.0,430.0`
struct EventFormatter {
    var colors: Colors
    /// Columns grow with what they have to hold, so that lines stay lined up.
    private var regionWidth = 12
    private var gestureWidth = 18

    init(colors: Colors) {
        self.colors = colors
    }

    /// - Parameters:
    ///   - event: a line with the key `event`.
    ///   - time: when it came, as it shall be shown.
    mutating func line(_ event: JSONValue, time: String) -> String {
        let text =
            switch event["event"]?.string {
            case "gesture": gesture(event)
            case "failed": failed(event)
            case let kind: notice(event, kind ?? "")
            }
        return colors.paint(time, .dim) + "  " + text + "\n"
    }

    private mutating func gesture(_ event: JSONValue) -> String {
        let kind = word(event, "gesture")
        let phase = word(event, "phase")
        var parts = [column(event, phase: phase)]
        if phase == "cancel" { parts.append(colors.paint(word(event, "reason"), .red)) }
        parts += event.members.compactMap { Self.number($0, of: kind) }
        if let x = event["x"]?.number, let y = event["y"]?.number {
            parts.append(colors.paint("at \(x),\(y)", .dim))
        }
        return parts.joined(separator: "  ")
    }

    /// `swipe "page" failed: 612 ms > max_time 500 ms`
    private mutating func failed(_ event: JSONValue) -> String {
        let region = word(event, "region")
        regionWidth = min(32, max(regionWidth, region.count))
        return colors.paint(Table.pad(region, regionWidth), .bold) + "  "
            + colors.paint("\(label(event)) failed:", .red) + " " + FailureText.text(event)
    }

    /// Region and gesture, padded before they are coloured.
    private mutating func column(_ event: JSONValue, phase: String) -> String {
        let region = word(event, "region")
        let label = [label(event), phase].filter { !$0.isEmpty }.joined(separator: " ")
        regionWidth = min(32, max(regionWidth, region.count))
        gestureWidth = min(40, max(gestureWidth, label.count))
        return colors.paint(Table.pad(region, regionWidth), .bold) + "  "
            + colors.paint(Table.pad(label, gestureWidth), Self.color(of: word(event, "gesture"), phase: phase))
    }

    /// The kind, and the name if it has one of its own: `swipe "page"`.
    private func label(_ event: JSONValue) -> String {
        let kind = word(event, "gesture")
        let name = word(event, "name")
        return name == kind || name.isEmpty ? kind : "\(kind) \"\(name)\""
    }

    private static func color(of kind: String, phase: String) -> Colors.Color {
        if phase == "cancel" { return .red }
        return switch kind {
        case "press": .dim
        case "swipe", "drag": .blue
        case "long_press", "repeat": .yellow
        case "pinch", "rotate": .magenta
        default: .green
        }
    }

    /// What this kind of gesture has to say; nil for what is shown elsewhere or says nothing.
    private static func number(_ member: (key: String, value: JSONValue), of kind: String) -> String? {
        let text = member.value.text.safe
        switch member.key {
        case "event", "seq", "gesture", "name", "phase", "region", "device", "sequence", "time_us", "reason": return nil
        case "x", "y", "u", "v", "start", "predicted", "wall_ms": return nil
        case "fingers": return member.value.integer == 1 ? nil : "\(text) fingers"
        case "count": return member.value.integer == 1 ? nil : "\(text) taps"
        case "inside": return member.value.bool == true ? "inside" : "outside"
        case "duration_ms": return "\(text) ms"
        case "held_ms": return "held \(text) ms"
        case "distance_mm": return "\(text) mm"
        case "velocity_mm_s": return "\(text) mm/s"
        case "direction": return text
        case "angle": return "\(text)°"
        case "rotation": return "\(text)°"
        case "n": return "#\(text)"
        default: return text.isEmpty ? nil : "\(member.key) \(text)"
        }
    }

    /// Lines that are about the daemon or a panel.
    private func notice(_ event: JSONValue, _ kind: String) -> String {
        switch kind {
        case "hello": return colors.paint("connected to \(word(event, "server"))", .dim)
        case "state": return state(event)
        case "device":
            return colors.paint("panel \(word(event, "device")) \(word(event, "change"))", .cyan) + device(event)
        case "config": return config(event)
        case "touches": return touches(event)
        case "overflow":
            let count = event["dropped"]?.text ?? "some"
            return colors.paint("\(count) lines lost: this terminal was too slow", .red)
        case "bye": return colors.paint("the daemon says goodbye: \(word(event, "reason"))", .yellow)
        default: return colors.paint(kind.safe, .dim)
        }
    }

    private func state(_ event: JSONValue) -> String {
        let devices = event["devices"]?.elements ?? []
        let panels = devices.map { "\(word($0, "device")) \(word($0, "state"))" }.joined(separator: ", ")
        return colors.paint(panels.isEmpty ? "no panel" : "panels: \(panels)", .dim)
    }

    private func device(_ event: JSONValue) -> String {
        let place = [word(event, "name"), word(event, "node")].filter { !$0.isEmpty }.joined(separator: ", ")
        let reason = word(event, "reason")
        return (place.isEmpty ? "" : "  \(place)") + (reason.isEmpty ? "" : ": \(reason)")
    }

    private func config(_ event: JSONValue) -> String {
        let change = word(event, "change")
        if change == "scene" || change == "regions" {
            let what = change == "scene" ? "scene \(word(event, "scene"))" : "regions changed by a client"
            return colors.paint(what, .cyan)
        }
        let head = colors.paint("configuration \(change)", change == "rejected" ? .red : .cyan)
        return ([head] + (event["diagnostics"]?.elements ?? []).map { DiagnosticText.line($0) })
            .joined(separator: "\n  ")
    }

    private func touches(_ event: JSONValue) -> String {
        let contacts = (event["contacts"]?.elements ?? []).map { contact in
            let place = "\(word(contact, "x")),\(word(contact, "y"))"
            let region = word(contact, "region")
            return "\(word(contact, "id")) at \(place)" + (region.isEmpty || region == "none" ? "" : " in \(region)")
        }
        let text = contacts.isEmpty ? "no contacts" : contacts.joined(separator: "; ")
        return "\(word(event, "device"))  \(text)"
    }

    private func word(_ json: JSONValue, _ key: String) -> String { (json[key]?.text ?? "").safe }
}
