// SPDX-License-Identifier: MIT
package import GestureEngine
package import GestureProtocol

/// Writes what only `failed` lines have: code, numbers, and a sentence that names the key to change.
package enum FailureEncoder {
    /// Appends `,"code":"too_slow","value":612,"limit":500,"unit":"ms","message":"took 612 ms, max_time is 500 ms"`;
    /// codes without numbers have code and message only.
    ///
    /// - Parameters:
    ///   - kind: of the gesture that failed.
    ///   - isStrict: the gesture is a swipe with `max_deviation`.
    package static func append(
        _ failure: GestureFailure, of kind: GestureKind, isStrict: Bool, to body: inout LineBuffer
    ) {
        let code = FailureCode(failure.code)
        let sentence = FailureSentence(code, of: kind, isStrict: isStrict)
        body.append(",\"code\":\"")
        body.append(code.word)
        body.append("\"")
        guard let unit = sentence.unit else {
            body.append(",\"message\":\"")
            body.append(sentence.start)
            body.append("\"")
            return
        }
        let numbers = FailureNumbers(failure, unit)
        numbers.appendKeys(to: &body)
        body.append(",\"message\":\"")
        body.append(sentence.start)
        if let middle = sentence.middle {
            numbers.appendValue(to: &body)
            body.append(middle)
        }
        numbers.appendLimit(to: &body)
        body.append("\"")
    }
}
