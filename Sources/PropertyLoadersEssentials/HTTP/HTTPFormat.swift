extension HttpPropertyLoader {
    /// The format of a document.
    public struct Format: Sendable {
        /// The name in the file of the last good document.
        let name: String
        /// Reads a document that has at most `limit` bytes.
        let layer: @Sendable (_ file: FileSource, _ limit: Int) throws -> PropertyLayer

        /// JSON, which may contain comments.
        public static let json = Format(name: "json") {
            try JsonPropertyLoader($0, SyntaxLimits(bytes: $1)).load()
        }
        /// TOML 1.1.
        public static let toml = Format(name: "toml") {
            try TomlPropertyLoader($0, SyntaxLimits(bytes: $1)).load()
        }
        /// Lines of `NAME=value`.
        public static let env = Format(name: "env") { try DotEnvPropertyLoader($0, "", $1).load() }

        /// Creates a format.
        ///
        ///     HttpPropertyLoader.Format { body, name in try YamlPropertyLoader(bytes: body, name: name).load() }
        ///
        /// - Parameter read: returns the properties of a document from its bytes and its name for messages.
        public init(_ read: @escaping @Sendable (_ body: [UInt8], _ name: String) throws -> PropertyLayer) {
            self.init(name: "other") { file, limit in
                let content = try file.read(limit: limit)
                var layer = try read(content.bytes, content.name)
                if layer.source == nil { layer.source = content.source() }
                return layer
            }
        }

        package init(name: String, _ layer: @escaping @Sendable (FileSource, Int) throws -> PropertyLayer) {
            (self.name, self.layer) = (name, layer)
        }

        /// The formats that are known by their names.
        static let known = [json, toml, env]

        /// Returns the format of the files with an extension, or nil for a property list, which needs Foundation, or a
        /// directory.
        init?(_ format: FileFormat) {
            switch format {
            case .json: self = .json
            case .toml: self = .toml
            case .env: self = .env
            case .plist, .directory: return nil
            }
        }

        /// Returns the format of a media type, such as `application/vnd.spring-cloud.config-server.v2+json`, or nil.
        init?(contentType: String) {
            let type = contentType.lowercased().prefix { $0 != ";" }
            let subtypes = type.split { "/+.-".contains($0) }
            guard let format = subtypes.lazy.compactMap({ FileFormat(rawValue: String($0)) }).last else { return nil }
            self.init(format)
        }
    }
}
