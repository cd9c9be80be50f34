# SPDX-License-Identifier: MIT
# Builds, runs, tests, measures and installs gestured. `make` alone lists the targets.

PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
# What of it to install: daemon, web, mqtt, clients; all if empty.
PARTS ?=
# What runs the programs if they are for another machine than this one, such as qemu-aarch64-static.
RUNNER ?=

TOOLCHAIN := $(wildcard /opt/swift/usr/bin)
export PATH := $(if $(TOOLCHAIN),$(TOOLCHAIN):)$(PATH)

PROGRAMS := gestured gesturectl gestured-web gestured-mqtt
RELEASE := .build/release
STRIPPED := .build/stripped
# Written when the release is built, so that installing runs none of its programs.
COMPLETIONS := .build/completions
FAKE_PANEL := .build/fakepanel
FAKE_MACHINE := .build/machine.so
CROWD := .build/crowd
# Where tests keep the lines that daemons send, for scripts/check-lines.
LINES := $(CURDIR)/.build/lines
# All release targets use the same flags, so that modules are built once. Swift's runtime is linked in, nothing is
# exported, symbols are bound at the start, relocations are packed (glibc 2.36 or newer), and the functions that run for a
# touch lie beside each other (scripts/functions.order; other programs lack some of them).
RELEASE_FLAGS := -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections \
    $(foreach flag,-z now -z pack-relative-relocs --version-script=$(CURDIR)/scripts/exports.map \
    --symbol-ordering-file=$(CURDIR)/scripts/functions.order --no-warn-symbol-ordering,-Xlinker $(flag))

# Where scripts/setup puts a library that Debian's Swift lacks.
export LIBRARY_PATH := $(CURDIR)/.build/libraries$(addprefix :,$(LIBRARY_PATH))

# How the tests are built, except with sanitizers and for coverage. Without DWARF, which took a fifth of the time: a
# failed check names its line itself, and a crash still names its function. For a debugger: swift build --build-tests.
BUILD_TESTS := swift build --build-tests -debug-info-format none

# Debian's, as are the modules that the tests import. Several tests run at a time; those of a class stay together.
PYTEST := /usr/bin/python3 -m pytest -p no:cacheprovider -q -rs --dist loadscope

# What the tests in Chromium run.
IN_CHROMIUM := GESTURED=$(CURDIR)/$(STRIPPED)/gestured GESTURED_WEB=$(CURDIR)/$(STRIPPED)/gestured-web \
    GESTURECTL=$(CURDIR)/$(STRIPPED)/gesturectl FAKEPANEL=$(CURDIR)/$(FAKE_PANEL) PYTHONDONTWRITEBYTECODE=1

# What the tests with a broker run.
WITH_BROKER := GESTURED=$(CURDIR)/$(STRIPPED)/gestured GESTURED_MQTT=$(CURDIR)/$(STRIPPED)/gestured-mqtt \
    FAKEPANEL=$(CURDIR)/$(FAKE_PANEL) PYTHONDONTWRITEBYTECODE=1

.DEFAULT_GOAL := help
.PHONY: help run build test faults needs week sanitize soak fuzz fuzz-long fuzz-clients fuzz-web coverage test-kernel test-web test-mqtt bench fleet check function-order format install uninstall deb test-deb test-arm64 test-swift62 clean setup-build setup-test setup-bench setup-web setup-mqtt release

## help: show this list
help:
	@echo "gestured turns touches on a panel into lines on a socket. Targets:"
	@sed -n 's/^## \([a-z0-9-]*\): \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r target what; do \
	    printf '%-20s %s\n' "$$target" "$$what"; done
	@echo "Each target installs missing packages with apt, and says which. Variables: PREFIX=$(PREFIX) DESTDIR= PARTS= NO_BUILD=1 NO_SETUP=1"

## run: build, then show gestures live, from this machine's touchscreen or from a recording on a fake panel
run: build $(FAKE_PANEL)
	@scripts/run

## build: release builds of gestured, gesturectl, gestured-web and gestured-mqtt, and stripped copies in .build/stripped
build: setup-build release

release: setup-build
	for program in $(PROGRAMS); do swift build $(RELEASE_FLAGS) --product $$program || exit 1; done
	@mkdir -p $(STRIPPED)
	@for program in $(PROGRAMS); do \
	    scripts/strip $(RELEASE)/$$program $(STRIPPED)/$$program && \
	    echo "$(STRIPPED)/$$program: $$(stat -c %s $(STRIPPED)/$$program) bytes"; done
	@mkdir -p $(COMPLETIONS)
	@for shell in bash zsh fish; do \
	    $(RUNNER) $(STRIPPED)/gesturectl --generate-completion-script $$shell > $(COMPLETIONS)/gesturectl.$$shell || exit 1; done

