// SPDX-License-Identifier: MIT

extension String {
    /// The same text without what could move a terminal's cursor or change its state.
    var safe: String {
        guard unicodeScalars.contains(where: Self.isControl) else { return self }
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars { scalars.append(Self.isControl(scalar) ? "\u{FFFD}" : scalar) }
        return String(scalars)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
            || (0x2066...0x2069).contains(scalar.value)
    }
}
