extension HttpPropertyLoader.Format {
    /// A property list, XML or binary. It must be named: the extension of the URL and the type of the answer do not decide
    /// for it.
    public static let propertyList = Self(name: "plist") {
        try PlistPropertyLoader($0, SyntaxLimits(bytes: $1)).load()
    }
}
