// swift-tools-version: 6.2

// A test package that depends on property-container by path and uses it from two modules in Swift 6 mode.
// The CI script `.ci/run` copies it next to a clone of this repository and runs it there.
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
