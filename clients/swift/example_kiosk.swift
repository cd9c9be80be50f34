// SPDX-License-Identifier: MIT
// The buttons of a kiosk: they are drawn as pressed while a finger is on them, and they act when they are tapped.
import GestureClient

var pressed: Set<String> = []  // the regions that a page would draw as pressed

for try await event in GestureClient().events(.init(gestures: ["press", "tap"])) {
    guard case .gesture(let gesture) = event else { continue }
    if gesture.kind == .tap { print("open", gesture.region) }
    guard gesture.kind == .press else { continue }
    if gesture.phase == .begin { pressed.insert(gesture.region) } else { pressed.remove(gesture.region) }
    print("pressed:", pressed.sorted().joined(separator: " "))
}
