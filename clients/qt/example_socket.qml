// SPDX-License-Identifier: MIT
// Prints the regions that are tapped. GesturedSocket.qml lies beside this file.
import QtQuick

Item {
    GesturedSocket {
        url: "ws://127.0.0.1:8990/socket"
        options: ({ gestures: ["tap"] })
        onGesture: line => console.log("open", line.region)
    }
}
