// SPDX-License-Identifier: MIT
// A connection with gestured-web, for programs in QML without a plugin, such as Quickshell. Copy this file into the program; it
// needs the module QtWebSockets. Lines have the keys of docs/protocol.md.
//
//     GesturedSocket {
//         options: ({ regions: ["bar.*"], gestures: ["tap", "press"] })
//         onGesture: line => { if (line.gesture === "tap") console.log("open", line.region); }
//     }
//
// It connects again when the connection is lost. Every gesture that begins also ends: if the connection or lines were lost, there
// is a line with `phase: "cancel"` and `added: true`.
import QtQml
import QtWebSockets

QtObject {
    id: root

    property url url: "ws://127.0.0.1:8990/socket"
    /// Whether to be connected.
    property bool active: true
    /// The options of `subscribe`. Without `phases`, there are no lines with `update`.
    property var options: ({})

    readonly property bool connected: state.connected
    /// The name of the scene in force.
    readonly property string scene: state.scene
    /// The regions with a `press` under way.
    readonly property var pressed: state.pressed

    signal gesture(var line)
    /// Any line but replies.
    signal event(var line)

    /// Sends a request; `keys` has its other keys. The function is called with the reply, whose `error.code` is "disconnected" if
    /// there is none.
    function request(command, keys, callback) {
        const number = ++state.number;
        state.waiting.set(number, callback ?? (() => {}));
        if (socket.status === WebSocket.Open) socket.sendTextMessage(JSON.stringify(Object.assign({}, keys, { cmd: command, id: number })));
        else Qt.callLater(() => state.reply({ id: number, ok: false, error: { code: "disconnected" } }));
    }

    onUrlChanged: if (state.isReady) state.reconnect()
    onActiveChanged: if (state.isReady) state.reconnect()
    onOptionsChanged: if (connected) state.subscribe()
    Component.onCompleted: { state.isReady = true; state.connect(); }

    readonly property QtObject _state: QtObject {
        id: state

        /// Whether all properties have their first values.
        property bool isReady: false
        property bool connected: false
        property string scene: ""
        property var pressed: []
        property int number: 0
        /// The functions that wait for a reply, by the number of the request.
        property var waiting: new Map()
        /// The continuous gestures under way: their last lines.
        property var open: new Map()
        /// The number of the last `subscribe` that has no reply yet.
        property int subscribing: 0
        readonly property int shortestDelay: 100
        property int delay: shortestDelay

        function connect() {
            // A socket that is being closed cannot be opened.
            if (socket.status === WebSocket.Closing) return timer.start();
            socket.active = false;
            socket.active = root.active;
        }

        function reconnect() {
            socket.active = false;
            lose();
            delay = timer.interval = shortestDelay;
            if (root.active) timer.restart();
            else timer.stop();
        }

        function subscribe() {
            cancel([...open.keys()], "lost");
            root.request("subscribe", Object.assign({ phases: ["begin", "end", "cancel"] }, root.options), reply => {
                if (reply.id === subscribing) subscribing = 0;
                if (!reply.ok && reply.error.code !== "disconnected") console.warn(`gestured: ${reply.error.message}`);
            });
            subscribing = number;
        }

        function lose() {
            connected = false;
            cancel([...open.keys()], "disconnected");
            for (const number of [...waiting.keys()]) reply({ id: number, ok: false, error: { code: "disconnected" } });
        }

        function retry() {
            lose();
            if (!root.active || timer.running) return;
            timer.interval = delay * (0.5 + Math.random() / 2);
            delay = Math.min(delay * 2, 5000);
            timer.start();
        }

        /// A reply without a number is for the oldest request, which could not be read, unless there is no place for this client.
        function reply(line) {
            if (line.id === undefined && line.error?.code !== "busy") line.id = waiting.keys().next().value;
            const callback = waiting.get(line.id);
            waiting.delete(line.id);
            if (callback) callback(line);
        }

        function take(text) {
            const line = JSON.parse(text);
            if (line.event === undefined) return reply(line);
            if (line.event === "hello") {
                delay = shortestDelay;
                connected = true;
                subscribe();
            } else if (subscribing) {
                return; // It belongs to an earlier subscription.
            } else if (line.event === "state") {
                scene = line.scene;
                const active = new Set(line.active.map(key));
                cancel([...open.keys()].filter(name => !active.has(name)), "lost");
            } else if (line.event === "config" && line.scene !== undefined) {
                scene = line.scene;
            }
            root.event(line);
            if (line.event === "gesture") takeGesture(line);
        }

        function key(line) { return JSON.stringify([line.region, line.gesture, line.name, line.sequence]); }

        function takeGesture(line) {
            if (line.phase === "begin" || line.phase === "update") open.set(key(line), line);
            else open.delete(key(line));
            if (line.gesture === "press")
                pressed = [...open.values()].filter(line => line.gesture === "press").map(line => line.region);
            root.gesture(line);
        }

        function cancel(names, reason) {
            for (const name of names) takeGesture(Object.assign({}, open.get(name), { phase: "cancel", reason: reason, added: true }));
        }
    }

    readonly property Timer _timer: Timer {
        id: timer
        onTriggered: state.connect()
    }

    readonly property WebSocket _socket: WebSocket {
        id: socket
        url: root.url
        onStatusChanged: if (socket.status === WebSocket.Closed || socket.status === WebSocket.Error) state.retry()
        onTextMessageReceived: message => state.take(message)
    }
}
