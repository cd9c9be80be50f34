// SPDX-License-Identifier: MIT
// The daemon does not run until the first test wants it.
import QtQuick
import QtTest
import Gestured

Item {
    id: root
    width: 800
    height: 800

    property Item watched
    /// What an outside binding sees of an item.
    readonly property bool sees: watched !== null && watched.pressed

    Component {
        id: listComponent
        ListView {
            width: 200
            height: 200
            reuseItems: true
            cacheBuffer: 200
            model: 50
            delegate: GesturedRegion {
                required property int index
                name: "row" + index
                width: 200
                height: 100
                gestures: ["tap"]
            }
        }
    }

    Component {
        id: windowComponent
        Window {
            property alias place: place
            width: 400
            height: 400
            visible: true
            Item { id: place }
        }
    }

    RegionTests {
        id: test
        name: "Life"
        page: root

        function press(item, x, y) {
            touch("land", x, y);
            tryCompare(item, "pressed", true, 20000);
        }

        function init() {
            if (Gestured.connected) waitForRegions([]);
        }

        function cleanup() { touch("lift", 0, 0); }

        function test_0_it_connects_without_regions_as_soon_as_there_is_a_daemon() {
            ignoreWarning(/gestured: .*no daemon/);
            wait(0);
            compare(Gestured.connected, false);
            verify(Gestured.request("ping") < 0);
            touch("start", 0, 0);
            tryCompare(Gestured, "connected", true, 20000);
        }

        function test_0_regions_wait_for_the_daemon() {
            touch("stop", 0, 0);
            tryCompare(Gestured, "connected", false, 20000);
            createTemporaryObject(test.button, root, { name: "button" });
            touch("start", 0, 0);
            tryCompare(Gestured, "connected", true, 20000);
            waitForRegions(["app.button"]);
        }

        function test_a_press_ends_when_its_item_cannot_be_touched_any_more_data() {
            return [
                { tag: "hidden", end: button => { button.visible = false; } },
                { tag: "disabled", end: button => { button.enabled = false; } },
                { tag: "in no window", end: button => { button.parent = null; } },
                { tag: "without gestures", end: button => { button.gestures = []; } },
                { tag: "another name", end: button => { button.name = "other"; } },
                { tag: "another prefix", end: () => { Gestured.prefix = "app.page-"; } },
            ];
        }

        function test_a_press_ends_when_its_item_cannot_be_touched_any_more(data) {
            const button = make(test.button, { name: "button", x: 100, y: 50 });
            let reason = "";
            button.gesture.connect(line => { reason = line.reason || ""; });
            waitForRegions(["app.button"]);
            press(button, 150, 100);
            data.end(button);
            tryCompare(button, "pressed", false, 20000);
            compare(reason, "removed");
            Gestured.prefix = "app.";
        }

        function test_a_press_ends_when_its_item_is_destroyed() {
            const button = make(test.button, { name: "button", x: 100, y: 50 });
            watched = button;
            waitForRegions(["app.button"]);
            press(button, 150, 100);
            compare(root.sees, true);
            button.destroy();
            tryCompare(root, "sees", false, 20000);
        }

        function test_an_item_that_is_out_of_sight_keeps_its_touch() {
            const frame = createTemporaryQmlObject("import QtQuick; Item { width: 400; height: 400; clip: true }", root);
            const button = test.button.createObject(frame, { name: "button" });
            waitForRegions(["app.button"]);
            press(button, 100, 100);
            button.x = 500;
            ask("ping");
            compare(button.pressed, true);
            touch("lift", 0, 0);
            tryCompare(button, "pressed", false, 20000);
        }

        function test_the_first_of_two_items_with_a_name_is_the_region() {
            const first = make(test.button, { name: "button", x: 0 });
            waitForRegions(["app.button"]);
            ignoreWarning(/app.button: another visible item/);
            const second = make(test.button, { name: "button", x: 300 });
            touch("tap", 100, 100);
            tryVerify(() => first.log.length === 3, 20000);
            touch("tap", 400, 100);
            first.visible = false;
            tryVerify(() => ask("regions", { region: "app.button" }).regions[0]?.shape.rect[0] > 300, 20000);
            touch("tap", 400, 100);
            tryVerify(() => second.log.length === 3, 20000);
            compare(first.log.length, 3);
        }

        function test_items_without_names_have_regions_of_their_own() {
            make(test.button, { x: 0 });
            make(test.button, { x: 300 });
            tryVerify(() => regions().length === 2, 20000);
        }

        function test_delegates_come_and_go() {
            const list = createTemporaryObject(listComponent, root);
            waitForRegions(["app.row0", "app.row1"]);
            for (const y of [50, 1000, 4800, 0]) {
                list.contentY = y;
                const first = Math.floor(y / 100);
                const shown = y % 100 === 0 ? [first, first + 1] : [first, first + 1, first + 2];
                tryVerify(() => JSON.stringify(regions().sort()) === JSON.stringify(shown.map(row => "app.row" + row).sort()), 20000, "rows " + shown);
            }
        }

        function test_items_move_to_other_windows_and_windows_hide() {
            const button = make(test.button, { name: "button", x: 10 });
            const window = createTemporaryObject(windowComponent, root);
            waitForRegions(["app.button"]);
            button.parent = window.place;
            const left = () => ask("regions", { region: "app.button" }).regions[0]?.shape.rect[0];
            tryVerify(() => Math.abs(left() - button.mapToGlobal(0, 0).x * 1600 / Screen.width) < 1, 20000);
            window.hide();
            waitForRegions([]);
            window.show();
            waitForRegions(["app.button"]);
            window.destroy();
            waitForRegions([]);
        }

        function test_rotated_ancestors_clip() {
            const frame = createTemporaryQmlObject(
                "import QtQuick; Item { x: 300; y: 300; width: 200; height: 200; clip: true; rotation: 45 }", root);
            test.button.createObject(frame, { name: "button", x: -100, y: -100, width: 400, height: 400, rotation: -45 });
            waitForRegions(["app.button"]);
            const polygon = ask("regions", { region: "app.button" }).regions[0].shape.polygon;
            compare(polygon.length, 4);
            const middle = polygon.reduce((sum, point) => sum + point[0], 0) / 4 * Screen.width / 1600;
            fuzzyCompare(middle, root.mapToGlobal(400, 400).x, 1);
        }

        function test_ancestors_turn_items_in_space_and_to_nothing() {
            const button = make(test.button, { name: "button", x: 200, y: 200 });
            button.transform = Qt.createQmlObject(
                "import QtQuick; Rotation { origin.x: 100; origin.y: 100; axis { x: 0; y: 1; z: 0 } angle: 60 }", button);
            waitForRegions(["app.button"]);
            touch("tap", 300, 300);
            tryVerify(() => button.log.includes("tap 100 100 1"), 20000, button.log.join());
            button.scale = 0;
            waitForRegions([]);
            button.scale = 1;
            button.opacity = 0;
            waitForRegions(["app.button"]);
        }

        function test_properties_of_the_connection_can_change() {
            const button = make(test.button, { name: "button" });
            waitForRegions(["app.button"]);
            Gestured.prefix = "app.page.";
            button.name = "ok";
            waitForRegions(["app.page.ok"]);
            Gestured.prefix = "app.";
            Gestured.socket = "/nowhere";
            tryCompare(Gestured, "connected", false, 20000);
            // The numbers of requests begin again.
            replies = {};
            Gestured.socket = "";
            tryCompare(Gestured, "connected", true, 20000);
            waitForRegions(["app.ok"]);
            Gestured.device = "another";
            waitForRegions([]);
            Gestured.device = "panel";
            waitForRegions(["app.ok"]);
            Gestured.device = "";
        }

        function test_many_regions() {
            const ids = [];
            for (let index = 0; index < 200; index++) {
                make(test.button, { name: "cell" + index, x: index % 20 * 40, y: Math.floor(index / 20) * 40, width: 39, height: 39 });
                ids.push("app.cell" + index);
            }
            waitForRegions(ids);
        }
    }
}
