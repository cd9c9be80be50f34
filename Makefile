# SPDX-License-Identifier: MIT
# Builds, runs, tests, measures and installs gestured. `make` alone lists the targets.

PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
# The parts to install: daemon, keys, web, mqtt, report, clients. The default is all of them.
PARTS ?=
# The command that runs the programs if they are built for another machine, such as qemu-aarch64-static.
RUNNER ?=

export PATH := $(shell GESTURED_SWIFT='$(GESTURED_SWIFT)' scripts/swift-path)

PROGRAMS := gestured gesturectl gestured-keys gestured-web gestured-mqtt gestured-report
RELEASE := .build/release
STRIPPED := .build/stripped
# The completions are made together with the release, so that the installation need not run a program.
COMPLETIONS := .build/completions
# The manual pages of sections 5 and 7, made from the pages in docs
MANUAL := .build/man
FAKE_PANEL := .build/fakepanel
CROWD := .build/crowd
# The bridges to web pages and to MQTT are traits of the package. All builds here enable both, so that no build repeats the
# work of another one. SwiftPM passes the traits to the compiler in the order of a set. Without this variable the order
# differs between runs, and another order rebuilds everything.
SWIFT_BUILD := env SWIFT_DETERMINISTIC_HASHING=1 swift build --traits Web,MQTT
# The folder in which tests store the lines that daemons send, for scripts/check-lines
LINES := $(CURDIR)/.build/lines
# All release targets use the same flags, so that modules are built only once. Swift's runtime is linked statically, no
# symbol is exported, symbols are bound at the start, relocations are packed (needs glibc 2.36), and overlapping accesses are
# only checked in the builds for tests and fuzzers.
RELEASE_FLAGS := -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections \
    -Xswiftc -enforce-exclusivity=unchecked \
    $(foreach flag,-z now -z pack-relative-relocs --version-script=$(CURDIR)/scripts/exports.map,-Xlinker $(flag))

# The folder in which scripts/setup puts a library that Debian's Swift lacks.
export LIBRARY_PATH := $(CURDIR)/.build/libraries$(addprefix :,$(LIBRARY_PATH))

# The build for `make run` and for the tests, except with sanitizers and for coverage. It has no DWARF, because generating it took
# a fifth of the build time. A failed check prints its line anyway, and a crash still prints its function. To use a debugger, build
# with swift build --build-tests.
BUILD_DEBUG := $(SWIFT_BUILD) -debug-info-format none

# Debian's Python has the modules that the tests import. Several tests run at the same time; those of a class run in order.
PYTEST := PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m pytest -q --dist loadscope

.DEFAULT_GOAL := help
.PHONY: help run build test sanitize test-kernel test-web test-mqtt test-clients test-release bench check vocabulary format install uninstall deb test-deb clean setup-build setup-run setup-test setup-bench setup-release setup-web setup-mqtt setup-clients release

## help: show this list
help:
	@echo "gestured turns touches on a panel into lines on a socket. Targets:"
	@sed -n 's/^## \([a-z0-9-]*\): \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r target what; do \
	    printf '%-20s %s\n' "$$target" "$$what"; done
	@echo "Each target installs missing packages with apt, prints their names, and fetches Swift if you agree. Variables: PREFIX=$(PREFIX) DESTDIR= PARTS= NO_BUILD=1 NO_SETUP=1 YES=1 GESTURED_SWIFT="
	@echo "docs/testing.md lists the scripts for long tests, fuzzing and coverage."

## run: build for debugging, then show gestures live, from this machine's touchscreen or from a recording on a fake panel
run: setup-run $(FAKE_PANEL)
	$(BUILD_DEBUG) --product gestured
	$(BUILD_DEBUG) --product gesturectl
	@scripts/run $(BUILD_DEBUG) --product gestured-web

## build: build gestured, gesturectl, gestured-keys, gestured-web, gestured-mqtt and gestured-report for release, and put stripped copies into .build/stripped
build: setup-build release

release: setup-build
	for program in $(PROGRAMS); do $(SWIFT_BUILD) $(RELEASE_FLAGS) --product $$program || exit 1; done
	@mkdir -p $(STRIPPED)
	@for program in $(PROGRAMS); do \
	    scripts/strip $(RELEASE)/$$program $(STRIPPED)/$$program && \
	    echo "$(STRIPPED)/$$program: $$(stat -c %s $(STRIPPED)/$$program) bytes"; done
	scripts/pages man $(MANUAL)
	@mkdir -p $(COMPLETIONS)
	@for shell in bash zsh fish; do \
	    $(RUNNER) $(STRIPPED)/gesturectl --generate-completion-script $$shell > $(COMPLETIONS)/gesturectl.$$shell || exit 1; done

