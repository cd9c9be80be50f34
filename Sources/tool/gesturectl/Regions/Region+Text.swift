// SPDX-License-Identifier: MIT
import GestureClient
import GesturePipeline
import GestureProtocol

extension GestureClient.Region {
    /// Returns the regions of a `regions` reply, from bottom to top, with texts that are safe on a terminal.
    static func all(in reply: JSONValue) -> [Self] {
        reply.list("regions").map { json in
            var region = Self(json)
            region.id = region.id.safe
            region.device = region.device.safe
            region.parent = region.parent?.safe
            for index in region.gestures.indices {
                region.gestures[index].kind.rawValue = region.gestures[index].kind.rawValue.safe
                region.gestures[index].name = region.gestures[index].name.safe
            }
            return region
        }
    }

    /// Returns the regions of panels that the tool itself has set up, and the line from which they were read: the reply
    /// that the daemon would send.
    static func all(of setups: [PanelSetup], matching glob: String = "*") -> (regions: [Self], line: [UInt8]) {
        let glob = Glob(glob)
        let line = JSONWriter.line { json in
            RegionsReply.write(setups, matching: { glob.matches($0) }, seesPrivate: true, into: &json)
        }
        return (JSONValue(parsing: line).map { all(in: $0) } ?? [], line)
    }

    /// Flags and settings that differ from the defaults: `pass`, `disabled`, `private`, `leased`, `each`, `margin 12`.
    var flags: [String] {
        let words = [
            isPass ? "pass" : nil, isEnabled ? nil : "disabled", isPrivate ? "private" : nil,
            isLeased ? "leased" : nil, contacts == "together" ? nil : contacts,
        ]
        return words.compactMap { $0 } + (margin > 0 ? ["margin \(shortest(margin))"] : [])
    }

    /// The shape, such as `1920x756+0+108`, `circle 1920,0 r 78`, `polygon of 3`.
    var shapeText: String {
        switch shape {
        case .rectangle(let x, let y, let width, let height):
            "\(shortest(width))x\(shortest(height))+\(shortest(x))+\(shortest(y))"
        case .circle(let center, let radius):
            "circle \(shortest(center.x)),\(shortest(center.y)) r \(shortest(radius))"
        case .polygon(let corners): "polygon of \(corners.count)"
        case nil: "-"
        }
    }

    /// The gestures, such as `tap, swipe "page"`.
    var gesturesText: String { gestures.map { gestureLabel($0.kind.rawValue, $0.name) }.joined(separator: ", ") }
}

extension [GestureClient.Region] {
    var gestureNames: [String] { flatMap { $0.gestures.map(\.name) } }
}

/// A tree of the panels, of their regions without a parent, and of the children of these regions, topmost first.
enum RegionTree {
    /// - Parameter regions: all regions, from bottom to top.
    static func text(_ regions: [GestureClient.Region], in layout: TextLayout = TextLayout()) -> String {
        var devices: [String] = []
        for region in regions where !devices.contains(region.device) { devices.append(region.device) }
        return devices.map { device in
            let members = regions.filter { $0.device == device }
            let ids = Set(members.map(\.id))
            let roots = members.filter { region in region.parent.map { !ids.contains($0) } ?? true }
            return device + "\n" + branches(roots, of: members, indent: "", in: layout)
        }.joined()
    }

    /// The recursion ends even for circular parents: each level leaves out the regions of the levels above.
    private static func branches(
        _ siblings: [GestureClient.Region], of all: [GestureClient.Region], indent: String, in layout: TextLayout
    ) -> String {
        let rest = all.filter { region in !siblings.contains(region) }
        return siblings.reversed().enumerated().map { index, region in
            let isLast = index == siblings.count - 1
            let children = rest.filter { $0.parent == region.id }
            let below = indent + (isLast ? "   " : "│  ")
            let lines = layout.wrap(
                indent + (isLast ? "└─ " : "├─ ") + line(region), indent: below + (children.isEmpty ? "  " : "│ "))
            return lines.joined(separator: "\n") + "\n" + branches(children, of: rest, indent: below, in: layout)
        }.joined()
    }

    private static func line(_ region: GestureClient.Region) -> String {
        let parts = [region.id, region.shapeText] + region.flags.map { "[\($0)]" } + [region.gesturesText]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
