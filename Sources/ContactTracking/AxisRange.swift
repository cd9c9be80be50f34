// SPDX-License-Identifier: MIT

/// One absolute axis as the device describes it (`struct input_absinfo`). Nothing in it can be
/// trusted: ranges may be empty or reversed, resolutions absurd.
package struct AxisRange: Hashable, Sendable, BitwiseCopyable {
    package var minimum: Int32
    package var maximum: Int32
    package var fuzz: Int32
    package var flat: Int32
    /// Units for each millimetre; 0 where the device does not say.
    package var resolution: Int32
    /// At the time of the description.
    package var value: Int32

    package init(
        minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0, value: Int32 = 0
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.fuzz = fuzz
        self.flat = flat
        self.resolution = resolution
        self.value = value
    }

    /// How many values the axis has, at least 1.
    package var count: Int64 { max(1, Int64(maximum) - Int64(minimum) + 1) }
}
