// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Example",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "../property-container")],
    targets: [
        .executableTarget(
            name: "Example", dependencies: [.product(name: "ServiceHost", package: "property-container")])
    ]
)
