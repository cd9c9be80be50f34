// SPDX-License-Identifier: MIT
import QtQuick
import QtTest
import Gestured

Item {
    id: root
    width: 800
    height: 800

    RegionTests {
        id: test
        name: "GesturedRegion"
        page: root

        function test_a_tap_and_a_swipe_reach_the_item() {
            const button = make(test.button, { name: "button", x: 100, y: 50 });
            waitForRegions(["app.button"]);
            touch("tap", 150, 200);
            tryCompare(button, "log", ["pressed", "tap 50 150 1", "released"], 20000);
            button.log = [];
            touch("swipe", 120, 150, 290, 150);
            tryVerify(() => button.log.includes("swipe right"), 20000);
            compare(button.pressed, false);
        }

        function test_a_chain_reaches_the_item_with_its_name() {
            const button = make(test.button, { name: "button", x: 100, y: 50, gestures: [{ type: "chain", name: "next", path: ["right"] }] });
            waitForRegions(["app.button"]);
            touch("swipe", 120, 150, 290, 150);
            tryCompare(button, "log", ["chain next"], 20000);
        }

        function test_the_region_follows_the_item_and_its_visibility() {
            const button = make(test.button, { name: "button", x: 0, y: 0 });
            waitForRegions(["app.button"]);
            button.x = 400;
            button.y = 500;
            tryVerify(() => ask("regions", { region: "app.button" }).regions[0].shape.rect[0] > 400 * 1600 / Screen.width, 20000);
            touch("tap", 410, 520);
            tryVerify(() => button.log.includes("tap 10 20 1"), 20000);
            button.visible = false;
            waitForRegions([]);
            button.visible = true;
            waitForRegions(["app.button"]);
            button.enabled = false;
            waitForRegions([]);
            button.destroy();
        }

        function test_a_drag_moves_by_the_item_s_units() {
            const map = make(test.map, { name: "map", x: 100, y: 100 });
            waitForRegions(["app.map"]);
            touch("swipe", 150, 200, 350, 250);
            tryVerify(() => map.log.includes("end"), 20000);
            compare(map.log[0], "begin");
            // The part before the drag begins is not counted.
            verify(map.moved.x > 150 && map.moved.x <= 200, map.moved.x);
            fuzzyCompare(map.moved.y, map.moved.x / 4, 3);
        }

        function test_items_inside_and_above_each_other_are_regions_in_the_order_of_painting() {
            const map = make(test.map, { name: "map", x: 100, y: 100 });
            const low = make(test.button, { name: "low", x: 150, y: 150 });
            const high = make(test.button, { name: "high", x: 200, y: 200 });
            const inside = test.button.createObject(map, { name: "inside", x: 300, y: 300, width: 50, height: 50 });
            waitForRegions(["app.map", "app.inside", "app.low", "app.high"]);
            compare(ask("regions", { region: "app.inside" }).regions[0].parent, "app.map");
            low.z = 1;
            waitForRegions(["app.map", "app.inside", "app.high", "app.low"]);
            touch("tap", 250, 250);
            tryVerify(() => low.log.length > 0, 20000);
            compare(high.log, []);
        }

        function test_what_an_ancestor_clips_cannot_be_touched() {
            const frame = createTemporaryQmlObject("import QtQuick; Item { width: 100; height: 100; clip: true }", page);
            const button = test.button.createObject(frame, { name: "button" });
            waitForRegions(["app.button"]);
            const shape = () => ask("regions", { region: "app.button" }).regions[0].shape.rect;
            const whole = shape()[2];
            frame.clip = false;
            frame.width = 101;
            tryVerify(() => Math.abs(shape()[2] - 2 * whole) < 2, 20000);
            frame.clip = true;
            button.x = 150;
            waitForRegions([]);
        }

        function test_a_rotated_item_is_a_polygon() {
            const button = make(test.button, { name: "button", x: 300, y: 300, rotation: 30 });
            waitForRegions(["app.button"]);
            verify(ask("regions", { region: "app.button" }).regions[0].shape.polygon !== undefined);
            touch("tap", 400, 400);
            tryVerify(() => button.log.includes("tap 100 100 1"), 20000, button.log.join());
        }

        function test_a_region_that_the_daemon_refuses_is_a_warning() {
            ignoreWarning(/app.button: .*wink/);
            const button = make(test.button, { name: "button", gestures: ["wink"] });
            make(test.map, { name: "map", x: 300 });
            waitForRegions(["app.map"]);
            button.gestures = ["tap"];
            waitForRegions(["app.button", "app.map"]);
        }

        function test_a_press_ends_when_the_daemon_goes() {
            const button = make(test.button, { name: "button", x: 100, y: 50 });
            waitForRegions(["app.button"]);
            touch("land", 150, 100);
            tryCompare(button, "pressed", true, 20000);
            ignoreWarning(/gestured: .*/);
            touch("stop", 0, 0);
            touch("start", 0, 0);
            tryCompare(button, "pressed", false, 20000);
            tryVerify(() => Gestured.connected, 20000);
            waitForRegions(["app.button"]);
        }
    }
}
