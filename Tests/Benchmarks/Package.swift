// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that packages that depend on property-container build none of it.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Corpus", targets: ["Corpus"]),
        .library(name: "Measuring", targets: ["Measuring"]),
    ],
    dependencies: [.package(name: "property-container", path: "../..")],
    targets: [
        .target(name: "Corpus"),
        .target(name: "Measuring"),
        .executableTarget(
            name: "ReadBenchmarks",
            dependencies: ["Measuring", .product(name: "Container", package: "property-container")]),
        .executableTarget(
            name: "ServiceBenchmarks",
            dependencies: [
                "Corpus", "Measuring",
                .product(name: "Container", package: "property-container"),
                .product(name: "PropertyLoadersEssentials", package: "property-container"),
            ]),
        .executableTarget(
            name: "ContainerBenchmarks",
            dependencies: ["Measuring", .product(name: "Container", package: "property-container")]),
        .executableTarget(
            name: "Allocations", dependencies: [.product(name: "Container", package: "property-container")]),
        .executableTarget(
            name: "GrowthBenchmarks",
            dependencies: [
                "Measuring",
                .product(name: "Container", package: "property-container"),
                .product(name: "PropertyLoadersEssentials", package: "property-container"),
            ]),
    ]
)
