# SPDX-License-Identifier: MIT
# The touch gesture daemon, its tool, the bridges to web pages and to MQTT, and the client libraries, built with meta-swift.
# BitBake has not run this recipe. Tests/PackagingTests compares its versions and FILES with the files that `make install`
# installs.
SUMMARY = "Touch gesture daemon for kiosks and panels"
LICENSE = "MIT & Apache-2.0 & BSD-3-Clause"
LIC_FILES_CHKSUM = "file://LICENSE;md5=48cbe0c918fa513d551a61adc37645b1 \
    file://packaging/THIRD-PARTY.md;md5=f7de87375d0af1eab6dd9cde2dabc0e2"

DEPENDS = "libevdev udev jansson libyaml tomlplusplus mosquitto sqlite3"

# GESTURED_URI is the address of the project's repository, such as "git:///srv/gestured.git;protocol=file". It has no default, because
# there is no public one yet. The project's dependencies are fetched as well, because the build has no network access.
python () {
    if not d.getVar("GESTURED_URI"):
        raise bb.parse.SkipRecipe("GESTURED_URI is not set; set it to the address of the repository of gestured")
}
SRC_URI = "${GESTURED_URI};branch=main;name=gestured;tag=v${PV} \
    git://github.com/apple/swift-argument-parser.git;protocol=https;nobranch=1;name=parser;destsuffix=git/vendor/swift-argument-parser \
    git://github.com/apple/swift-nio.git;protocol=https;nobranch=1;name=nio;destsuffix=git/vendor/swift-nio \
    git://github.com/apple/swift-atomics.git;protocol=https;nobranch=1;name=atomics;destsuffix=git/vendor/swift-atomics \
    git://github.com/apple/swift-collections.git;protocol=https;nobranch=1;name=collections;destsuffix=git/vendor/swift-collections \
    git://github.com/apple/swift-system.git;protocol=https;nobranch=1;name=system;destsuffix=git/vendor/swift-system \
"
# swift-argument-parser 1.8.2, swift-nio 2.101.2, swift-atomics 1.3.0, swift-collections 1.6.0, swift-system 1.8.1
SRCREV_parser = "436bde4bb9489201ca6662f5cf94ec45fa8e244e"
SRCREV_nio = "3398e4aaa6104439e99b3a73572f5b272b39e735"
SRCREV_atomics = "6c7dbee0cc6840dffa75a29a46834d0714135e93"
SRCREV_collections = "b9f4b3586ced378bbddc36a676d2aca082492ed9"
SRCREV_system = "a7b0cdcbe3928cc5501238df4756be9a5db11b83"
SRCREV_FORMAT = "gestured"

S = "${WORKDIR}/git"

inherit swift systemd useradd

export GESTURED_VENDORED = "1"
# Makes swift-nio look for its dependencies in the folder next to it.
export SWIFTCI_USE_LOCAL_DEPS = "1"

EXTRA_OESWIFT = "--static-swift-stdlib -Xlinker -z -Xlinker now -Xlinker --version-script=${S}/scripts/exports.map"

do_compile() {
    for program in gestured gesturectl gestured-keys gestured-web gestured-mqtt gestured-report; do
        SWIFT_DETERMINISTIC_HASHING=1 swift build --package-path ${S} --build-path ${B} --skip-update -c ${BUILD_MODE} --traits Web,MQTT \
            --destination ${WORKDIR}/destination.json ${EXTRA_OESWIFT} --product $program
    done
}

# BitBake strips the programs. The completions are left out, because gesturectl would have to run on the build machine to
# write them, and so are the manual pages that scripts/pages makes with lowdown.
do_install() {
    install -d ${B}/install/stripped
    for program in gestured gesturectl gestured-keys gestured-web gestured-mqtt gestured-report; do
        install -m 755 ${B}/${BUILD_MODE}/$program ${B}/install/stripped/
    done
    BUILT=${B}/install PREFIX=${prefix} SYSCONFDIR=${sysconfdir} DESTDIR=${D} \
        ${S}/scripts/install install
}

PACKAGES =+ "${PN}-keys ${PN}-web ${PN}-mqtt ${PN}-report ${PN}-clients"