$(CROWD): $(wildcard Tests/Crowd/*) | setup-test
	Tests/Crowd/build $@

$(FAKE_PANEL): Tests/FakePanel/fakepanel.c Tests/FakePanel/build | setup-test
	Tests/FakePanel/build $@

## test: build for debugging and run every test but those of the bridges to web pages and MQTT; then check every line that was sent against the schema
test: setup-test $(FAKE_PANEL)
	GESTURED_WITHOUT_WEB=1 GESTURED_WITHOUT_MQTT=1 $(BUILD_TESTS)
	GESTURED_WITHOUT_WEB=1 GESTURED_WITHOUT_MQTT=1 scripts/test $(LINES)

## faults: make each system call of the daemon fail once, in each way, while panels are plugged in, touched and unplugged; CALL=read
faults: setup-test $(FAKE_PANEL)
	$(BUILD_TESTS)
	GESTURED_FAULTS=$(or $(CALL),all) swift test --skip-build --disable-xctest --filter FaultTests

## needs: check on every recording of a real panel that what `gesturectl explain` says a touch needs is enough
needs: setup-test
	$(BUILD_TESTS)
	GESTURED_NEEDS=all swift test --skip-build --disable-xctest --filter NeedsTests

## week: a week before a panel in minutes: a million touches, 10 000 re-plugs, 1000 reloads, clocks that are set; TOUCHES=1000000
week: build $(FAKE_PANEL)
	Tests/FakeMachine/build $(FAKE_MACHINE)
	Benchmarks/week $(STRIPPED)/gestured $(FAKE_PANEL) $(FAKE_MACHINE) $(or $(TOUCHES),1000000)

## sanitize: run every test with AddressSanitizer, then with ThreadSanitizer; WITH=address or WITH=thread for one
sanitize: setup-test $(FAKE_PANEL)
	scripts/sanitize $(WITH)

## fuzz: run libFuzzer on events, configurations, recordings and requests; SECONDS=60 for each, TARGET=Events for one
fuzz: setup-build
	scripts/fuzz $(or $(SECONDS),60) $(TARGET)

## fuzz-clients: connect, ask and hang up in any order, with AddressSanitizer; STEPS=10000000, SEED=…
fuzz-clients: setup-build
	scripts/fuzz clients $(or $(STEPS),10000000) $(SEED)

## fuzz-web: send the bridge to web pages requests and frames with random damage; COUNT=1000000
fuzz-web: setup-test
	$(BUILD_TESTS)
	GESTURED_WEB_FUZZ=$(or $(COUNT),1000000) swift test --skip-build --disable-xctest --filter GestureWebTests.FuzzTests

## coverage: show which share of the engine's lines its tests run, by file; MODULE=GestureEngine
coverage: setup-test
	scripts/coverage $(or $(MODULE),GestureEngine)

## fuzz-long: play random touches on random regions and check the laws of gestures; FRAMES=100000000, or SECONDS=…, SEED=…, SHARED=1 (only shared panels)
fuzz-long: setup-build
	swift build -c release --product fuzz-laws
	$(RELEASE)/fuzz-laws $(if $(FRAMES),--frames $(FRAMES)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)) $(if $(SHARED),--shared)

## test-kernel: test the release and its units on a real kernel, a user-mode Linux
test-kernel: build
	Tests/Kernel/vm test

## test-web: test the bridge, and in Chromium gestured.js and the inspector, with the daemon on a fake panel; TEST=test_elements for one file
test-web: setup-web build $(FAKE_PANEL)
	$(BUILD_TESTS)
	swift test --skip-build --disable-xctest --filter GestureWebTests
	$(IN_CHROMIUM) $(PYTEST) -n 2 Tests/Web$(if $(TEST),/$(TEST).py)

## test-mqtt: test the bridge to MQTT with mosquitto, and the alert rules with promtool; TEST=test_commands for one file
test-mqtt: setup-mqtt build $(FAKE_PANEL)
	$(BUILD_TESTS)
	swift test --skip-build --disable-xctest --filter 'GestureMQTT.*Tests'
	$(WITH_BROKER) $(PYTEST) -n 4 Tests/MQTT$(if $(TEST),/$(TEST).py)

## fleet: let 10 000 panels connect to mosquitto at once, take the broker, the network and the disk away, and count; PANELS=10000
fleet: setup-mqtt build $(FAKE_PANEL)
	$(WITH_BROKER) /usr/bin/python3 Benchmarks/fleet --panels $(or $(PANELS),10000)

## bench: measure what frames, changes of regions, events for 64 clients, hostile clients, pages and an idle daemon cost, and check the limits
bench: setup-bench build $(FAKE_PANEL) $(CROWD)
	swift build $(RELEASE_FLAGS) --product benchmarks
	$(RELEASE)/benchmarks
	Benchmarks/instructions $(RELEASE)/benchmarks
	Benchmarks/clients $(STRIPPED)/gestured $(FAKE_PANEL) $(CROWD)
	Benchmarks/attacks $(STRIPPED)/gestured $(FAKE_PANEL) $(CROWD) 10
	Benchmarks/reloads $(STRIPPED)/gestured $(FAKE_PANEL) $(CROWD)
	Benchmarks/compare $(STRIPPED)/gestured $(FAKE_PANEL)
	swift build $(RELEASE_FLAGS) --product web-echo
	Benchmarks/web $(STRIPPED)/gestured-web $(RELEASE)/web-echo
	$(IN_CHROMIUM) Benchmarks/inspector
	@echo "beside other programs on a real kernel, as root: Tests/Kernel/vm latency --strict; Tests/Kernel/vm cost --strict"

## soak: play ten contacts at 120 Hz to 64 clients that read and 32 that do not; beside six attacks; then re-plug and reload; then check each line of 62 clients meanwhile, as root; MINUTES=10 for each; then REPLUGS=10000
soak: setup-bench build $(FAKE_PANEL) $(CROWD)
	Benchmarks/soak-clients $(STRIPPED)/gestured $(FAKE_PANEL) $(CROWD) $(or $(MINUTES),10)
	Benchmarks/attacks $(STRIPPED)/gestured $(FAKE_PANEL) $(CROWD) $$(($(or $(MINUTES),10) * 60))
	Benchmarks/soak-devices $(STRIPPED)/gestured $(FAKE_PANEL) $(or $(MINUTES),10)
	swift build $(RELEASE_FLAGS) --product verified-clients
	[ "$$(id -u)" != 0 ] || Benchmarks/streams $(STRIPPED)/gestured $(FAKE_PANEL) $(RELEASE)/verified-clients $(or $(MINUTES),10)
	Benchmarks/replug $(STRIPPED)/gestured $(FAKE_PANEL) $(or $(REPLUGS),10000)

## check: check style, imports between modules, units, and the size, libraries and order of functions of the daemon
check: build
	swift format lint --strict -r Package.swift Sources Tests Benchmarks/Pipeline Fuzz clients/swift
	scripts/check-imports
	scripts/check-size $(RELEASE)/gestured $(STRIPPED)/gestured
	scripts/check-size $(RELEASE)/gestured-web $(STRIPPED)/gestured-web
	scripts/check-size $(RELEASE)/gestured-mqtt $(STRIPPED)/gestured-mqtt
	scripts/check-order $(RELEASE)/gestured
	scripts/check-units $(STRIPPED)

## function-order: find out again which functions run for a touch, for the linker, and link anew; after larger changes of the daemon
function-order: setup-bench build $(FAKE_PANEL)
	Tests/FakeMachine/build $(FAKE_MACHINE)
	scripts/order-functions $(RELEASE)/gestured $(FAKE_PANEL) $(FAKE_MACHINE)
	rm -f $(addprefix $(RELEASE)/,$(PROGRAMS))
	$(MAKE) NO_SETUP=1 release

## format: format the Swift sources
format: setup-build
	swift format -i -r Package.swift Sources Tests Benchmarks/Pipeline Fuzz clients/swift

## install: install programs, completions, clients, units, rules and the default configuration below DESTDIR
install: $(if $(NO_BUILD),,build)
	PREFIX=$(PREFIX) SYSCONFDIR=$(SYSCONFDIR) DESTDIR=$(DESTDIR) scripts/install install $(PARTS)
	@[ -n "$(DESTDIR)" ] || printf '%s\n' "Now run as root:" "  apt install acl    # setfacl, for the udev rule" \
	    "  systemd-sysusers && systemd-tmpfiles --create gestured.conf && systemctl daemon-reload && udevadm control --reload" \
	    "  udevadm trigger --subsystem-match=input" \
	    "  systemctl enable --now gestured.socket gestured.service" \
	    "  systemctl enable --now gestured-web.socket    # for web pages, and the inspector at http://127.0.0.1:8990/" "and add users who may listen to the group gestured."

## uninstall: remove what `make install` installs below DESTDIR, but not the configuration
uninstall:
	PREFIX=$(PREFIX) SYSCONFDIR=$(SYSCONFDIR) DESTDIR=$(DESTDIR) scripts/install remove $(PARTS)

## deb: build the Debian packages in .build/deb/packages, in a fresh Debian without the network; SUITE=bookworm, ARCH=arm64, CHECK="lintian reproducible"
deb:
	@command -v mmdebstrap >/dev/null || scripts/setup build deb
	CHECK="$(CHECK)" ARCH="$(ARCH)" scripts/deb $(SUITE)

## test-deb: install, upgrade, downgrade, remove and purge the packages of `make deb` in a fresh Debian 12 and 13
test-deb:
	@command -v mmdebstrap >/dev/null || scripts/setup build deb
	Tests/Packages/test $(SUITES)

## test-arm64: run the packages of `make deb ARCH=arm64` here, with qemu: replays as on this machine, the demo, the clients' tests
test-arm64: $(if $(NO_BUILD),,build) $(FAKE_PANEL)
	Tests/Packages/emulated arm64

## test-swift62: run `make test` in a Debian sid with Debian's own Swift, the oldest that can build the project
test-swift62:
	@command -v mmdebstrap >/dev/null || scripts/setup build deb
	scripts/test-swift62

## clean: remove everything that was built
clean:
	rm -rf .build

setup-build:
	@$(if $(NO_SETUP),:,scripts/setup build)

setup-test:
	@scripts/setup build test

setup-bench:
	@scripts/setup build test bench web

setup-web:
	@scripts/setup build test web

setup-mqtt:
	@scripts/setup build test mqtt
