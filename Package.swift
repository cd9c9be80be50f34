// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// The settings that every target is compiled with.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// Optimizes a module in builds for debugging as well, with the checks and messages of such builds: the tests spend much of
/// their time in replays, which are then three to seven times as fast. `GestureClient` must not depend on such a module,
/// because SwiftPM refuses these flags in a product that other packages use.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// The folders of `Sources`, from bottom to top. A module depends only on modules of its own layer and of those before it
/// (`scripts/check-imports`).
enum Layer: String {
    /// Module maps and thin shims of libraries in C and C++.
    case shims
    /// From events to gestures and lines: no clock, no input, no output.
    case core
    /// Linux: the event loop, descriptors, devices.
    case system
    /// The server, and the daemon on its loop.
    case daemon
    /// The client library.
    case client
    /// Programs that pass gestures on: keys, web pages, MQTT.
    case bridges
    /// gesturectl, and the generator of the files that repeat what the modules declare.
    case tool

    func path(_ name: String) -> String { "Sources/\(rawValue)/\(name)" }
}

func module(
    _ name: String, at path: String, _ dependencies: [Target.Dependency], _ more: [SwiftSetting] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings + more)
}

func module(
    _ name: String, in layer: Layer, _ dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = []
) -> Target {
    module(name, at: layer.path(name), dependencies, more)
}

func program(
    _ name: String, at path: String, _ dependencies: [Target.Dependency], _ more: [SwiftSetting] = []
) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings + more)
}

func program(
    _ name: String, in layer: Layer, _ dependencies: [Target.Dependency], _ more: [SwiftSetting] = []
) -> Target {
    program(name, at: layer.path(name), dependencies, more)
}

func shim(_ name: String, _ package: String, _ debian: String) -> Target {
    .systemLibrary(name: name, path: Layer.shims.path(name), pkgConfig: package, providers: [.apt([debian])])
}

/// The tests of a module, in a folder of `Tests` with the same structure as the module.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name + "Tests", dependencies: dependencies, swiftSettings: settings)
}

/// A Swift package from another project. Uses the copy in vendor/ when a distribution's package is built without network
/// access.
func library(_ name: String, from version: Version) -> Package.Dependency {
    guard Context.environment["GESTURED_VENDORED"] == nil else { return .package(path: "vendor/" + name) }
    return .package(url: "https://github.com/apple/" + name, from: version)
}

/// The network library that the bridge to web pages uses.
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map {
    Target.Dependency.product(name: $0, package: "swift-nio", condition: .when(traits: ["Web"]))
}

/// The library of the bridge to MQTT.
let mosquitto: [Target.Dependency] = [.target(name: "CMosquitto", condition: .when(traits: ["MQTT"]))]

/// The modules from events to lines. Where all of them are named, a module uses most of them.
let core: [Target.Dependency] = [
    "GestureEngine", "ContactTracking", "TouchSharing", "GestureConfiguration", "GestureProtocol", "GesturePipeline",
]
let system: [Target.Dependency] = ["LinuxSystem", "CLinux"]

let shims: [Target] = [
    .target(name: "CMath", path: Layer.shims.path("CMath"), linkerSettings: [.linkedLibrary("m")]),
    .target(name: "CLinux", path: Layer.shims.path("CLinux")),
    .target(
        name: "CTomlPlusPlus", path: Layer.shims.path("CTomlPlusPlus"),
        cxxSettings: [
            .define("TOML_EXCEPTIONS", to: "0"), .define("TOML_HEADER_ONLY", to: "1"),
            .define("TOML_FLOAT_CHARCONV", to: "1"), .define("TOML_ENABLE_FORMATTERS", to: "0"),
            .unsafeFlags(["-fno-exceptions", "-fno-rtti"]),
        ]),
    shim("CEvdev", "libevdev", "libevdev-dev"),
    shim("CUdev", "libudev", "libudev-dev"),
    shim("CJansson", "jansson", "libjansson-dev"),
    // Not for the daemon: recordings of libinput, the bridge to MQTT, and the report.
    shim("CYaml", "yaml-0.1", "libyaml-dev"),
    shim("CMosquitto", "libmosquitto", "libmosquitto-dev"),
    shim("CSQLite", "sqlite3", "libsqlite3-dev"),
]

