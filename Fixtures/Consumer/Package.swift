// swift-tools-version: 6.2

// A package that uses property-container as any other would: by path, from two modules, in Swift 6 mode.
// The gate copies it beside a clone of this repository and runs it there.
import PackageDescription

let package = Package(
    name: "Consumer",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../property-container")
    ],
    targets: [
        .target(
            name: "Settings",
            dependencies: [.product(name: "Container", package: "property-container")]),
        .executableTarget(
            name: "Service",
            dependencies: [
                "Settings",
                .product(name: "Container", package: "property-container"),
                .product(name: "PropertyLoaders", package: "property-container"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
