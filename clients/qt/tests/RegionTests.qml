// SPDX-License-Identifier: MIT
// The functions that the tests share. The test that starts them touches the panel where `touch` says (test_qt.py).
import QtQuick
import QtTest
import Gestured

TestCase {
    id: test
    when: windowShown
    /// The item that is touched.
    required property Item page
    property var replies: ({})

    readonly property Component button: Component {
        GesturedRegion {
            property var log: []
            width: 200
            height: 200
            gestures: ["press", "tap", { type: "swipe" }]
            onTapped: (position, count) => log.push(`tap ${Math.round(position.x)} ${Math.round(position.y)} ${count}`)
            onSwiped: direction => log.push("swipe " + direction)
            onChainDrawn: name => log.push("chain " + name)
            onPressedChanged: log.push(pressed ? "pressed" : "released")
        }
    }

    readonly property Component map: Component {
        GesturedRegion {
            property var log: []
            property point moved
            width: 400
            height: 400
            gestures: [{ type: "drag", name: "pan" }]
            onDragged: (phase, translation) => { log.push(phase); moved = translation; }
        }
    }

    readonly property Connections connections: Connections {
        target: Gestured
        function onReply(number, ok, line) { test.replies[number] = line; }
    }

    function ask(command, keys) {
        const number = Gestured.request(command, keys);
        verify(number > 0);
        tryVerify(() => replies[number] !== undefined, 20000);
        return replies[number];
    }

    /// The ids of the regions that items have made, from the lowest to the topmost.
    function regions() { return ask("regions", { region: "app.*" }).regions.map(region => region.region); }

    function waitForRegions(ids) { tryVerify(() => JSON.stringify(regions()) === JSON.stringify(ids), 20000, "regions " + ids); }

    function make(component, keys) {
        const item = createTemporaryObject(component, page, keys);
        tryVerify(() => Gestured.connected, 20000);
        return item;
    }

    /// Touches the panel at a point of the page. The screen of the test is the panel's output.
    function touch(verb, x, y, toX, toY) {
        const point = (x, y) => {
            const place = page.mapToGlobal(x, y);
            return `${place.x / Screen.width} ${place.y / Screen.height}`;
        };
        console.log(`TOUCH ${verb} ${point(x, y)} ${toX === undefined ? "" : point(toX, toY)}`);
    }
}