let modules: [Target] = [
    module("GestureEngine", in: .core, ["CMath"], optimized),
    module("ContactTracking", in: .core, ["GestureEngine"], optimized),
    module("GestureProtocol", in: .core, ["CJansson"]),
    module("TouchSharing", in: .core, ["GestureEngine", "ContactTracking", "GestureProtocol"]),
    module(
        "GestureConfiguration", in: .core,
        ["GestureEngine", "ContactTracking", "TouchSharing", "GestureProtocol", "CTomlPlusPlus"]),
    module("GesturePipeline", in: .core, core.dropLast(), optimized),
    // Not for the daemon.
    module("Recordings", in: .core, core + ["CYaml"], optimized),
    module("TouchScripts", in: .core, core + ["Recordings", "CMath"]),

    module("LinuxSystem", in: .system, ["CLinux"]),
    // Not for the daemon.
    module("LocalDatabase", in: .system, ["CSQLite", "CLinux"], optimized),
    module(
        "TouchInput", in: .system,
        ["GestureEngine", "ContactTracking", "GestureProtocol", "CEvdev", "CUdev"] + system),

    module("GestureServer", in: .daemon, ["GestureProtocol"] + system),
    module("GestureDaemon", in: .daemon, core + system + ["TouchInput", "GestureServer"]),
    program("gestured", in: .daemon, ["GestureDaemon", "CLinux"]),

    module("GestureClient", in: .client, ["GestureProtocol"] + system),

    // The command line and settings of the bridges. It needs none of their libraries, so that gesturectl can check
    // mqtt.toml.
    module(
        "BridgeProgram", in: .bridges,
        ["GestureClient", "GestureEngine", "GestureConfiguration", "GestureProtocol"] + system),
    // This module has no device, so that gesturectl can check its file, keys.toml.
    module(
        "GestureKeys", in: .bridges,
        ["BridgeProgram", "GestureClient", "GestureConfiguration", "GestureProtocol", "LinuxSystem", "CEvdev"]),
    program(
        "gestured-keys", in: .bridges,
        [
            "GestureKeys", "BridgeProgram", "GestureClient", "GestureEngine", "GestureConfiguration", "GestureProtocol",
            "ContactTracking", "TouchInput",
        ] + system),
    module("GestureWeb", in: .bridges, core + system + ["Recordings", "BridgeProgram"] + nio),
    program("gestured-web", in: .bridges, ["GestureWeb", "CLinux"]),
    module(
        "GestureMQTT", in: .bridges,
        core + system + ["Recordings", "BridgeProgram", "GestureClient", "LocalDatabase"] + mosquitto),
    program("gestured-mqtt", in: .bridges, ["GestureMQTT", "CLinux"]),
    module(
        "GestureReport", in: .bridges,
        [
            "BridgeProgram", "GestureClient", "GestureEngine", "GestureConfiguration", "GestureProtocol",
            "LocalDatabase",
        ] + system, optimized),
    program("gestured-report", in: .bridges, ["GestureReport", "CLinux"]),

    program(
        "gesturectl", in: .tool,
        core + system + [
            "Recordings", "TouchScripts", "TouchInput", "GestureClient", "GestureKeys", "BridgeProgram",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ], optimized),
    module("GestureVocabulary", in: .tool, core + ["GestureServer", "BridgeProgram", "GestureKeys"]),
    program("vocabulary", in: .tool, ["GestureVocabulary"]),
    program("example-kiosk", at: "clients/swift", ["GestureClient"]),
]

/// The modules and programs that tests and benchmarks share.
let supports: [Target] = [
    module(
        "GestureTestSupport", at: "Tests/GestureTestSupport",
        ["GestureEngine", "TouchScripts", "StreamVerifier"] + system),
    module("StreamVerifier", at: "Tests/StreamVerifier", ["CLinux"]),
    program("proxied-gestured", at: "Tests/Tools/StreamProxy", ["StreamVerifier"] + system),
    program("verified-clients", at: "Tests/Tools/VerifiedClients", ["StreamVerifier"] + system),
    module(
        "GestureLaws", at: "Tests/GestureLaws", core + ["GestureServer", "StreamVerifier", "GestureTestSupport"]),
    module(
        "GestureServerHarness", at: "Tests/GestureServerHarness",
        ["GestureServer", "GestureProtocol", "GestureEngine", "GestureTestSupport", "StreamVerifier"] + system),
    module(
        "FuzzBodies", at: "Tests/Fuzz/Bodies",
        core + ["GestureServer", "Recordings", "StreamVerifier", "GestureTestSupport"]),
    program("fuzz-inputs", at: "Tests/Fuzz/Inputs", ["FuzzBodies"]),
    program("fuzz-laws", at: "Tests/Fuzz/Laws", ["GestureLaws", "GestureEngine"]),
    program("fuzz-clients", at: "Tests/Fuzz/Clients", ["GestureServerHarness"]),
    .target(name: "CAllocationCount", path: "Tests/Benchmarks/CAllocationCount"),
    program(
        "benchmarks", at: "Tests/Benchmarks/Pipeline",
        core + system + ["GestureServer", "CAllocationCount"]),
    program("web-echo", at: "Tests/Benchmarks/WebEcho", nio),
]

