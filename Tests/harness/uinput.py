# SPDX-License-Identifier: MIT
"""Virtual touchscreens on a real kernel, through /dev/uinput. Uses only the standard library.

    panel = Touchscreen(size=(1920, 1080), resolution=10, name="a panel")
    panel.frame({0: (100, 200), 1: (300, 200)})    # the contacts that are down now, by slot; all others lift
    panel.tap(100, 200)
    panel.unplug()

A frame is written with one write(2), so all of its events have the same timestamp.
"""
import contextlib
import ctypes
import fcntl
import glob
import os
import struct
import time

from .basics import wait_until

EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
SYN_REPORT, SYN_MT_REPORT = 0, 2
BTN_LEFT, BTN_TOOL_FINGER, BTN_TOUCH = 0x110, 0x145, 0x14A
ABS_X, ABS_Y = 0x00, 0x01
ABS_MT_SLOT, ABS_MT_TOUCH_MAJOR, ABS_MT_POSITION_X, ABS_MT_POSITION_Y = 0x2F, 0x30, 0x35, 0x36
ABS_MT_TOOL_TYPE, ABS_MT_TRACKING_ID, ABS_MT_DISTANCE = 0x37, 0x39, 0x3B
INPUT_PROP_POINTER, INPUT_PROP_DIRECT = 0, 1

EVENT = struct.Struct("llHHi")
AXIS = struct.Struct("iiiiii")  # value, minimum, maximum, fuzz, flat, resolution
ABS_SETUP = struct.Struct("HH" + AXIS.format)
DEVICE_SETUP = struct.Struct("HHHH80sI")


def _request(direction, number, size, group="U"):
    return direction << 30 | size << 16 | ord(group) << 8 | number


UI_DEV_CREATE = _request(0, 1, 0)
UI_DEV_DESTROY = _request(0, 2, 0)
UI_DEV_SETUP = _request(1, 3, DEVICE_SETUP.size)
UI_ABS_SETUP = _request(1, 4, ABS_SETUP.size)
UI_SET_EVBIT = _request(1, 100, 4)
UI_SET_KEYBIT = _request(1, 101, 4)
UI_SET_ABSBIT = _request(1, 103, 4)
UI_SET_PHYS = _request(1, 108, 8)
UI_SET_PROPBIT = _request(1, 110, 4)
UI_GET_SYSNAME = _request(2, 44, 64)
EVIOCGRAB = _request(1, 0x90, 4, "E")


