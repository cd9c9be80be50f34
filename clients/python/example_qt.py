# SPDX-License-Identifier: MIT
# The loop of Qt calls the client when there is something to do. A program with windows has a QApplication or QGuiApplication.
import sys

import gestured
try:
    from PySide6.QtCore import QCoreApplication, QSocketNotifier
except ImportError:
    from PySide2.QtCore import QCoreApplication, QSocketNotifier

client = gestured.Client()
client.subscribe(gestures=["tap"])


def process(*_):
    for event in client.process():
        if isinstance(event, gestured.Gesture):
            print("open", event.region, flush=True)


application = QCoreApplication(sys.argv)
notifier = QSocketNotifier(client.fileno(), QSocketNotifier.Read)
notifier.activated.connect(process)
run = getattr(application, "exec", None) or application.exec_
sys.exit(run())
