// swift-tools-version: 6.2
import PackageDescription

// The lock-free algorithms of `SharedState` as small programs, and an explorer that runs each of them in every way that
// a memory model allows.
let package = Package(
    name: "Models",
    targets: [
        .target(name: "Explorer"),
        .executableTarget(name: "models", dependencies: ["Explorer"]),
    ]
)
