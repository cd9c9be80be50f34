// SPDX-License-Identifier: MIT

/// Values of all kinds that a key of a gesture may have, to be tried one by one where no limit is known. The
/// configuration rejects those that a key does not accept, so a new key needs no entry here, unless it accepts new
/// words.
enum SampleValues {
    /// The values as written in the configuration.
    static let all: [String] = numbers + words + directions + quantities
    private static let quantities = times + lengths + speeds

    private static let numbers = [
        "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "0", "0.5", "15", "30", "60", "90", "180",
    ]
    private static let words =
        ["false", "true"]
        + [
            "off", "any", "horizontal", "vertical", "start", "down", "lift", "threshold", "landing", "region", "drawn",
        ]
        .map { "\"\($0)\"" }
    private static let directions =
        ["left", "right", "up", "down", "up_left", "up_right", "down_left", "down_right", "in", "out", "cw", "ccw"]
        .map { "[\"\($0)\"]" } + [
            #"["left", "right", "up", "down"]"#, #"["up_left", "up_right", "down_left", "down_right"]"#,
            #"["left", "right", "up", "down", "up_left", "up_right", "down_left", "down_right"]"#,
            #"["in", "out"]"#, #"["cw", "ccw"]"#,
        ]
    /// Times between those that people need, and much longer ones.
    private static let times = [
        "500ms", "300ms", "200ms", "100ms", "50ms", "20ms", "700ms", "1s", "1.5s", "2s", "5s", "3600s", "1ms", "0ms",
    ].map { "\"\($0)\"" }
    private static let lengths = [
        "5mm", "10mm", "20mm", "40mm", "100mm", "2000mm", "2mm", "1mm", "0.5mm", "0.1mm", "0mm",
    ]
    .map { "\"\($0)\"" }
    private static let speeds = ["50mm/s", "10mm/s", "0mm/s", "1000mm/s"].map { "\"\($0)\"" }

    /// Returns all values of all keys.
    /// - Parameter first: the key to try before the others.
    static func needs(of keys: [String], first: String) -> [Remedy.Need] {
        (keys.filter { $0 == first } + keys.filter { $0 != first }).flatMap { key in
            all.map { Remedy.Need(key: key, value: $0, isFar: quantities.contains($0)) }
        }
    }
}