FILES:${PN} += "${bindir}/gestured ${bindir}/gesturectl \
    ${systemd_system_unitdir}/gestured.service ${systemd_system_unitdir}/gestured.socket \
    ${libdir}/sysusers.d/gestured.conf ${libdir}/tmpfiles.d/gestured.conf ${libdir}/udev/rules.d/*-gestured*.rules \
    ${libdir}/gestured ${libdir}/systemd/user/gestured-*.service ${libdir}/systemd/*-preset/80-gestured.preset \
    ${datadir}/gestured/gestured-share.conf ${datadir}/gestured/*.schema.json ${datadir}/gestured/demo.* \
    ${datadir}/gestured/gestured.toml"
FILES:${PN}-keys = "${bindir}/gestured-keys ${systemd_system_unitdir}/gestured-keys.service \
    ${libdir}/sysusers.d/gestured-keys.conf ${datadir}/gestured/keys.schema.json ${datadir}/gestured/keys.toml"
FILES:${PN}-web = "${bindir}/gestured-web \
    ${systemd_system_unitdir}/gestured-web.service ${systemd_system_unitdir}/gestured-web.socket \
    ${libdir}/sysusers.d/gestured-web.conf ${datadir}/gestured/web.schema.json ${datadir}/gestured/web/* \
    ${datadir}/gestured/web.toml"
FILES:${PN}-mqtt = "${bindir}/gestured-mqtt ${systemd_system_unitdir}/gestured-mqtt.service \
    ${libdir}/sysusers.d/gestured-mqtt.conf ${libdir}/tmpfiles.d/gestured-mqtt.conf ${datadir}/gestured/mqtt.schema.json ${datadir}/gestured/fleet/* \
    ${datadir}/gestured/mqtt.toml"
FILES:${PN}-report = "${bindir}/gestured-report ${systemd_system_unitdir}/gestured-report.service \
    ${libdir}/sysusers.d/gestured-report.conf ${datadir}/gestured/report.schema.json ${datadir}/gestured/report.toml"
FILES:${PN}-clients = "${datadir}/gestured/clients/*"
# BitBake sets FILES:${PN}-doc itself: ${docdir} and ${mandir}.

# The package acl contains setfacl, which the udev rule calls.
RDEPENDS:${PN} = "acl"
RDEPENDS:${PN}-keys = "${PN}"
RDEPENDS:${PN}-web = "${PN}"
RDEPENDS:${PN}-mqtt = "${PN}"
RDEPENDS:${PN}-report = "${PN}"

SYSTEMD_PACKAGES = "${PN} ${PN}-keys ${PN}-web ${PN}-mqtt ${PN}-report"
SYSTEMD_SERVICE:${PN} = "gestured.socket gestured.service"
SYSTEMD_SERVICE:${PN}-keys = "gestured-keys.service"
SYSTEMD_SERVICE:${PN}-web = "gestured-web.socket gestured-web.service"
SYSTEMD_SERVICE:${PN}-mqtt = "gestured-mqtt.service"
SYSTEMD_SERVICE:${PN}-report = "gestured-report.service"
SYSTEMD_AUTO_ENABLE:${PN}-keys = "disable"
SYSTEMD_AUTO_ENABLE:${PN}-web = "disable"
SYSTEMD_AUTO_ENABLE:${PN}-mqtt = "disable"
SYSTEMD_AUTO_ENABLE:${PN}-report = "disable"

USERADD_PACKAGES = "${PN} ${PN}-keys ${PN}-web ${PN}-mqtt ${PN}-report"
USERADD_PARAM:${PN} = "--system --no-create-home --home-dir / --shell /sbin/nologin --user-group gestured"
USERADD_PARAM:${PN}-keys = "--system --no-create-home --home-dir / --shell /sbin/nologin --user-group --groups gestured gestured-keys"
USERADD_PARAM:${PN}-web = "--system --no-create-home --home-dir / --shell /sbin/nologin --user-group --groups gestured gestured-web"
USERADD_PARAM:${PN}-mqtt = "--system --no-create-home --home-dir / --shell /sbin/nologin --user-group --groups gestured gestured-mqtt"
USERADD_PARAM:${PN}-report = "--system --no-create-home --home-dir / --shell /sbin/nologin --user-group --groups gestured gestured-report"