$(CROWD): $(wildcard Tests/Tools/Crowd/*) Tests/Tools/build | setup-build
	Tests/Tools/build Crowd $@

$(FAKE_PANEL): $(wildcard Tests/Tools/FakePanel/*) Tests/Tools/build | setup-run
	Tests/Tools/build FakePanel $@

## test: build for debugging and run every Swift test, then check every line that daemons sent against the schema
test: setup-test
	$(BUILD_DEBUG) --build-tests
	scripts/test $(LINES)

## sanitize: run every test with AddressSanitizer, then with ThreadSanitizer; WITH=address or WITH=thread for one
sanitize: setup-test
	scripts/sanitize $(WITH)

## test-kernel: test the release and its units on a real kernel, a user-mode Linux
test-kernel: build
	Tests/Kernel/vm test

## test-web: test gestured.js and the inspector in Chromium, with the daemon on a fake panel; TEST=test_elements for one file
test-web: setup-web build $(FAKE_PANEL)
	$(PYTEST) -n 2 Tests/Web$(if $(TEST),/$(TEST).py)

## test-mqtt: test the shipped bridge to MQTT with mosquitto, and the alert rules with promtool; TEST=test_commands for one file
test-mqtt: setup-mqtt build $(FAKE_PANEL)
	$(PYTEST) -n 4 Tests/MQTT$(if $(TEST),/$(TEST).py)

## test-clients: test the clients in C and QML, and those in the loops of GLib, Qt, Kivy and MagicMirror, on a fake panel
test-clients: setup-clients build $(FAKE_PANEL)
	$(PYTEST) -n 2 clients/c clients/qt clients/python/test_loops.py clients/python/test_kivy.py
	node --test clients/magicmirror/MMM-Gestured.test.mjs

## test-release: test how Swift is fetched, and what a release is made with; TEST=test_setup for one file
test-release: setup-release
	$(PYTEST) -n 2 Tests/Release$(if $(TEST),/$(TEST).py)

## bench: measure the cost of frames, region changes, 64 clients, hostile clients, pages and an idle daemon, and check the limits
bench: setup-bench build $(FAKE_PANEL) $(CROWD)
	$(SWIFT_BUILD) $(RELEASE_FLAGS) --product benchmarks
	$(RELEASE)/benchmarks
	Tests/Benchmarks/instructions $(RELEASE)/benchmarks
	Tests/Benchmarks/landings $(RELEASE)/benchmarks
	Tests/Benchmarks/clients $(STRIPPED)/gestured $(FAKE_PANEL) $(CROWD)
	Tests/Benchmarks/attacks $(STRIPPED)/gestured $(FAKE_PANEL) $(CROWD) 10
	Tests/Benchmarks/reloads $(STRIPPED)/gestured $(FAKE_PANEL) $(CROWD)
	Tests/Benchmarks/compare $(STRIPPED)/gestured $(FAKE_PANEL)
	$(SWIFT_BUILD) $(RELEASE_FLAGS) --product web-echo
	Tests/Benchmarks/web $(RELEASE)/web-echo
	Tests/Benchmarks/inspector
	$(CC) -std=c99 -O2 -o .build/c-cost clients/c/test/cost.c && .build/c-cost
	@echo "For a comparison with other programs on a real kernel, run as root: Tests/Benchmarks/kernel/run latency --strict; Tests/Benchmarks/kernel/run cost --strict"

## check: check style, imports between modules, units, and the daemon's size and libraries, and play the demonstration with the release
check: build $(FAKE_PANEL)
	swift format lint --strict -r Package.swift Sources Tests clients/swift
	scripts/check-imports
	scripts/check-comments
	scripts/check-commits
	scripts/pages check
	scripts/check-size $(RELEASE)/gestured $(STRIPPED)/gestured
	scripts/check-size $(RELEASE)/gestured-keys $(STRIPPED)/gestured-keys
	scripts/check-size $(RELEASE)/gestured-web $(STRIPPED)/gestured-web
	scripts/check-size $(RELEASE)/gestured-mqtt $(STRIPPED)/gestured-mqtt
	scripts/check-size $(RELEASE)/gestured-report $(STRIPPED)/gestured-report
	scripts/check-units $(STRIPPED)
	scripts/check-release $(STRIPPED)

## vocabulary: write the committed files, and the sections between marks, that repeat what the modules declare
vocabulary: setup-build
	$(BUILD_DEBUG) --product vocabulary
	.build/debug/vocabulary

## format: format the Swift sources
format: setup-build
	swift format -i -r Package.swift Sources Tests clients/swift

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

## deb: build the Debian packages in .build/deb/packages, in a fresh Debian without network access; SUITE=bookworm, ARCH=arm64, CHECK="lintian reproducible"
deb:
	@command -v mmdebstrap >/dev/null || scripts/setup build deb
	CHECK="$(CHECK)" ARCH="$(ARCH)" scripts/deb $(SUITE)

## test-deb: install, upgrade, downgrade, remove and purge the packages of `make deb` in a fresh Debian 12 and 13
test-deb:
	@command -v mmdebstrap >/dev/null || scripts/setup build deb
	Tests/Packages/test $(SUITES)

## clean: remove everything that was built, but not the Swift in .build/swift
clean:
	@if [ -d .build ]; then find .build -mindepth 1 -maxdepth 1 ! -name swift -exec rm -rf {} +; fi

setup-build:
	@$(if $(NO_SETUP),:,scripts/setup build)

setup-run:
	@$(if $(NO_SETUP),:,scripts/setup build run)

setup-test:
	@scripts/setup build test

setup-bench:
	@scripts/setup build test bench web

setup-release:
	@scripts/setup build test release

setup-web:
	@scripts/setup build test web

setup-mqtt:
	@scripts/setup build test mqtt

setup-clients:
	@scripts/setup build test clients