let testTargets: [Target] = [
    tests("GestureEngine", ["GestureEngine", "GestureTestSupport", "GestureLaws"]),
    tests("ContactTracking", ["ContactTracking", "GestureEngine", "GestureTestSupport"]),
    tests("TouchSharing", ["TouchSharing", "ContactTracking", "GestureEngine"]),
    tests("GestureConfiguration", core.dropLast() + ["GestureTestSupport"]),
    tests("GestureProtocol", ["GestureProtocol", "GestureEngine", "GestureTestSupport"]),
    tests("GesturePipeline", core + ["GestureTestSupport"]),
    tests("Recordings", core + ["Recordings", "GestureTestSupport"]),
    tests("TouchScripts", core + ["Recordings", "TouchScripts", "GestureTestSupport"]),
    tests("LinuxSystem", system + ["GestureTestSupport"]),
    tests("TouchInput", system + ["TouchInput", "ContactTracking", "GestureEngine", "CEvdev"]),
    tests(
        "GestureServer",
        system + [
            "GestureServer", "GestureProtocol", "GestureEngine", "GestureTestSupport", "StreamVerifier",
            "GestureServerHarness",
        ]),
    tests(
        "GestureDaemon",
        system + ["GestureDaemon", "GestureProtocol", "GestureEngine", "GestureTestSupport", "StreamVerifier"]),
    tests(
        "GestureClient", ["GestureClient", "GestureProtocol", "GestureEngine", "LinuxSystem", "GestureTestSupport"]),
    tests(
        "BridgeProgram",
        ["BridgeProgram", "LinuxSystem", "GestureEngine", "GestureConfiguration", "GestureTestSupport"]),
    tests(
        "GestureKeys",
        [
            "GestureKeys", "gestured-keys", "gestured", "gesturectl", "BridgeProgram", "GestureClient",
            "GestureConfiguration", "GestureProtocol", "GestureTestSupport",
        ]),
    tests("GestureWeb", core + system + ["GestureWeb", "gestured-web", "BridgeProgram", "GestureTestSupport"] + nio),
    tests(
        "GestureMQTT",
        core + system + ["GestureMQTT", "BridgeProgram", "GestureClient", "LocalDatabase", "GestureTestSupport"]
            + mosquitto),
    tests(
        "GestureReport",
        core + system + [
            "GestureReport", "gestured-report", "gestured", "BridgeProgram", "GestureClient", "LocalDatabase",
            "Recordings",
            "TouchScripts", "GestureTestSupport",
        ]),
    tests("GestureVocabulary", core + ["GestureVocabulary", "BridgeProgram", "GestureKeys", "GestureTestSupport"]),
    tests(
        "Gesturectl",
        core + system + [
            "gesturectl", "gestured", "proxied-gestured", "GestureClient", "Recordings", "TouchScripts",
            "GestureTestSupport",
            "StreamVerifier",
        ]),
    tests("StreamVerifier", ["StreamVerifier"]),
    tests("Fuzz", ["FuzzBodies", "GestureEngine", "GestureTestSupport"]),
    tests("GestureCases", core + ["Recordings", "GestureTestSupport"]),
    tests("Documentation", core + ["GestureServer", "Recordings", "TouchScripts", "GestureTestSupport"]),
    tests("Packaging", ["GestureProtocol", "GestureTestSupport"]),
]

let package = Package(
    name: "gestured",
    products: [
        .executable(name: "gestured", targets: ["gestured"]),
        .executable(name: "gesturectl", targets: ["gesturectl"]),
        .executable(name: "gestured-keys", targets: ["gestured-keys"]),
        .executable(name: "gestured-web", targets: ["gestured-web"]),
        .executable(name: "gestured-mqtt", targets: ["gestured-mqtt"]),
        .executable(name: "gestured-report", targets: ["gestured-report"]),
        .library(name: "GestureClient", targets: ["GestureClient"]),
    ],
    // No trait is enabled by default, so a plain `swift build` fetches no network library and does not need libmosquitto.
    // SwiftPM has no optional targets, so the sources of a bridge are empty without its trait.
    traits: [
        .trait(name: "Web", description: "gestured-web, the bridge to web pages"),
        .trait(name: "MQTT", description: "gestured-mqtt, the bridge to MQTT"),
        .trait(name: "Fuzzing", description: "fuzz-inputs with the main function of libFuzzer (scripts/fuzz)"),
    ],
    dependencies: [
        // For gesturectl only: it links FoundationEssentials, which the daemon must not link.
        library("swift-argument-parser", from: "1.8.2"),
        library("swift-nio", from: "2.101.2"),
    ],
    targets: shims + modules + supports + testTargets,
    cxxLanguageStandard: .cxx17
)
