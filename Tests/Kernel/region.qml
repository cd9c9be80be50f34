// SPDX-License-Identifier: MIT
// A page with an item that is a region, which moves at each tap and says what happens to it (test_qml.py).
import QtQuick
import QtQuick.Window
import Gestured

Window {
    id: page
    visible: true
    visibility: Window.FullScreen
    onWidthChanged: console.log(`size ${width} ${height}`)

    GesturedRegion {
        id: item
        name: "item"
        width: page.width / 4
        height: page.height / 4
        gestures: ["press", "tap", { type: "swipe" }]
        onTapped: position => {
            console.log(`tap ${Math.round(position.x)} ${Math.round(position.y)}`);
            item.x = page.width / 2;
            item.y = page.height / 2;
        }
        onSwiped: direction => console.log(`swipe ${direction}`)
        onPressedChanged: console.log(item.pressed ? "pressed" : "released")
        Rectangle { anchors.fill: parent; color: "green" }
    }
}
