# SPDX-License-Identifier: MIT
# The loop of GLib, which GTK uses too, calls the client when there is something to do.
import gestured
from gi.repository import GLib

client = gestured.Client()
client.subscribe(gestures=["tap"])


def process(*_):
    for event in client.process():
        if isinstance(event, gestured.Gesture):
            print("open", event.region, flush=True)
    return GLib.SOURCE_CONTINUE


GLib.io_add_watch(client.fileno(), GLib.PRIORITY_DEFAULT, GLib.IO_IN, process)
GLib.MainLoop().run()
