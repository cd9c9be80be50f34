// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline

/// Derives a panel, two sets of regions and a stream of kernel events from the input.
///
/// The stream is played twice, once with each deadline at its time and once with many events in one read. Both plays
/// must produce the same lines, obey the laws of streams, and be idle at the end.
enum EventStream {
    static func run(_ input: UnsafeRawBufferPointer) -> String? {
        var bytes = FuzzBytes(input)
        let end = bytes.byte()
        guard let setup = DeviceMaker.setup(&bytes, isUnslotted: end & 0x38 == 0x38) else { return nil }
        let bounds = setup.size.bounds
        let first = regions(&bytes, RegionMaker.regions(&bytes, on: bounds))
        let second = end & 4 != 0 ? RegionMaker.regions(&bytes, on: bounds) : changed(first.regions, &bytes)
        let sets = [first, regions(&bytes, second)]
        var maker = StreamMaker(setup.description)
        while !bytes.isAtEnd { maker.step(&bytes) }
        maker.end(end)
        return play(maker, setup, sets)
    }

    private static func regions(_ bytes: inout FuzzBytes, _ regions: [Region]) -> StreamPlayer.RegionSet {
        StreamPlayer.RegionSet(regions: regions, arbitration: RegionMaker.arbitration(&bytes, regions))
    }

    /// Changes regions as a client can: switches one on or off, or removes the last one.
    private static func changed(_ regions: [Region], _ bytes: inout FuzzBytes) -> [Region] {
        var regions = regions
        let index = bytes.below(regions.count)
        regions[index].isEnabled.toggle()
        if bytes.flip() { regions.removeLast() }
        return regions
    }

    private static func play(
        _ maker: StreamMaker, _ setup: PanelSetup, _ sets: [StreamPlayer.RegionSet]
    ) -> String? {
        var punctual = StreamPlayer(setup, sets, isPunctual: true)
        var late = StreamPlayer(setup, sets, isPunctual: false)
        for step in maker.steps {
            punctual.play(step)
            late.play(step)
        }
        punctual.finish()
        late.finish()
        if let complaint = punctual.laws.complaint ?? late.laws.complaint { return complaint }
        guard maker.isMonotonic, punctual.laws.text != late.laws.text else { return nil }
        return "late wake-ups change the lines\n--- punctual\n"
            + String(decoding: punctual.laws.text, as: UTF8.self)
            + "--- late\n" + String(decoding: late.laws.text, as: UTF8.self)
    }
}
