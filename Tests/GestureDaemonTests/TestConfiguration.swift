// SPDX-License-Identifier: MIT

/// Configurations for the fake panel, which has 4096 × 4096 units and is shown as 1024 × 1024 px.
enum TestConfiguration {
    static let panel = """
        version = 1
        [[device]]
        id = "panel"
        match = { name = "Fake Panel" }
        output = { size = [1024, 1024], size_mm = [200, 200] }

        """

    /// A configuration in which the daemon grabs the panel.
    static let grabbed = panel + "grab = true\n" + onlyButton

    /// One button that covers the left half.
    static let button = panel + onlyButton

    private static let onlyButton = """
        [[region]]
        id = "ok"
        shape = { rect = ["0%", "0%", "50%", "100%"] }
        gestures = ["press", "tap"]

        """

    /// The button on the left and another one on the right.
    static let twoButtons =
        button + """
            [[region]]
            id = "no"
            shape = { rect = ["50%", "0%", "50%", "100%"] }
            gestures = ["press", "tap"]

            """

    /// Two panels that differ in their names.
    static let twins = """
        version = 1
        [[device]]
        id = "left"
        match = { name = "Left*" }
        [[device]]
        id = "right"
        match = { name = "Right*" }

        """

    /// Two panels, and a region that covers each of them.
    static let twinButtons =
        twins + """
            [[region]]
            id = "ok"
            shape = "full"
            gestures = ["press"]

            """

    /// Accepts touches in rapid succession, which the default settings treat as ghosts.
    static let pressWithoutStorm =
        panel + """
            [filter]
            storm = { contacts_per_second = 10000, quiet = "1ms" }
            [[region]]
            id = "ok"
            shape = "full"
            gestures = ["press"]

            """

    /// A configuration with an unknown key in line 9, column 1.
    static let wrong = button.replacingLast("gestures", by: "gestrues")
}

extension String {
    fileprivate func replacingLast(_ word: String, by other: String) -> String {
        let parts = split(separator: word, omittingEmptySubsequences: false)
        return parts.dropLast().joined(separator: word) + other + (parts.last ?? "")
    }
}
