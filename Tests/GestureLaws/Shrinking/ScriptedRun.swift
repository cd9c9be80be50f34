// SPDX-License-Identifier: MIT
package import GestureEngine
import GestureTestSupport

/// The first law that a touch script violates; `nil` if there is none. A syntax error in the script is also reported
/// as a violation.
///
/// - Parameter check: whether the script is played on an engine or on a panel, and its variation.
package func lawViolation(
    _ worlds: [LawWorld], size: Vector = Vector(dx: 200, dy: 100), _ script: String, _ check: LawCheck = .engine(nil)
) -> LawViolation? {
    var steps: [LawRun.Step] = []
    let script = TouchScript(script)
    if let mistake = script.mistakes.first { return LawViolation("script", "cannot read \(mistake)") }
    for step in script.steps {
        switch step {
        case .wait(let interval): steps.append(.wait(interval.microseconds))
        case .frame(let changes): steps.append(.frame(changes))
        case .advance: steps.append(.advance)
        case .reload(let world): steps.append(.reload(world))
        case .updates(let isOn): steps.append(.updates(isOn))
        case .failures(let isOn): steps.append(.failures(isOn))
        }
    }
    return check.violation(of: LawRun(worlds: worlds, size: size, steps: steps))
}
