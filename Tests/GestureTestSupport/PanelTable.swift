// SPDX-License-Identifier: MIT

/// The beginning of a configuration for one panel, whatever its name. More keys of its table may follow.
/// - Parameters:
///   - size: of its output, in pixels.
///   - millimeters: the same in millimetres.
package func panelTable(_ size: [Int] = [100, 100], millimeters: [Int] = [100, 100]) -> String {
    """
    version = 1
    [[device]]
    id = "panel"
    match = { name = "*" }
    output = { size = \(size), size_mm = \(millimeters) }

    """
}
