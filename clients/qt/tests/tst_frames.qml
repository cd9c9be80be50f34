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
        name: "Frames"
        page: root

        function test_the_daemon_knows_where_the_item_is_in_each_frame() {
            const item = make(test.button, { name: "button" });
            const shown = () => 100 * root.mapToGlobal(item.x, 0).x / Screen.width;
            for (let step = 1; step <= 30; step++) {
                let number = 0;
                const show = () => { number = number || Gestured.request("ping", { shown: shown() }); };
                item.x = step * 10;
                root.Window.window.frameSwapped.connect(show);
                tryVerify(() => replies[number] !== undefined, 20000);
                root.Window.window.frameSwapped.disconnect(show);
            }
        }
    }
}
