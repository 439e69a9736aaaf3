// swift-tools-version: 6.2

import PackageDescription

// As in the manifest of the package.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// The container, what it needs, and the tests of the shared state. The script beside this file copies the sources.
let package = Package(
    name: "property-container",
    targets: [
        .target(name: "TextBasics", swiftSettings: settings),
        .target(name: "SharedState", exclude: ["SharedState.md"], swiftSettings: settings),
        .target(name: "Properties", dependencies: ["SharedState", "TextBasics"], swiftSettings: settings),
        .target(name: "Container", dependencies: ["Properties", "SharedState"], swiftSettings: settings),
        .testTarget(name: "SharedStateTests", dependencies: ["Container", "SharedState"], swiftSettings: settings),
    ]
)
