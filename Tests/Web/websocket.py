# SPDX-License-Identifier: MIT
"""A WebSocket client that can send anything, for tests of the bridge. Uses only the standard library."""
import base64
import json
import os
import socket
import struct

PATIENCE = 20.0
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Refused(AssertionError):
    """The server has refused the WebSocket. `status` is the HTTP status code."""

    def __init__(self, status):
        super().__init__(f"HTTP {status}")
        self.status = status


class WebSocket:
    def __init__(self, port, origin="same", host=None, path="/socket", receive_buffer=None):
        """`origin`: "same" is the origin of the bridge's own pages; with None, the header is left out."""
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", port))
        host = host or f"127.0.0.1:{port}"
        heads = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", "Sec-WebSocket-Version: 13"]
        if origin:
            heads.append("Origin: " + (f"http://127.0.0.1:{port}" if origin == "same" else origin))
        self.socket.sendall("\r\n".join([*heads, "", ""]).encode())
        self.file = self.socket.makefile("rb")
        self.code = None
        status = self.file.readline().split()
        while self.file.readline().strip():
            pass
        if len(status) < 2 or status[1] != b"101":
            self.close()
            raise Refused(int(status[1]) if len(status) > 1 else 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.file.close()
        self.socket.close()

    def frame(self, data, opcode=TEXT, is_last=True):
        head = bytes([opcode | (0x80 if is_last else 0)])
        if len(data) < 126:
            head += bytes([0x80 | len(data)])
        elif len(data) < 65536:
            head += struct.pack("!BH", 0x80 | 126, len(data))
        else:
            head += struct.pack("!BQ", 0x80 | 127, len(data))
        key = os.urandom(4)
        mask = (key * (len(data) // 4 + 1))[:len(data)]
        masked = (int.from_bytes(data, "big") ^ int.from_bytes(mask, "big")).to_bytes(len(data), "big")
        self.socket.sendall(head + key + masked)

    def send(self, request):
        self.frame(json.dumps(request).encode())

    def message(self):
        """The next message. None at the end; `code` is then the code in the close frame, if there was one."""
        parts = []
        while True:
            head = self.file.read(2)
            if len(head) < 2:
                return None
            opcode, length = head[0] & 15, head[1] & 127
            if length == 126:
                length, = struct.unpack("!H", self.file.read(2))
            elif length == 127:
                length, = struct.unpack("!Q", self.file.read(8))
            data = self.file.read(length)
            if opcode == PING:
                self.frame(data, PONG)
            elif opcode == CLOSE:
                self.code = struct.unpack("!H", data[:2])[0] if len(data) >= 2 else None
            elif opcode != PONG:
                parts.append(data)
                if head[0] & 0x80:
                    return b"".join(parts).decode()

    def line(self):
        message = self.message()
        assert message is not None, f"the bridge has closed the connection ({self.code})"
        return json.loads(message)

    def ask(self, cmd, **keys):
        """The reply to a request. Lines that come before it are dropped."""
        self.send({"cmd": cmd, "id": "ask", **keys})
        while (line := self.line()).get("id") != "ask":
            pass
        return line
