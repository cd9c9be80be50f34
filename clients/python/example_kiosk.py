# SPDX-License-Identifier: MIT
# The buttons of a kiosk: they are drawn as pressed while a finger is on them, and they act when they are tapped.
import gestured

pressed = set()  # the regions that a page would draw as pressed

for event in gestured.Client().events(gestures=["press", "tap"]):
    if isinstance(event, gestured.Gesture) and event.gesture == "tap":
        print("open", event.region, flush=True)
    elif isinstance(event, gestured.Gesture):
        (pressed.add if event.phase == "begin" else pressed.discard)(event.region)
        print("pressed:", *sorted(pressed), flush=True)
