// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "property-container",
    // Synchronization's atomics set these. Linux on x86-64 is tested. These, Musl and Android are only type-checked, by
    // .ci/platforms/check.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Container", targets: ["Container"]),
        .library(name: "ContainerReport", targets: ["ContainerReport"]),
        .library(name: "DeclarativeContainer", targets: ["DeclarativeContainer"]),
        .library(name: "PropertyLoaders", targets: ["PropertyLoaders"]),
        .library(name: "PropertyLoadersEssentials", targets: ["PropertyLoadersEssentials"]),
        .library(name: "ServiceHost", targets: ["ServiceHost"]),
        .library(name: "ConfigurationSyntax", targets: ["ConfigurationSyntax"]),
        .library(name: "ContainerMigration", targets: ["ContainerMigration"]),
        .executable(name: "quickstart", targets: ["Quickstart"]),
        .executable(name: "properties", targets: ["PropertiesTool"]),
    ],
    targets: [
        .target(name: "TextBasics", swiftSettings: settings),
        .target(name: "ConfigurationSyntax", dependencies: ["TextBasics"], swiftSettings: settings),
        .target(name: "SharedState", swiftSettings: settings),
        .target(
            name: "Properties", dependencies: ["ConfigurationSyntax", "SharedState", "TextBasics"],
            swiftSettings: settings),
        .target(name: "Container", dependencies: ["Properties", "SharedState"], swiftSettings: settings),
        .target(name: "ContainerReport", dependencies: ["Container", "Properties"], swiftSettings: settings),
        .target(name: "DeclarativeContainer", dependencies: ["Container"], swiftSettings: settings),
        .target(
            name: "PropertyLoadersEssentials", dependencies: ["ConfigurationSyntax", "Properties", "SharedState"],
            swiftSettings: settings),
        .target(
            name: "PropertyLoaders", dependencies: ["PropertyLoadersEssentials"],
            swiftSettings: settings),
        .target(
            name: "ServiceHost", dependencies: ["ContainerReport", "PropertyLoadersEssentials", "SharedState"],
            swiftSettings: settings),
        .target(
            name: "ContainerMigration", dependencies: ["DeclarativeContainer", "PropertyLoadersEssentials"],
            swiftSettings: settings),
        .executableTarget(
            name: "Quickstart", dependencies: ["ContainerReport", "PropertyLoaders"],
            swiftSettings: settings),
        .executableTarget(
            name: "PropertiesTool", dependencies: ["Properties", "PropertyLoaders"],
            swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["Properties", "SharedState"], path: "Tests/TestSupport",
            swiftSettings: settings),
        .target(
            name: "FuzzTargets", dependencies: ["PropertyLoaders"], path: "Tests/FuzzTargets",
            swiftSettings: settings),
        .testTarget(name: "TextBasicsTests", dependencies: ["TestSupport", "TextBasics"], swiftSettings: settings),
        .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets"], swiftSettings: settings),
        .testTarget(
            name: "ConfigurationSyntaxTests", dependencies: ["ConfigurationSyntax", "TestSupport"],
            exclude: ["Messages"], swiftSettings: settings),
        .testTarget(name: "SharedStateTests", dependencies: ["Container", "SharedState"], swiftSettings: settings),
        .testTarget(
            name: "PropertiesTests", dependencies: ["Container", "PropertyLoadersEssentials", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "PropertyLoadersEssentialsTests", dependencies: ["PropertyLoadersEssentials", "TestSupport"],
            exclude: ["Messages"], swiftSettings: settings),
        .testTarget(
            name: "PropertyLoadersTests", dependencies: ["FuzzTargets", "PropertyLoaders", "TestSupport"],
            exclude: ["Messages"], swiftSettings: settings),
        .testTarget(
            name: "ReadmeTests",
            dependencies: [
                "ConfigurationSyntax", "DeclarativeContainer", "PropertyLoaders", "ServiceHost", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PropertiesToolTests",
            dependencies: ["Container", "PropertiesTool", "PropertyLoaders", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ContainerTests",
            dependencies: ["ContainerMigration", "ContainerReport", "DeclarativeContainer", "TestSupport"],
            swiftSettings: settings),
        .executableTarget(
            name: "HostedService", dependencies: ["ServiceHost"], path: "Tests/ServiceHostTests/HostedService",
            swiftSettings: settings),
        .executableTarget(
            name: "Notifier", dependencies: ["ServiceHost"], path: "Tests/ServiceHostTests/Notifier",
            swiftSettings: settings),
        .testTarget(
            name: "ServiceHostTests", dependencies: ["HostedService", "Notifier", "ServiceHost", "SharedState"],
            exclude: ["HostedService", "Notifier"], swiftSettings: settings),
        .testTarget(
            name: "ContainerMigrationTests",
            dependencies: ["ContainerMigration", "PropertyLoaders", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "DeclarativeContainerTests", dependencies: ["DeclarativeContainer"], swiftSettings: settings),
    ]
)

// TEST_TARGETS=ContainerTests,ReadmeTests builds only these tests, as the gate does in release.
if let names = Context.environment["TEST_TARGETS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.isTest && !names.contains($0.name) }
}

// WARNINGS_AS_ERRORS=1, for the gate. In the targets themselves, it would be an error for dependents.
if Context.environment["WARNINGS_AS_ERRORS"] != nil {
    for target in package.targets { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}
