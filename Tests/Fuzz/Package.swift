// swift-tools-version: 6.2

import PackageDescription

// `.ci/fuzz` builds and runs this package. It compiles the modules of the root package itself, through the links in
// `Sources`, because their `package` declarations are not visible to another package.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = [], excluding files: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/Package/\(name)", exclude: files,
        swiftSettings: settings)
}

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    targets: [
        module("TextBasics"),
        module("ConfigurationSyntax", ["TextBasics"]),
        module("SharedState"),
        module("Properties", ["ConfigurationSyntax", "SharedState", "TextBasics"]),
        module("PropertyLoadersEssentials", ["ConfigurationSyntax", "Properties", "SharedState"]),
        module("PropertyLoaders", ["PropertyLoadersEssentials"]),
        .target(name: "FuzzTargets", dependencies: ["PropertyLoaders"], swiftSettings: settings),
        // libFuzzer has the main function.
        .executableTarget(
            name: "Fuzz", dependencies: ["FuzzTargets"],
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]),
    ]
)
