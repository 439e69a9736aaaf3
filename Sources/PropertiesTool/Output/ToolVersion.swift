/// The version of the tool, which is that of the package.
enum ToolVersion {
    static let current = "1.0.0"
}
