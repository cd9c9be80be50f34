// SPDX-License-Identifier: MIT
#if Fuzzing
import FuzzBodies

/// The target of the inputs, taken from the name of the program: `fuzz-events` runs `FuzzTarget.events`.
@MainActor private var target: FuzzTarget?

@_cdecl("LLVMFuzzerInitialize")
@MainActor public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    let program = arguments.pointee.pointee.map { String(cString: $0) } ?? ""
    target = FuzzTarget.allCases.first { program.hasSuffix("/fuzz-" + $0.rawValue.lowercased()) }
    guard target != nil else { fatalError("\(program) is not the name of a target, such as fuzz-events") }
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
@MainActor public func runOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target?.runOrTrap(bytes, count)
    return 0
}
#else
/// In builds for fuzzing, libFuzzer provides the main function; other builds need this one.
@main
struct FuzzInputs {
    static func main() {
        fatalError("built without the trait Fuzzing; build and run it with scripts/fuzz")
    }
}
#endif
