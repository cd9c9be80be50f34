// SPDX-License-Identifier: MIT
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol

/// Formats the daemon's event lines as readable text.
///
/// `14:03:07.123  carousel      swipe "page"           left  41.3 mm  310 mm/s  133 ms  at 511,430`
struct EventFormatter {
    var colors: Colors
    var layout = TextLayout()
    /// Widths of columns, which grow as needed and never shrink, so that later lines stay aligned.
    private(set) var regionWidth = 12
    private(set) var gestureWidth = 18

    /// - Parameters:
    ///   - event: a line with the key `event`.
    ///   - time: the time of the line, formatted.
    mutating func line(_ event: JSONValue, time: String) -> String {
        let kind = event["event"]?.string ?? ""
        let text =
            switch kind {
            case "gesture": gesture(event)
            case "failed": failed(event)
            default: notice(event, kind)
            }
        // The second line of a gesture begins below its values.
        let indent = time.columns + 2 + (kind == "gesture" ? regionWidth + gestureWidth + 4 : 0)
        let lines = (colors.paint(time, .dim) + "  " + text).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.flatMap { layout.wrap(String($0), indent: TextLayout.blanks(indent)) }.joined(separator: "\n")
            + "\n"
    }

    private mutating func gesture(_ event: JSONValue) -> String {
        let kind = text(event, "gesture")
        let phase = text(event, "phase")
        let label = [label(event), phase].filter { !$0.isEmpty }.joined(separator: " ")
        gestureWidth = min(40, max(gestureWidth, label.columns))
        let column = colors.paint(Table.pad(label, gestureWidth), Self.color(of: kind, phase: phase))
        let head =
            region(event) + column
            + (phase == "cancel" ? "  " + colors.paint(cancelText(text(event, "reason")), .red) : "")
        var parts = event.members.compactMap { Self.number($0, of: kind) }
        if let x = event["x"]?.number, let y = event["y"]?.number {
            parts.append(colors.paint("at \(shortest(x)),\(shortest(y))", .dim))
        }
        // A value and its unit stay in one line.
        return head + parts.map { "  " + $0.replacing(" ", with: "\u{A0}") }.joined()
    }

    /// Returns a text such as `swipe "page" failed: 612 ms > max_time 500 ms`.
    private mutating func failed(_ event: JSONValue) -> String {
        region(event) + colors.paint("\(label(event)) failed:", .red) + " "
            + GestureClient.Failure(event).safe.shortText
    }

    /// Returns the column of the region, padded before it is coloured.
    private mutating func region(_ event: JSONValue) -> String {
        let region = text(event, "region")
        regionWidth = min(32, max(regionWidth, region.columns))
        return colors.paint(Table.pad(region, regionWidth), .bold) + "  "
    }

    /// Returns the kind, and the name if it differs: `swipe "page"`.
    private func label(_ event: JSONValue) -> String {
        let kind = text(event, "gesture")
        let name = text(event, "name")
        return name.isEmpty ? kind : gestureLabel(kind, name)
    }

    private static func color(of kind: String, phase: String) -> Colors.Color {
        if phase == "cancel" { return .red }
        let row = GestureType(kind)?.kind.row
        return switch row?.motion {
        // A press accompanies other gestures.
        case .touch where row?.kind == .press: .dim
        case .path: .blue
        case .hold: .yellow
        case .span, .turn, .circle: .magenta
        case .touch, .otherGestures, nil: .green
        }
    }

    /// Returns the text of one value of a gesture; `nil` if it is shown elsewhere or has no meaning for this kind.
    private static func number(_ member: (key: String, value: JSONValue), of kind: String) -> String? {
        let text = Self.text(member.value)
        switch member.key {
        case "event", "seq", "gesture", "name", "phase", "region", "device", "sequence", "time_us", "reason": return nil
        case "x", "y", "u", "v", "start", "predicted", "wall_ms": return nil
        case "fingers": return member.value.integer == 1 ? nil : "\(text) fingers"
        case "count": return member.value.integer == 1 ? nil : "\(text) taps"
        case "leased": return "leased"
        case "inside": return member.value.bool == false ? "outside" : nil
        case "held_ms": return "held \(text) ms"
        case "direction": return text
        case "angle", "rotation": return "\(text)°"
        case "n": return "#\(text)"
        default:
            if text.isEmpty { return nil }
            let unit = units.first(where: { member.key.hasSuffix($0.ending) })?.unit
            return unit.map { text + $0 } ?? "\(member.key) \(text)"
        }
    }

    /// The units of keys that end with one.
    private static let units: [(ending: String, unit: String)] = [
        ("_mm_s", " mm/s"), ("_deg_s", "°/s"), ("_ms", " ms"), ("_mm", " mm"),
    ]

