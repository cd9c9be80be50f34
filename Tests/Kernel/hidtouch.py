# SPDX-License-Identifier: MIT
"""A virtual USB touch panel: sends HID reports through /dev/uhid, which the kernel's hid-multitouch handles as a panel of
the Windows 8 class. The events thus come from the driver that most real panels use.

    panel = HidTouchscreen(name="a panel")
    panel.report({7: (100, 200)})      # the contacts that are down now, by the panel's contact id; all others lift
    panel.unplug()
"""
import glob
import os
import select
import struct
import threading

from harness import wait_until

UHID_DESTROY, UHID_OPEN, UHID_GET_REPORT, UHID_GET_REPORT_REPLY, UHID_CREATE2, UHID_INPUT2 = 1, 4, 9, 10, 11, 12
BUS_USB = 3
TOUCH, MAXIMUM, CERTIFICATION = 1, 2, 3  # report ids


def _item(tag, value, size=None):
    """One short item of a HID report descriptor."""
    size = size if size is not None else 1 if value < 0x80 else 2 if value < 0x8000 else 4
    return bytes([tag | {0: 0, 1: 1, 2: 2, 4: 3}[size]]) + value.to_bytes(4, "little")[:size]


def _descriptor(fingers, size, millimeters):
    """The report descriptor of a panel: touch report, maximum contact count, Windows 8 certification blob (HID 1.12, 6.2.2)."""
    page, usage, minimum, maximum, bits, count = 0x04, 0x08, 0x14, 0x24, 0x74, 0x94
    physical_maximum, exponent, unit, report = 0x44, 0x54, 0x64, 0x84
    variable, constant, collection, end = 2, 3, 0xA0, b"\xC0"
    data, feature = 0x80, 0xB0
    digitizer, desktop, vendor = _item(page, 0x0D, 1), _item(page, 0x01, 1), _item(page, 0xFF00, 2)

    def field(what, largest, width, kind=data):
        return _item(usage, what, 1) + _item(minimum, 0) + _item(maximum, largest) + _item(bits, width) + _item(count, 1) + _item(kind, variable)

    def axis(what, units, length):
        return _item(physical_maximum, round(length)) + field(what, units - 1, 16)

    finger = (
        _item(usage, 0x22, 1) + _item(collection, 2)
        + field(0x42, 1, 1) + _item(count, 7) + _item(data, constant)  # tip switch, padding
        + field(0x51, 0x7F, 8)  # contact id
        + desktop + _item(exponent, 0x0F, 1) + _item(unit, 0x11, 1)  # tenths of a centimetre
        + axis(0x30, size[0], millimeters[0]) + axis(0x31, size[1], millimeters[1])
        + digitizer + _item(exponent, 0) + _item(unit, 0) + _item(physical_maximum, 0) + end
    )
    return (
        digitizer + _item(usage, 0x04, 1) + _item(collection, 1)
        + _item(report, TOUCH) + finger * fingers + field(0x54, 0x7F, 8) + field(0x56, 0xFFFF, 16)  # contact count, scan time
        + _item(report, MAXIMUM) + field(0x55, 0x7F, 8, feature)
        + vendor + _item(report, CERTIFICATION) + _item(usage, 0xC5, 1) + _item(maximum, 0xFF, 2)
        + _item(bits, 8) + _item(count, 256, 2) + _item(feature, variable) + end
    )


class HidTouchscreen:
    def __init__(self, fingers=5, size=(3840, 2160), millimeters=(192, 108), name="HID panel", vendor=0x1234, product=0x5678):
        self.fingers, self.size = fingers, size
        self.contacts = {}
        self._scan = 0
        self._descriptor = os.open("/dev/uhid", os.O_RDWR | os.O_CLOEXEC)
        description = _descriptor(fingers, size, millimeters)
        self._write(UHID_CREATE2, struct.pack("<128s64s64sHHIIII", name.encode(), b"", b"", len(description), BUS_USB, vendor, product, 1, 0) + description)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self.node = self._wait_for_node(f"/sys/bus/hid/devices/*:{vendor:04X}:{product:04X}.*")

    def _write(self, kind, data=b""):
        os.write(self._descriptor, struct.pack("<I", kind) + data)

    def _wait_for_node(self, device):
        folder = wait_until(lambda: glob.glob(f"{device}/input/input*/event*"), "the HID device has an event node")[0]
        self.driver = os.path.basename(os.readlink(folder.split("/input/")[0] + "/driver"))
        return "/dev/input/" + os.path.basename(folder)

    def _serve(self):
        """Answers the driver's requests."""
        while self._descriptor >= 0:
            if not select.select([self._descriptor], [], [], 0.1)[0]:
                continue
            try:
                event = os.read(self._descriptor, 5000)
            except OSError:
                return
            if struct.unpack_from("<I", event)[0] != UHID_GET_REPORT:
                continue
            number, report = struct.unpack_from("<IB", event, 4)
            data = {MAXIMUM: bytes([MAXIMUM, self.fingers]), CERTIFICATION: bytes([CERTIFICATION]) + bytes(256)}.get(report, b"")
            self._write(UHID_GET_REPORT_REPLY, struct.pack("<IHH", number, 0 if data else 5, len(data)) + data)

    def report(self, contacts):
        """Sends one report with the contacts that are down, and with those that have lifted since the last report (tip switch
        off)."""
        lifted = {key: at for key, at in self.contacts.items() if key not in contacts}
        self.contacts = dict(contacts)
        self._scan = (self._scan + 83) & 0xFFFF  # of 100 µs: 120 Hz
        fingers = [struct.pack("<BBHH", tip, key, round(x), round(y)) for tip, group in ((1, contacts), (0, lifted)) for key, (x, y) in group.items()]
        data = bytes([TOUCH]) + b"".join(fingers).ljust(6 * self.fingers, b"\0") + struct.pack("<BH", len(fingers), self._scan)
        self._write(UHID_INPUT2, struct.pack("<H", len(data)) + data)

    def unplug(self):
        if self._descriptor < 0:
            return
        descriptor, self._descriptor = self._descriptor, -1
        try:
            os.write(descriptor, struct.pack("<I", UHID_DESTROY))
            self._thread.join()
        finally:
            os.close(descriptor)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.unplug()
