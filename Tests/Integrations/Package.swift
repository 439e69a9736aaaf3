// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

let container: [Target.Dependency] = [
    .product(name: "Container", package: "property-container"),
    .product(name: "PropertyLoaders", package: "property-container"),
]
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

// The packages that services use beside this one. A package of its own, because property-container has no dependencies.
let package = Package(
    name: "Integrations",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "property-container", path: "../.."),
        .package(path: "../../Fixtures/Shop"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(
            url: "https://github.com/apple/swift-configuration", from: "1.4.0",
            traits: ["CommandLineArguments", "JSON"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.26.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "LifecycleSample", dependencies: container + [lifecycle, logging], swiftSettings: settings),
        .testTarget(
            name: "IntegrationTests",
            dependencies: container + [
                "LifecycleSample", lifecycle, logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ConfigurationTesting", package: "swift-configuration"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceHost", package: "property-container"),
                .product(name: "Shop", package: "Shop"),
                .product(name: "ShopDatabase", package: "Shop"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings),
    ]
)
