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

/// A library that is part of the daemon. `scripts/check-imports` checks that imports between modules point in one
/// direction.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = []
) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings + more)
}

/// The tests of a library, in a folder with the same structure.
func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name)] + dependencies,
        resources: resources, swiftSettings: settings)
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

/// The libraries of the bridge to MQTT, and the modules that it shares with its tests.
let mqtt: [Target.Dependency] = [
    "BridgeProgram", "GestureClient", "GestureEngine", "GestureConfiguration", "GestureProtocol", "LinuxSystem",
    "CLinux", .target(name: "CMosquitto", condition: .when(traits: ["MQTT"])),
    .target(name: "CSQLite", condition: .when(traits: ["MQTT"])),
]

let package = Package(
    name: "gestured",
    products: [
        .executable(name: "gestured", targets: ["gestured"]),
        .executable(name: "gesturectl", targets: ["gesturectl"]),
        .executable(name: "gestured-keys", targets: ["gestured-keys"]),
        .executable(name: "gestured-web", targets: ["gestured-web"]),
        .executable(name: "gestured-mqtt", targets: ["gestured-mqtt"]),
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
    targets: [
        .target(name: "CMath", linkerSettings: [.linkedLibrary("m")]),
        .target(name: "CLinux"),
        .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        // For gesturectl only, like swift-argument-parser.
        .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(
            name: "CTomlPlusPlus",
            cxxSettings: [
                .define("TOML_EXCEPTIONS", to: "0"), .define("TOML_HEADER_ONLY", to: "1"),
                .define("TOML_FLOAT_CHARCONV", to: "1"), .define("TOML_ENABLE_FORMATTERS", to: "0"),
                .unsafeFlags(["-fno-exceptions", "-fno-rtti"]),
            ]),

        module("GestureEngine", ["CMath"], optimized),
        module("ContactTracking", ["GestureEngine"], optimized),
        module("GestureProtocol", ["CJansson"]),
        module("TouchSharing", ["GestureEngine", "ContactTracking", "GestureProtocol"]),
        module(
            "GestureConfiguration",
            ["GestureEngine", "ContactTracking", "TouchSharing", "GestureProtocol", "CTomlPlusPlus"]),
        module(
            "GesturePipeline",
            ["GestureEngine", "ContactTracking", "TouchSharing", "GestureConfiguration", "GestureProtocol"], optimized),
        module("LinuxSystem", ["CLinux"]),
        module(
            "TouchInput",
            ["GestureEngine", "ContactTracking", "GestureProtocol", "LinuxSystem", "CEvdev", "CUdev", "CLinux"]),
        module("GestureServer", ["GestureProtocol", "LinuxSystem", "CLinux"]),
        module(
            "GestureDaemon",
            [
                "GestureEngine", "ContactTracking", "TouchSharing", "GestureConfiguration", "GestureProtocol",
                "GesturePipeline", "LinuxSystem", "TouchInput", "GestureServer", "CLinux",
            ]),

        // Used only by gesturectl and the tests.
        module(
            "Recordings",
            [
                "GestureEngine", "ContactTracking", "TouchSharing", "GestureConfiguration", "GestureProtocol",
                "GesturePipeline", "CYaml",
            ], optimized),
        .executableTarget(name: "gestured", dependencies: ["GestureDaemon", "CLinux"], swiftSettings: settings),
        .executableTarget(
            name: "gesturectl",
            dependencies: [
                "GestureEngine", "ContactTracking", "TouchSharing", "GestureConfiguration", "GestureProtocol",
                "GesturePipeline", "Recordings", "LinuxSystem", "GestureClient", "GestureKeys", "BridgeProgram",
                "CLinux",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings + optimized),

        module("GestureClient", ["GestureProtocol", "LinuxSystem", "CLinux"]),
        // The command line and settings of the bridges. It needs none of their libraries, so that gesturectl can check
        // mqtt.toml.
        module(
            "BridgeProgram",
            ["GestureClient", "GestureEngine", "GestureConfiguration", "GestureProtocol", "LinuxSystem", "CLinux"]),
        // The program that types for gestures. gesturectl checks its file, keys.toml.
        module(
            "GestureKeys",
            ["BridgeProgram", "GestureClient", "GestureConfiguration", "GestureProtocol", "LinuxSystem", "CEvdev"]),
        .executableTarget(
            name: "gestured-keys",
            dependencies: [
                "GestureKeys", "BridgeProgram", "GestureClient", "GestureEngine", "GestureConfiguration",
                "GestureProtocol", "ContactTracking",
                "TouchInput", "LinuxSystem", "CLinux",
            ],
            swiftSettings: settings),
        tests(
            "GestureKeys",
            [
                "gestured-keys", "gestured", "gesturectl", "BridgeProgram", "GestureClient", "GestureConfiguration",
                "GestureProtocol",
                "GestureTestSupport",
            ]),
        .executableTarget(
            name: "example-kiosk", dependencies: ["GestureClient"], path: "clients/swift", swiftSettings: settings),

        // The generator of the files that repeat what the modules declare (`make vocabulary`). No program depends on it.
        module(
            "GestureVocabulary",
            [
                "GestureEngine", "ContactTracking", "TouchSharing", "GestureConfiguration", "GesturePipeline",
                "GestureProtocol", "GestureServer", "BridgeProgram", "GestureKeys",
            ]),
        .executableTarget(name: "vocabulary", dependencies: ["GestureVocabulary"], swiftSettings: settings),
        tests(
            "GestureVocabulary",
            [
                "GestureEngine", "GestureConfiguration", "GesturePipeline", "BridgeProgram", "GestureKeys",
                "GestureTestSupport",
            ]),

        .target(name: "CAllocationCount", path: "Benchmarks/CAllocationCount"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "GestureEngine", "ContactTracking", "GestureConfiguration", "GestureProtocol", "GesturePipeline",
                "GestureServer", "LinuxSystem", "CLinux", "CAllocationCount",
            ],
            path: "Benchmarks/Pipeline", swiftSettings: settings),

        .target(
            name: "StreamVerifier", dependencies: ["CLinux"], path: "Tests/StreamVerifier", swiftSettings: settings),
        .executableTarget(
            name: "proxied-gestured", dependencies: ["StreamVerifier", "LinuxSystem", "CLinux"],
            path: "Tests/Tools/StreamProxy", swiftSettings: settings),
        tests("StreamVerifier", []),
        .executableTarget(
            name: "verified-clients", dependencies: ["StreamVerifier", "LinuxSystem", "CLinux"],
            path: "Tests/Tools/VerifiedClients", swiftSettings: settings),
        .target(
            name: "GestureLaws",
            dependencies: [
                "GestureEngine", "ContactTracking", "TouchSharing", "GestureConfiguration", "GestureProtocol",
                "GesturePipeline", "GestureServer", "StreamVerifier", "GestureTestSupport",
            ],
            path: "Tests/GestureLaws", swiftSettings: settings),
        .executableTarget(
            name: "fuzz-laws", dependencies: ["GestureLaws", "GestureEngine"], path: "Fuzz/Laws",
            swiftSettings: settings),
        .target(
            name: "GestureServerHarness",
            dependencies: [
                "GestureServer", "GestureProtocol", "LinuxSystem", "CLinux", "GestureTestSupport", "StreamVerifier",
            ],
            path: "Tests/GestureServerHarness", swiftSettings: settings),
        .executableTarget(
            name: "fuzz-clients", dependencies: ["GestureServerHarness"], path: "Fuzz/Clients",
            swiftSettings: settings),
        .target(
            name: "FuzzBodies",
            dependencies: [
                "GestureEngine", "ContactTracking", "GestureConfiguration", "GestureProtocol", "GesturePipeline",
                "GestureServer", "Recordings", "StreamVerifier", "TouchSharing", "GestureTestSupport",
            ],
            path: "Fuzz/Bodies", swiftSettings: settings),
        .executableTarget(
            name: "fuzz-inputs", dependencies: ["FuzzBodies"], path: "Fuzz/Inputs", swiftSettings: settings),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzBodies", "GestureEngine", "GestureTestSupport"],
            swiftSettings: settings),
        .target(
            name: "GestureTestSupport", dependencies: ["GestureEngine", "LinuxSystem", "StreamVerifier", "CLinux"],
            path: "Tests/GestureTestSupport", swiftSettings: settings),
        tests("GestureEngine", ["GestureTestSupport", "GestureLaws"]),
        tests("ContactTracking", ["GestureEngine", "GestureTestSupport"]),
        tests("TouchSharing", ["ContactTracking", "GestureEngine"]),
        tests(
            "GestureConfiguration",
            ["GestureEngine", "ContactTracking", "TouchSharing", "GestureProtocol", "GestureTestSupport"]),
        tests("GestureProtocol", ["GestureTestSupport"]),
        tests(
            "GesturePipeline",
            [
                "GestureEngine", "ContactTracking", "TouchSharing", "GestureConfiguration", "GestureProtocol",
                "GestureTestSupport",
            ]),
        tests(
            "Recordings",
            [
                "GestureEngine", "ContactTracking", "GestureConfiguration", "GestureProtocol", "GesturePipeline",
                "GestureTestSupport",
            ]),
        tests("LinuxSystem", ["CLinux", "GestureTestSupport"]),
        tests("TouchInput", ["ContactTracking", "GestureEngine", "LinuxSystem", "CEvdev", "CLinux"]),
        tests(
            "GestureServer",
            [
                "GestureProtocol", "LinuxSystem", "CLinux", "GestureTestSupport", "StreamVerifier",
                "GestureServerHarness",
            ]),
        tests("GestureDaemon", ["GestureProtocol", "GestureTestSupport", "StreamVerifier", "LinuxSystem", "CLinux"]),
        .testTarget(
            name: "GesturectlTests",
            dependencies: [
                "gesturectl", "gestured", "proxied-gestured", "GestureClient", "GestureEngine", "ContactTracking",
                "GestureConfiguration", "GestureProtocol", "GesturePipeline", "Recordings", "LinuxSystem",
                "CLinux", "GestureTestSupport", "StreamVerifier",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PackagingTests", dependencies: ["GestureProtocol", "GestureTestSupport"], swiftSettings: settings),
        tests("GestureClient", ["GestureProtocol", "LinuxSystem", "GestureTestSupport"]),
        tests("BridgeProgram", ["LinuxSystem", "GestureEngine", "GestureConfiguration", "GestureTestSupport"]),
        .testTarget(
            name: "GestureCasesTests",
            dependencies: [
                "GestureEngine", "ContactTracking", "GestureConfiguration", "GestureProtocol", "GesturePipeline",
                "Recordings", "GestureTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "GestureEngine", "ContactTracking", "GestureConfiguration", "GestureProtocol", "GesturePipeline",
                "GestureServer", "GestureTestSupport",
            ],
            swiftSettings: settings),

        // The bridge to web pages.
        module(
            "GestureWeb",
            [
                "GestureEngine", "ContactTracking", "GestureConfiguration", "GestureProtocol", "GesturePipeline",
                "Recordings", "BridgeProgram", "LinuxSystem", "CLinux",
            ] + nio),
        .executableTarget(name: "gestured-web", dependencies: ["GestureWeb", "CLinux"], swiftSettings: settings),
        tests(
            "GestureWeb",
            [
                "gestured-web", "BridgeProgram", "GestureConfiguration", "GestureProtocol", "LinuxSystem", "CLinux",
                "GestureTestSupport",
            ] + nio),
        .executableTarget(name: "web-echo", dependencies: nio, path: "Benchmarks/WebEcho", swiftSettings: settings),

        // The bridge to MQTT.
        .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        module("GestureMQTT", mqtt + ["Recordings", "ContactTracking", "GesturePipeline"]),
        .executableTarget(name: "gestured-mqtt", dependencies: ["GestureMQTT", "CLinux"], swiftSettings: settings),
        tests("GestureMQTT", mqtt + ["GestureTestSupport"]),
    ],
    cxxLanguageStandard: .cxx17
)
