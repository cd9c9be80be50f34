# SPDX-License-Identifier: MIT
"""The kernel drops events while random frames change the contacts. Afterwards the daemon must have the kernel's slots."""
from bench import bench
from harness import Client, transcript
from harness.process import Stopped
from harness.service import main_process
from harness.uinput import ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_SLOT, ABS_MT_TRACKING_ID, BTN_TOUCH, EV_ABS, EV_KEY, EV_SYN, SYN_REPORT

COLUMNS, ROWS, SIDE = 6, 4, 250
ROUNDS = 1000
# The number of events in evdev's buffer for a panel with ten slots. If one more event arrives, the kernel drops the
# whole content of the buffer.
QUEUE = 512


def grid(configuration):
    """The configuration with one region for each contact, so that each has its own press."""
    devices = configuration[:configuration.index("[[region]]")]
    regions = [f'[[region]]\nid = "{cell}"\nshape = {{ rect = [{cell % COLUMNS * SIDE}, {cell // COLUMNS * SIDE}, {SIDE}, {SIDE}] }}\n'
               'gestures = ["press"]\n' for cell in range(COLUMNS * ROWS)]
    return "\n".join(['version = 1\n[filter]\nstorm = "off"\nmax_contact_age = "off"\n', devices.replace("version = 1\n", ""), *regions])


