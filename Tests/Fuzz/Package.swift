// swift-tools-version: 6.2

import PackageDescription

// Twenty seconds each, from the root of the repository:
//     swift build --package-path Tests/Fuzz --sanitize fuzzer
//     Tests/Fuzz/.build/debug/FuzzToml -max_total_time=20
//     Tests/Fuzz/.build/debug/FuzzJson -max_total_time=20
let parsers: [Target.Dependency] = [.product(name: "PropertyLoadersEssentials", package: "property-container")]
// libFuzzer brings the main function.
let library: [SwiftSetting] = [.unsafeFlags(["-parse-as-library"])]

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "property-container", path: "../..")],
    targets: [
        .executableTarget(name: "FuzzToml", dependencies: parsers, swiftSettings: library),
        .executableTarget(name: "FuzzJson", dependencies: parsers, swiftSettings: library),
    ]
)
