// swift-tools-version: 6.2

import PackageDescription

// Side by side with peers. toml++ is measured where Debian's libtomlplusplus-dev is installed.
let package = Package(
    name: "PeerBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "property-container", path: "../.."),
        .package(path: "../Benchmarks"),
        .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
        .package(url: "https://github.com/Swinject/Swinject", exact: "2.10.0"),
    ],
    targets: [
        .target(name: "CPeers", cxxSettings: [.unsafeFlags(["-O3"])]),
        .executableTarget(
            name: "PeerBenchmarks",
            dependencies: [
                "CPeers", "Swinject", "TOMLKit", .product(name: "Corpus", package: "Benchmarks"),
                .product(name: "Measuring", package: "Benchmarks"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Container", package: "property-container"),
                .product(name: "PropertyLoadersEssentials", package: "property-container"),
            ]),
    ],
    cxxLanguageStandard: .cxx17
)