class Touchscreen:
    """A panel with protocol B. Arguments can make other kinds of devices:

    `axes` maps codes to (minimum, maximum, resolution), or to None to leave the axis out.
    `touchpad=True` makes a touchpad, which a daemon for touchscreens must ignore.
    """

    def __init__(self, slots=10, size=(1920, 1080), resolution=10, name="uinput panel",
                 bus=0x18, vendor=0x1234, product=0x0001, touchpad=False, axes=None, keys=None, properties=None, phys=None):
        self.slots, self.size, self.name = slots, size, name
        self.contacts = {}  # slot: (x, y)
        self.identifiers = {}  # slot: the tracking id of its contact
        self._tracking_id = 0
        width, height = size
        self.axes = {
            ABS_X: (0, width - 1, resolution), ABS_Y: (0, height - 1, resolution),
            ABS_MT_POSITION_X: (0, width - 1, resolution), ABS_MT_POSITION_Y: (0, height - 1, resolution),
            ABS_MT_SLOT: (0, slots - 1, 0), ABS_MT_TRACKING_ID: (0, 65535, 0), **(axes or {}),
        }
        self.keys = keys if keys is not None else (BTN_TOUCH, BTN_TOOL_FINGER, BTN_LEFT) if touchpad else (BTN_TOUCH,)
        self.properties = properties if properties is not None else (INPUT_PROP_POINTER if touchpad else INPUT_PROP_DIRECT,)
        self._descriptor = os.open("/dev/uinput", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            self._create(bus, vendor, product, phys)
            self.node = self._wait_for_node()
        except BaseException:
            os.close(self._descriptor)
            raise

    def _control(self, request, argument=0):
        return fcntl.ioctl(self._descriptor, request, argument)

    def _create(self, bus, vendor, product, phys):
        for kind in (EV_KEY, EV_ABS):
            self._control(UI_SET_EVBIT, kind)
        for key in self.keys:
            self._control(UI_SET_KEYBIT, key)
        for each in self.properties:
            self._control(UI_SET_PROPBIT, each)
        for code, axis in self.axes.items():
            if axis:
                minimum, maximum, resolution = axis
                self._control(UI_SET_ABSBIT, code)
                self._control(UI_ABS_SETUP, ABS_SETUP.pack(code, 0, 0, minimum, maximum, 0, 0, resolution))
        if phys:
            self._set_phys(phys)
        self._control(UI_DEV_SETUP, DEVICE_SETUP.pack(bus, vendor, product, 1, self.name.encode(errors="surrogateescape"), 0))
        self._control(UI_DEV_CREATE)

    def _set_phys(self, phys):
        text = ctypes.create_string_buffer(phys.encode())
        self._control(UI_SET_PHYS, ctypes.addressof(text))

    def _wait_for_node(self):
        name = self._control(UI_GET_SYSNAME, bytes(64)).split(b"\0")[0].decode()
        self.system = f"/sys/devices/virtual/input/{name}"
        nodes = wait_until(lambda: ["/dev/input/" + os.path.basename(folder) for folder in glob.glob(f"{self.system}/event*")],
                           f"{name} has an event node", pause=0.005)
        return wait_until(lambda: os.path.exists(nodes[0]) and nodes[0], f"{nodes[0]} is there", pause=0.005)

    @property
    def descriptor(self):
        """The descriptor of /dev/uinput, for a program that writes events itself."""
        return self._descriptor

    # State in the kernel

    def kernel_slots(self, descriptor):
        """The contacts according to the kernel: {slot: (tracking id, x, y)}."""
        columns, form = [], f"={self.slots + 1}i"
        for code in (ABS_MT_TRACKING_ID, ABS_MT_POSITION_X, ABS_MT_POSITION_Y):
            room = struct.pack(form, code, *[0] * self.slots)
            columns.append(struct.unpack(form, fcntl.ioctl(descriptor, _request(2, 0x0A, len(room), "E"), room))[1:])
        return {slot: values for slot, values in enumerate(zip(*columns)) if values[0] >= 0}

    def set_axis(self, code, minimum, maximum, resolution):
        """Changes the range of an axis with EVIOCSABS, as calibration tools do while other programs have the device open."""
        with self.opened(os.O_RDWR) as descriptor:
            value = AXIS.unpack(fcntl.ioctl(descriptor, _request(2, 0x40 + code, AXIS.size, "E"), bytes(AXIS.size)))[0]
            fcntl.ioctl(descriptor, _request(1, 0xC0 + code, AXIS.size, "E"), AXIS.pack(value, minimum, maximum, 0, 0, resolution))

    @staticmethod
    def range(descriptor, code):
        """Minimum, maximum, fuzz, flat and resolution of an axis."""
        return AXIS.unpack(fcntl.ioctl(descriptor, _request(2, 0x40 + code, AXIS.size, "E"), bytes(AXIS.size)))[1:]

    def reader(self):
        """Another program that reads the panel, for example a compositor."""
        return Reader(self.node)

    @contextlib.contextmanager
    def opened(self, mode=os.O_RDONLY, node=None):
        """Opens the panel's node, or that of its twin, as another program would."""
        descriptor = os.open(node or self.node, mode | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    # Raw events

    def raw(self, events):
        """Writes (type, code, value) unchanged, without adding SYN_REPORT."""
        os.write(self._descriptor, b"".join(EVENT.pack(0, 0, *event) for event in events))

    def events(self, contacts):
        """The events that change the current contacts to these."""
        events = []
        for slot in self.contacts.keys() - contacts.keys():
            events += [(EV_ABS, ABS_MT_SLOT, slot), (EV_ABS, ABS_MT_TRACKING_ID, -1)]
            self.identifiers.pop(slot, None)
        for slot, (x, y) in contacts.items():
            events.append((EV_ABS, ABS_MT_SLOT, slot))
            if slot not in self.contacts:
                events.append((EV_ABS, ABS_MT_TRACKING_ID, self.next_tracking_id(slot)))
            events += [(EV_ABS, ABS_MT_POSITION_X, round(x)), (EV_ABS, ABS_MT_POSITION_Y, round(y))]
        if bool(contacts) != bool(self.contacts):
            events.append((EV_KEY, BTN_TOUCH, int(bool(contacts))))
        if contacts:
            x, y = next(iter(contacts.values()))
            events += [(EV_ABS, ABS_X, round(x)), (EV_ABS, ABS_Y, round(y))]
        self.contacts = dict(contacts)
        return events + [(EV_SYN, SYN_REPORT, 0)]

    def next_tracking_id(self, slot):
        self._tracking_id = self._tracking_id % 65535 + 1
        self.identifiers[slot] = self._tracking_id
        return self._tracking_id

    # Contacts

    def frame(self, contacts):
        self.raw(self.events(contacts))

    def down(self, x, y, slot=0):
        self.frame({**self.contacts, slot: (x, y)})

    move = down

    def up(self, *slots):
        """Lifts these slots, or all of them."""
        gone = slots or tuple(self.contacts)
        self.frame({slot: at for slot, at in self.contacts.items() if slot not in gone})

    def replace(self, x, y, slot=0):
        """Replaces the contact in a slot without a lift in between, which the kernel allows and some panels do."""
        assert slot in self.contacts
        self.contacts[slot] = (x, y)
        self.raw([(EV_ABS, ABS_MT_SLOT, slot), (EV_ABS, ABS_MT_TRACKING_ID, self.next_tracking_id(slot)),
                  (EV_ABS, ABS_MT_POSITION_X, x), (EV_ABS, ABS_MT_POSITION_Y, y), (EV_SYN, SYN_REPORT, 0)])

    # Movements: each frame has an absolute deadline

    def play(self, frames, hz=120, catches_up=True):
        """Plays frames at this rate. Returns the largest delay of a frame in seconds.

        A writer that had to wait for the processor writes faster until it has caught up. No real panel does that. With
        `catches_up=False`, the following frames are delayed by the same time instead.
        """
        begin, worst = time.monotonic(), 0.0
        for index, contacts in enumerate(frames):
            ahead = begin + index / hz - time.monotonic()
            if ahead > 0:
                time.sleep(ahead)
            elif not catches_up:
                begin -= ahead
            worst = max(worst, -ahead)
            self.frame(contacts)
        return worst

    def tap(self, *points, hold=0.05):
        """One tap with a contact at each point: tap((x, y)) or tap((x, y), (x, y))."""
        self.frame(dict(enumerate(points)))
        time.sleep(hold)
        self.up()

    def glide(self, start, end, seconds=0.2, slot=0, hz=120):
        """Moves one contact from start to end. Lands it first if necessary, and does not lift it."""
        count = max(2, round(seconds * hz))
        others = {key: at for key, at in self.contacts.items() if key != slot}
        return self.play(({**others, slot: (start[0] + (end[0] - start[0]) * index / (count - 1),
                                            start[1] + (end[1] - start[1]) * index / (count - 1))}
                          for index in range(count)), hz)

    def swipe(self, start, end, seconds=0.2):
        self.glide(start, end, seconds)
        self.up()

    def unplug(self):
        if self._descriptor < 0:
            return
        try:
            self._control(UI_DEV_DESTROY)
        finally:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.unplug()


class Reader:
    """Another program that has opened a panel and can grab it."""

    def __init__(self, node):
        self._descriptor = os.open(node, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)

    def grab(self, yes=True):
        """Grabs or releases the panel. Raises OSError (EBUSY) if another program has grabbed it."""
        fcntl.ioctl(self._descriptor, EVIOCGRAB, int(yes))

    def events(self):
        """The events since the last call, as (type, code, value)."""
        try:
            data = os.read(self._descriptor, EVENT.size * 1024)
        except BlockingIOError:
            return []
        return [event[2:] for event in EVENT.iter_unpack(data)]

    def close(self):
        os.close(self._descriptor)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
