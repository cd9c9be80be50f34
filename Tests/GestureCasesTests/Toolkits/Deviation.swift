// SPDX-License-Identifier: MIT

/// Cases in which another toolkit does something else on purpose. `docs/gestures.md` lists the same ones with
/// the reason.
enum Deviation {
    /// The id of a case, or the file and line of the toolkit's test.
    static let all: Set<String> = [
        "two-finger-tap-too-wide",
        "SinglePointerResampledData",
        "MultiPointerResampledData",
        "ThreePointsPositiveVelocityTest",
    ]

    static func holds(for id: String) -> Bool { all.contains(id) }
}
