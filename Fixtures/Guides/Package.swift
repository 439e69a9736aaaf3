// swift-tools-version: 6.2
import PackageDescription

// The programs of the guides. The gate runs each of them as its guide shows.
let programs = [
    "ReadASetting", "RequireASetting", "RenameASetting", "KeepASecret", "ReadAList", "BuildAndClose", "RotateAPassword",
    "ServeRequests", "WriteASource", "ReadByName", "TwoServices", "ComingFromVapor", "Runbook", "Profiles",
    "RunWithCompose",
]

let package = Package(
    name: "Guides",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "../property-container")],
    targets: programs.map { name in
        .executableTarget(name: name, dependencies: [.product(name: "ServiceHost", package: "property-container")])
    } + [
        .target(name: "Billing", dependencies: [.product(name: "Container", package: "property-container")]),
        .executableTarget(
            name: "SeveralTargets",
            dependencies: ["Billing", .product(name: "ServiceHost", package: "property-container")]),
        .executableTarget(
            name: "OnlyServices", dependencies: [.product(name: "Container", package: "property-container")]),
        .executableTarget(
            name: "OnlySettings",
            dependencies: [.product(name: "PropertyLoadersEssentials", package: "property-container")]),
    ]
)
