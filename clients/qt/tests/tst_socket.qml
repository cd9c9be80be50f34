// SPDX-License-Identifier: MIT
// Runs with gestured-web, the daemon and a fake panel. The test that starts it touches the panel where this one prints "TOUCH"
// (tests/test_qt.py). The left half of the panel is the region "ok", the right half "map".
import QtQuick
import QtTest
import Bridge
import ".."

TestCase {
    id: test
    name: "GesturedSocket"

    Component {
        id: component
        GesturedSocket {
            property var log: []
            url: Bridge.url
            onGesture: line => log = [...log, [line.gesture, line.phase, line.reason, line.region].filter(Boolean).join(" ")]
        }
    }

    function touch(words) { console.log("TOUCH " + words); }

    function make(options) {
        const socket = createTemporaryObject(component, test, { options: options });
        tryVerify(() => socket.connected && socket.scene === "default", 20000);
        return socket;
    }

    function ask(socket, command, keys) {
        let line;
        socket.request(command, keys, reply => line = reply);
        tryVerify(() => line !== undefined, 20000, command);
        return line;
    }

    function test_gestures_of_the_regions_that_it_asks_for() {
        const socket = make({ regions: ["o*"], gestures: ["tap", "press"] });
        touch("tap 0.6 0.5");
        touch("tap 0.2 0.5");
        tryCompare(socket, "log", ["press begin ok", "tap ok", "press end ok"], 20000);
        compare(socket.pressed, []);
        socket.log = [];
        socket.options = { gestures: ["drag"], phases: ["begin", "update", "end"] };
        compare(ask(socket, "ping").ok, true);
        touch("tap 0.2 0.5");
        touch("swipe 0.6 0.5 0.8 0.5");
        tryVerify(() => socket.log.includes("drag end map"), 20000);
        verify(socket.log.every(entry => entry.startsWith("drag")) && socket.log.includes("drag update map"), socket.log);
    }

    function test_requests_and_their_refusals() {
        const socket = make({});
        compare(ask(socket, "at", { x: 10, y: 10 }).owner, "ok");
        compare(ask(socket, "set_scene", { scene: "checkout" }).ok, false);
        ignoreWarning(/gestured: .*gestrue/);
        socket.options = { events: ["gestrue"] };
        compare(ask(socket, "ping").ok, true);
        socket.active = false;
        compare(socket.connected, false);
        compare(ask(socket, "ping").error.code, "disconnected");
    }

    function test_it_connects_again_whatever_is_changed() {
        const socket = make({});
        socket.active = false;
        socket.active = true;
        compare(socket.connected, false);
        tryCompare(socket, "connected", true, 20000);
        socket.url = "ws://127.0.0.1:1/socket";
        compare(socket.connected, false);
        tryVerify(() => socket._state.delay > 200, 20000);
        socket.url = Bridge.url;
        tryCompare(socket, "connected", true, 20000);
        compare(ask(socket, "ping").ok, true);
    }

    function test_a_press_ends_when_the_daemon_goes() {
        const socket = make({ gestures: ["press"] });
        touch("land 0.2 0.5");
        tryCompare(socket, "pressed", ["ok"], 20000);
        touch("stop 0 0");
        touch("start 0 0");
        tryVerify(() => socket.log.includes("press cancel disconnected ok"), 20000);
        compare(socket.pressed, []);
        tryVerify(() => socket.connected && socket.scene === "default", 20000);
        socket.log = [];
        touch("tap 0.2 0.5");
        tryCompare(socket, "log", ["press begin ok", "press end ok"], 20000);
    }

    function test_a_gesture_that_the_state_does_not_list_was_lost() {
        const socket = make({});
        const state = socket._state;
        state.take(JSON.stringify({ event: "gesture", gesture: "press", name: "press", phase: "begin", region: "a", sequence: 1 }));
        state.take(JSON.stringify({ event: "gesture", gesture: "press", name: "press", phase: "begin", region: "b", sequence: 2 }));
        compare(socket.pressed, ["a", "b"]);
        state.take(JSON.stringify({ event: "state", scene: "default", active: [{ gesture: "press", name: "press", region: "b", sequence: 2 }] }));
        compare(socket.log.slice(2), ["press cancel lost a"]);
        compare(socket.pressed, ["b"]);
    }
}