class Fingers:
    """The contacts of a panel, changed by random frames."""

    def __init__(self, panel, random):
        self.panel, self.random = panel, random
        self.contacts = {}  # slot: (tracking id, cell)
        self.places = [(0, 0)] * panel.slots  # the last position in each slot, even without a contact
        self.written = 0  # number of events that the kernel delivers; it filters unchanged values

    def positions(self):
        return {slot: self.places[slot] for slot in self.contacts}

    def place_in(self, cell):
        return (cell % COLUMNS * SIDE + self.random.randrange(SIDE), cell // COLUMNS * SIDE + self.random.randrange(SIDE))

    def free_cells(self):
        taken = {cell for _, cell in self.contacts.values()}
        return [cell for cell in range(COLUMNS * ROWS) if cell not in taken]

    def land(self, slot):
        """Lands another contact, with or without a lift of the previous one. Sometimes it lands at the same position, which
        the kernel does not send again."""
        events = []
        if self.contacts.pop(slot, None) and self.random.random() < 0.5:
            events.append((EV_ABS, ABS_MT_TRACKING_ID, -1))
        cell = self.random.choice(self.free_cells())
        x, y = self.places[slot]
        stale = x // SIDE + y // SIDE * COLUMNS
        if self.random.random() < 0.2 and stale in self.free_cells():
            cell = stale
        else:
            x, y = self.place_in(cell)
        self.contacts[slot] = (self.panel.next_tracking_id(slot), cell)
        return [*events, (EV_ABS, ABS_MT_TRACKING_ID, self.contacts[slot][0]), *self.at(slot, x, y)]

    def move(self, slot):
        return self.at(slot, *self.place_in(self.contacts[slot][1]))

    def at(self, slot, x, y):
        self.written += (x != self.places[slot][0]) + (y != self.places[slot][1])
        self.places[slot] = (x, y)
        return [(EV_ABS, ABS_MT_POSITION_X, x), (EV_ABS, ABS_MT_POSITION_Y, y)]

    def lift(self, slot):
        del self.contacts[slot]
        return [(EV_ABS, ABS_MT_TRACKING_ID, -1)]

    def marker(self):
        """A frame that moves every contact. A client that has received these positions has read all earlier lines."""
        events = []
        if not self.contacts:
            events += [(EV_ABS, ABS_MT_SLOT, 0), *self.land(0), (EV_KEY, BTN_TOUCH, 1), (EV_SYN, SYN_REPORT, 0)]
        for slot, before in self.positions().items():
            while self.places[slot] == before:
                events += [(EV_ABS, ABS_MT_SLOT, slot), *self.move(slot)]
        return [*events, (EV_SYN, SYN_REPORT, 0)]

    def frame(self, restless):
        """Changes some slots. `restless` is the probability of a landing or a lift; other changes are movements."""
        events, before = [], bool(self.contacts)
        for slot in self.random.sample(range(self.panel.slots), self.random.randint(1, self.panel.slots)):
            die = self.random.random()
            if slot in self.contacts:
                change = self.move if die > restless else self.random.choice((self.lift, self.land))
            elif die < restless:
                change = self.land
            else:
                continue
            events += [(EV_ABS, ABS_MT_SLOT, slot), *change(slot)]
        if before != bool(self.contacts):
            events.append((EV_KEY, BTN_TOUCH, int(not before)))
        return [*events, (EV_SYN, SYN_REPORT, 0)]


class Ledger:
    """The active presses by region, according to the gesture lines, and the contacts, according to the `touches` lines."""

    def __init__(self, client):
        self.client = client
        self.active = {}  # region: sequence
        self.touches = {}  # slot: (x, y)
        self.lines = []

    def read_until(self, positions):
        """Reads lines until the contacts are at the expected positions. Returns the gesture lines."""
        lines = []
        self.client.lines.clear()
        while True:
            line = self.client.next(2)
            assert line, f"the daemon has {self.touches}, the panel {positions}, after {transcript(lines)}"
            if line["event"] == "touches":
                self.touches = {each["slot"]: (each["x"], each["y"]) for each in line["contacts"]}
                if self.touches == positions:
                    return lines
            else:
                lines.append(line)
                self.take(line)

    def take(self, line):
        region, sequence = int(line["region"]), line["sequence"]
        if line["phase"] == "begin":
            assert region not in self.active, f"begun twice: {line}"
            self.active[region] = sequence
        else:
            assert line["phase"] != "update", f"a press never leaves its region, so it has jumped: {line}"
            assert self.active.get(region) == sequence, f"never begun: {line}"
            del self.active[region]


def one_round(fingers, ledger, process, descriptor):
    random, panel = bench.random, fingers.panel
    before, active = dict(fingers.contacts), dict(ledger.active)
    restless = random.choice((0.02, 0.2, 0.6))
    with Stopped(process):
        enough = fingers.written + QUEUE + random.randrange(QUEUE)
        while fingers.written <= enough or fingers.positions() == ledger.touches:
            panel.raw(fingers.frame(restless))
        hidden = dict(fingers.contacts)
    goes_on = random.random() < 0.5
    if goes_on:
        for _ in range(random.randint(1, 4)):
            panel.raw(fingers.frame(restless))
        panel.raw(fingers.marker())
    lines = ledger.read_until(fingers.positions())
    now = fingers.contacts
    kernel = panel.kernel_slots(descriptor)
    assert kernel == {slot: (identifier, *fingers.places[slot]) for slot, (identifier, _) in now.items()}, (kernel, now)
    assert set(ledger.active) == {cell for _, cell in now.values()}, (ledger.active, now)
    for slot, contact in before.items():
        said = [(line["phase"], line.get("reason")) for line in lines if line["sequence"] == active[contact[1]]]
        if now.get(slot) == contact:
            assert not said, f"it survived: {said}"
        elif hidden.get(slot) != contact:
            assert said == [("cancel", "sync_lost")], f"it vanished: {said}"
        else:
            assert said in ([("cancel", "sync_lost")], [("end", None)]), f"it lifted when the daemon looked again: {said}"
    if not goes_on:
        landed = sorted(contact[1] for slot, contact in now.items() if before.get(slot) != contact)
        assert sorted(int(line["region"]) for line in lines if line["phase"] == "begin") == landed, transcript(lines)


def test_a_thousand_drops_leave_the_slots_of_the_kernel():
    """The daemon is stopped at random while events are written. Afterwards no contact may be missing, superfluous or at the
    wrong position."""
    panel, silent = bench.prepare()
    rounds = bench.options.rounds or ROUNDS
    exact = 0
    with bench.configured(grid), panel.opened() as descriptor, Client() as client:
        client.request("subscribe", events=["gesture", "touches"])
        client.drain()
        process, before = main_process(), client.request("status")["resyncs"]
        fingers, ledger = Fingers(panel, bench.random), Ledger(client)
        for _ in range(rounds):
            one_round(fingers, ledger, process, descriptor)
            exact += 1
            if exact % 5 == 0:
                silent.drain()
        resyncs = client.request("status")["resyncs"] - before
        panel.contacts = fingers.positions()
        panel.up()
        ledger.read_until({})
    bench.prepare()
    assert resyncs >= rounds, f"{resyncs} drops in {rounds} rounds"
    bench.note(f"{exact} of {rounds} equal to the kernel's slots, {resyncs} drops")
