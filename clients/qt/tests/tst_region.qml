// SPDX-License-Identifier: MIT
// Runs with the daemon and a fake panel. The test that starts it touches the panel where this one prints "touch" (tests/test_qt.py).
import QtQuick
import QtTest
import Gestured

Item {
    id: page
    width: 800
    height: 800

    Component {
        id: buttonComponent
        GesturedRegion {
            property var log: []
            width: 200
            height: 200
            gestures: ["press", "tap", { type: "swipe" }]
            onTapped: (position, count) => log.push(`tap ${Math.round(position.x)} ${Math.round(position.y)} ${count}`)
            onSwiped: direction => log.push("swipe " + direction)
            onPressedChanged: log.push(pressed ? "pressed" : "released")
        }
    }

    Component {
        id: mapComponent
        GesturedRegion {
            property var log: []
            property point moved
            width: 400
            height: 400
            gestures: [{ type: "drag", name: "pan" }]
            onDragged: (phase, translation) => { log.push(phase); moved = translation; }
        }
    }

    TestCase {
        id: test
        name: "GesturedRegion"
        when: windowShown
        property var replies: ({})

        Connections {
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
        function regions() { return ask("regions", { region: "qml.*" }).regions.map(region => region.region); }

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

        function test_a_tap_and_a_swipe_reach_the_item() {
            const button = make(buttonComponent, { name: "button", x: 100, y: 50 });
            waitForRegions(["qml.button"]);
            touch("tap", 150, 200);
            tryCompare(button, "log", ["pressed", "tap 50 150 1", "released"], 20000);
            button.log = [];
            touch("swipe", 120, 150, 290, 150);
            tryVerify(() => button.log.includes("swipe right"), 20000);
            compare(button.pressed, false);
        }

        function test_the_region_follows_the_item_and_its_visibility() {
            const button = make(buttonComponent, { name: "button", x: 0, y: 0 });
            waitForRegions(["qml.button"]);
            button.x = 400;
            button.y = 500;
            tryVerify(() => Math.round(ask("regions", { region: "qml.button" }).regions[0].shape.rect[0]) > 0, 20000);
            touch("tap", 410, 520);
            tryVerify(() => button.log.includes("tap 10 20 1"), 20000);
            button.visible = false;
            waitForRegions([]);
            button.visible = true;
            waitForRegions(["qml.button"]);
            button.enabled = false;
            waitForRegions([]);
            button.destroy();
        }

        function test_a_drag_moves_by_the_item_s_units() {
            const map = make(mapComponent, { name: "map", x: 100, y: 100 });
            waitForRegions(["qml.map"]);
            touch("swipe", 150, 200, 350, 250);
            tryVerify(() => map.log.includes("end"), 20000);
            compare(map.log[0], "begin");
            // The part before the drag begins is not counted.
            verify(map.moved.x > 150 && map.moved.x <= 200, map.moved.x);
            fuzzyCompare(map.moved.y, map.moved.x / 4, 3);
        }

        function test_items_inside_and_above_each_other_are_regions_in_the_order_of_painting() {
            const map = make(mapComponent, { name: "map", x: 100, y: 100 });
            const low = make(buttonComponent, { name: "low", x: 150, y: 150 });
            const high = make(buttonComponent, { name: "high", x: 200, y: 200 });
            const inside = buttonComponent.createObject(map, { name: "inside", x: 300, y: 300, width: 50, height: 50 });
            waitForRegions(["qml.map", "qml.inside", "qml.low", "qml.high"]);
            compare(ask("regions", { region: "qml.inside" }).regions[0].parent, "qml.map");
            low.z = 1;
            waitForRegions(["qml.map", "qml.inside", "qml.high", "qml.low"]);
            touch("tap", 250, 250);
            tryVerify(() => low.log.length > 0, 20000);
            compare(high.log, []);
        }

        function test_what_an_ancestor_clips_cannot_be_touched() {
            const frame = createTemporaryQmlObject("import QtQuick; Item { width: 100; height: 100; clip: true }", page);
            const button = buttonComponent.createObject(frame, { name: "button" });
            waitForRegions(["qml.button"]);
            const shape = () => ask("regions", { region: "qml.button" }).regions[0].shape.rect;
            const whole = Gestured.device === "" ? shape()[2] : 0;
            frame.clip = false;
            frame.width = 101;
            tryVerify(() => Math.abs(shape()[2] - 2 * whole) < 2, 20000);
            frame.clip = true;
            button.x = 150;
            waitForRegions([]);
        }

        function test_a_rotated_item_is_a_polygon() {
            const button = make(buttonComponent, { name: "button", x: 300, y: 300, rotation: 30 });
            waitForRegions(["qml.button"]);
            verify(ask("regions", { region: "qml.button" }).regions[0].shape.polygon !== undefined);
            touch("tap", 400, 400);
            tryVerify(() => button.log.includes("tap 100 100 1"), 20000, button.log.join());
        }

        function test_a_region_that_the_daemon_refuses_is_a_warning() {
            ignoreWarning(/qml.button: .*wink/);
            const button = make(buttonComponent, { name: "button", gestures: ["wink"] });
            make(mapComponent, { name: "map", x: 300 });
            waitForRegions(["qml.map"]);
            button.gestures = ["tap"];
            waitForRegions(["qml.button", "qml.map"]);
        }

        function test_a_press_ends_when_the_daemon_goes() {
            const button = make(buttonComponent, { name: "button", x: 100, y: 50 });
            waitForRegions(["qml.button"]);
            touch("land", 150, 100);
            tryCompare(button, "pressed", true, 20000);
            ignoreWarning(/gestured: .*/);
            touch("restart", 0, 0);
            tryCompare(button, "pressed", false, 20000);
            tryVerify(() => Gestured.connected, 20000);
            waitForRegions(["qml.button"]);
        }
    }
}
