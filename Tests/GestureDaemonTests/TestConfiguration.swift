// SPDX-License-Identifier: MIT

/// Configurations for the fake panel: 4096 x 4096 units, shown as 1024 x 1024 px.
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

    /// One button, which is the left half.
    static let button = panel + onlyButton

    private static let onlyButton = """
        [[region]]
        id = "ok"
        shape = { rect = ["0%", "0%", "50%", "100%"] }
        gestures = ["press", "tap"]

        """

    /// The button, and another one beside it.
    static let twoButtons =
        button + """
            [[region]]
            id = "no"
            shape = { rect = ["50%", "0%", "50%", "100%"] }
            gestures = ["press", "tap"]

            """

    /// Two panels that are told apart by their names.
    static let twins = """
        version = 1
        [[device]]
        id = "left"
        match = { name = "Left*" }
        [[device]]
        id = "right"
        match = { name = "Right*" }

        """

    /// Two panels with a region that covers each.
    static let twinButtons =
        twins + """
            [[region]]
            id = "ok"
            shape = "full"
            gestures = ["press"]

            """

    /// A configuration for touches in such quick succession that they would count as ghosts.
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
