// swift-tools-version: 6.2

import Foundation
import PackageDescription

// Side by side with peers. The C++ ones are measured where Debian's libtomlplusplus-dev, rapidjson-dev and
// libsimdjson-dev are installed.
let hasSimdjson = FileManager.default.fileExists(atPath: "/usr/include/simdjson.h")

let package = Package(
    name: "PeerBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "property-container", path: "../.."),
        .package(path: "../Benchmarks"),
        .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
    ],
    targets: [
        .target(
            name: "CPeers",
            // RapidJSON 1.1 has a template that newer compilers refuse unless they look at it only where it is used.
            cxxSettings: [.unsafeFlags(["-O3", "-fdelayed-template-parsing"])],
            linkerSettings: hasSimdjson ? [.linkedLibrary("simdjson")] : []),
        .executableTarget(
            name: "PeerBenchmarks",
            dependencies: [
                "CPeers", "TOMLKit", .product(name: "Corpus", package: "Benchmarks"),
                .product(name: "Measuring", package: "Benchmarks"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "PropertyLoadersEssentials", package: "property-container"),
            ]),
    ],
    cxxLanguageStandard: .cxx17
)