    /// Returns the text of a line about the daemon or a panel.
    private func notice(_ event: JSONValue, _ kind: String) -> String {
        switch kind {
        case "hello": return colors.paint("connected to \(text(event, "server"))", .dim)
        case "state": return state(event)
        case "idle": return idle(event)
        case "wake": return colors.paint("wake \(text(event, "device")): the display was off", .cyan)
        case "device":
            return colors.paint("panel \(text(event, "device")) \(text(event, "change"))", .cyan) + device(event)
        case "config": return config(event)
        case "touches": return touches(event)
        case "overflow":
            let count = event["dropped"]?.displayText ?? "some"
            return colors.paint("\(count) lines lost: this terminal was too slow", .red)
        case "bye": return colors.paint("the daemon closes the connection: \(text(event, "reason"))", .yellow)
        default: return colors.paint(kind.safe, .dim)
        }
    }

    private func idle(_ event: JSONValue) -> String {
        let seconds = Double(event["idle_ms"]?.integer ?? 0) / 1000
        let reason = text(event, "reason")
        let what = reason.isEmpty ? "begins after" : "ends (\(reason)) after"
        return colors.paint("idle \"\(text(event, "name"))\" \(what) \(shortest(seconds)) s", .cyan)
    }

    private func state(_ event: JSONValue) -> String {
        let devices = event.list("devices")
        let panels = devices.map { "\(text($0, "device")) \(text($0, "state"))" }.joined(separator: ", ")
        return colors.paint(panels.isEmpty ? "no panel" : "panels: \(panels)", .dim)
    }

    private func device(_ event: JSONValue) -> String {
        let place = [text(event, "name"), text(event, "node")].filter { !$0.isEmpty }.joined(separator: ", ")
        let reason = text(event, "reason")
        return (place.isEmpty ? "" : "  \(place)") + (reason.isEmpty ? "" : ": \(reason)")
    }

    private func config(_ event: JSONValue) -> String {
        let change = text(event, "change")
        switch change {
        case "scene":
            let time = event["scene_for_ms"]?.integer.map { " for \(durationText(milliseconds: $0))" } ?? ""
            return colors.paint("scene \(text(event, "scene"))\(time)", .cyan)
        case "profile":
            return colors.paint("profile \(event.profile.safe)", .cyan)
        case "regions", "output": return colors.paint("\(change) changed by a client", .cyan)
        default: break
        }
        let head = colors.paint("configuration \(change)", change == "rejected" ? .red : .cyan)
        return ([head] + event.list("diagnostics").map { GestureClient.Diagnostic($0).text })
            .joined(separator: "\n  ")
    }

    private func touches(_ event: JSONValue) -> String {
        let contacts = event.list("contacts").map { contact in
            let place = "\(text(contact, "x")),\(text(contact, "y"))"
            let region = text(contact, "region")
            return "\(text(contact, "id")) at \(place)" + (region.isEmpty || region == "none" ? "" : " in \(region)")
        }
        let list = contacts.isEmpty ? "no contacts" : contacts.joined(separator: "; ")
        return "\(text(event, "device"))  \(list)"
    }

    private func text(_ json: JSONValue, _ key: String) -> String {
        json[key].map { layout.plain(Self.text($0)) } ?? ""
    }

    /// Returns the text of a value. A number has no decimals if they are 0.
    private static func text(_ value: JSONValue) -> String {
        let text = value.displayText.safe
        return value.string == nil && text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension GestureClient.Failure {
    /// A copy whose texts are safe on a terminal.
    var safe: Self {
        var failure = self
        failure.kind.rawValue = kind.rawValue.safe
        failure.name = name.safe
        failure.region = region.safe
        failure.code = code.safe
        failure.key = key?.safe
        failure.unit = unit?.safe
        failure.message = message.safe
        return failure
    }

    /// The label `swipe`, or `swipe "page"` if the gesture has its own name.
    var label: String { gestureLabel(kind.rawValue, name) }

    /// The measured value and the limit of the key, such as `612 ms > max_time 500 ms`. If there is no limit, it is the
    /// failure's message.
    var shortText: String { shortText(upTo: self) }

    /// The values of several failures of one kind and their limit, such as `512 to 612 ms > max_time 500 ms`.
    /// - Parameter most: the failure with the highest value.
    func shortText(upTo most: Self) -> String {
        guard let cure = FailureCure(self), let limit = cure.limit, limit.value != limit.limit else { return message }
        let sign = limit.value > limit.limit ? ">" : "<"
        let high = most.value ?? limit.value
        let values = limit.text(limit.value) + (high > limit.value ? " to \(limit.text(high))" : "")
        let bound = limit.text(limit.limit)
        if limit.unit == .score { return "score \(values) \(sign) \(cure.key) \(bound)" }
        return (code == "stopped" ? "stood still for " : "")
            + "\(values) \(limit.unit.name) \(sign) \(cure.key) \(bound) \(limit.unit.name)"
    }
}
