// swift-tools-version: 6.2

import PackageDescription

// A copy of this folder elsewhere needs another path to property-container, or the URL of its repository.
let package = Package(
    name: "Shop",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "Shop", targets: ["Shop"]),
        .executable(name: "ShopDatabase", targets: ["ShopDatabase"]),
    ],
    dependencies: [
        .package(name: "property-container", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.26.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceHost", package: "property-container"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .executableTarget(
            name: "ShopDatabase",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]),
    ]
)
