// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline

/// What an explanation needs to know of a region.
struct ExplainedRegion: Hashable {
    struct Gesture: Hashable {
        var kind: String
        var name: String
    }

    var device: String
    var id: String
    var parent: String?
    var gestures: [Gesture]
}

extension ExplainedRegion {
    /// As the daemon's `regions` reply tells it.
    init(_ entry: RegionEntry) {
        self.init(
            device: entry.device, id: entry.id, parent: entry.parent,
            gestures: entry.gestures.map { Gesture(kind: $0.kind, name: $0.name) })
    }

    /// Those of a panel that a recording is replayed on.
    static func all(of setup: PanelSetup) -> [ExplainedRegion] {
        setup.regions.map { region in
            ExplainedRegion(
                device: setup.device.safe, id: region.id.safe, parent: region.parent.map { setup.regions[$0].id.safe },
                gestures: region.gestures.map { Gesture(kind: $0.word.safe, name: $0.name.safe) })
        }
    }
}
