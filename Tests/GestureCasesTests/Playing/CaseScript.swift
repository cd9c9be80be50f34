// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// Touches of a case in the notation of `TouchScript`, in a toolkit's pixels, with expectations between them:
/// `expect tap, no drag begin`.
struct CaseScript {
    enum Step {
        case touch(TouchScript.Step)
        /// The terms of an `expect` statement.
        case expect([String])
    }

    private(set) var steps: [Step] = []
    /// The touches without the expectations.
    private(set) var touches = TouchScript("")

    init(_ text: String) {
        for statement in CaseTable.list(text, separator: "; ") {
            if statement.hasPrefix("expect ") {
                steps.append(.expect(CaseTable.list(String(statement.dropFirst("expect ".count)))))
            } else {
                let count = touches.steps.count
                touches.add(statement)
                steps += touches.steps.dropFirst(count).map { .touch($0) }
            }
        }
        #expect(touches.mistakes == [])
    }
}
