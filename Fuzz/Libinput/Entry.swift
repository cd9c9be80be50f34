// SPDX-License-Identifier: MIT
import FuzzBodies

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.libinput.runOrTrap(bytes, count)
    return 0
}
