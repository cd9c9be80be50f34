// SPDX-License-Identifier: MIT

/// The beginning of a configuration for one panel with any name. More keys of its `[[device]]` table may follow.
/// - Parameters:
///   - size: the size of the panel's output in pixels.
///   - millimeters: the size of the panel's output in millimetres.
package func panelTable(_ size: [Int] = [100, 100], millimeters: [Int] = [100, 100]) -> String {
    """
    version = 1
    [[device]]
    id = "panel"
    match = { name = "*" }
    output = { size = \(size), size_mm = \(millimeters) }

    """
}
