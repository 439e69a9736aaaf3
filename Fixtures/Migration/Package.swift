// swift-tools-version: 6.2

// A program that its author wrote for Swinject and SwinjectPropertyLoader, in two forms.
//
// `Before` is in Swift 5 mode. Only its imports have changed, and the compiler warns of each name that has gone.
// `After` is the same program when the warnings have been followed. It is in Swift 6 mode and does not import
// ContainerMigration. Both print the same lines.
//
// The CI script `.ci/run` copies this package next to a clone of this repository and runs it there.
import PackageDescription

let package = Package(
    name: "Migration",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../property-container")
    ],
    targets: [
        .executableTarget(
            name: "Before",
            dependencies: [
                .product(name: "Container", package: "property-container"),
                .product(name: "ContainerMigration", package: "property-container"),
                .product(name: "PropertyLoaders", package: "property-container"),
            ],
            resources: [.copy("Resources/mail.json"), .copy("Resources/limits.plist")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "After",
            dependencies: [
                .product(name: "Container", package: "property-container"),
                .product(name: "PropertyLoaders", package: "property-container"),
            ],
            resources: [.copy("Resources/mail.json"), .copy("Resources/limits.plist")],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
