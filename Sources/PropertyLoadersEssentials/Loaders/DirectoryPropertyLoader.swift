/// Loads a directory in which each file is a property, as Kubernetes mounts secrets and config maps.
///
/// The name of a file is the name of the property: the file `api.timeout` sets `timeout` in the table `api`, and so does
/// `api-timeout` if another source or a declared key has that name (`NameSpelling.loose`). The value is the text of the
/// file without one line break at its end. If a file contains a zero byte or invalid UTF-8, the value is data.
/// Directories, and files whose names begin with a dot, are ignored. If one name is the beginning of another, as `ca` is
/// of `ca.pub`, the longer name becomes a single key that contains a dot.
///
/// The loader never mixes two versions of a Kubernetes volume. Kubernetes replaces all files at once by changing the
/// target of the link `..data`. The loader reads the directory that this link refers to, and starts again if the
/// directory is removed during the read.
///
/// Values are text without a type, and secret by default.
public struct DirectoryPropertyLoader: PropertyLoader, NamedSource, SecretLoader {
    /// The default limit on the size of all files together, in bytes: 4 MB. (Kubernetes allows 1 MB.)
    public static let defaultSizeLimit = 4 << 20

    /// The maximum number of attempts to read a directory that is replaced during each attempt.
    private static let attempts = 100

    private let url: URL
    package let isSecret: Bool
    private let sizeLimit: Int

    /// Creates a loader of a directory.
    ///
    /// - Parameters:
    ///   - url: the directory.
    ///   - isSecret: whether the values are masked in every description, dump and error.
    ///   - sizeLimit: the limit on the size of all files together, in bytes.
    public init(url: URL, isSecret: Bool = true, sizeLimit: Int = Self.defaultSizeLimit) {
        self.url = url
        self.isSecret = isSecret
        self.sizeLimit = sizeLimit
    }

    package var sourceName: String { PrintableText.escaped(url.relativePath) }

    /// Reads the files.
    ///
    /// - Returns: the properties.
    /// - Throws: a `PropertyLoadError` that names the directory or the file that cannot be read.
    public func load() throws -> PropertyLayer {
        let (path, source) = try FilePath.source(of: url, isSecret: isSecret)
        var layer = try currentLayer(path, source)
        layer.files = [path]
        return layer
    }

    private func currentLayer(_ path: String, _ source: PropertySource) throws(PropertyLoadError) -> PropertyLayer {
        for _ in 0..<Self.attempts {
            let link = try Self.state(of: path, source)
            let directory = link.map { $0.begins(with: "/") ? $0 : path + "/" + $0 } ?? path
            do throws(PropertyLoadError) {
                if let layer = try layer(of: directory, source) { return layer }
            } catch {
                // The directory was removed. If `..data` now has another target, this is not an error: the loop reads
                // the new target.
                guard error.reason == .notFound, try Self.state(of: path, source) != link else { throw error }
            }
        }
        throw FileDiagnostic.transient("its files are replaced each time that it is read").error(at: source)
    }

    /// Returns the target of the link `..data`, which Kubernetes creates, or nil if there is no such link.
    private static func state(of path: String, _ source: PropertySource) throws(PropertyLoadError) -> String? {
        try source.naming { () throws(FileDiagnostic) in try System.linkTarget(path + "/..data") }
    }

    /// Reads all files of a directory. Returns nil if a file was removed after the directory was listed.
    private func layer(of directory: String, _ source: PropertySource) throws(PropertyLoadError) -> PropertyLayer? {
        let names = try source.naming { () throws(FileDiagnostic) in
            do throws(FileDiagnostic) {
                return try System.names(in: directory)
            } catch .missing {
                throw .missingDirectory
            }
        }
        var layer = UntypedLayer(keepsApart: true)
        var size = 0
        // Sorted by length, so that `ca` is added before `ca.pub`, which then becomes a single key.
        let shown = names.filter { !$0.begins(with: ".") }
        for name in shown.sorted(by: {
            $0.utf8.count == $1.utf8.count ? $0.precedes($1) : $0.utf8.count < $1.utf8.count
        }) {
            let file = PropertySource(name: "\(source.name)/\(name)", isSecret: isSecret)
            let contents = try file.naming { () throws(FileDiagnostic) in
                try self.contents(at: "\(directory)/\(name)", used: size)
            }
            switch contents {
            case .directory: continue
            case .removed: return nil
            case .bytes(let bytes):
                size += bytes.count
                let path = name.parts(between: ".").map { String($0) }
                try layer.add(PropertyValue(contentOfFile: bytes), at: path, origin: PropertyOrigin(source: file))
            }
        }
        return PropertyLayer(layer.table, source: source, spelling: .loose, isSecret: isSecret)
    }

    private enum Contents {
        case bytes([UInt8])
        /// A directory, even one that may not be opened, such as the `lost+found` of a volume.
        case directory
        /// The file was removed after the directory was listed.
        case removed
    }

    private func contents(at path: String, used: Int) throws(FileDiagnostic) -> Contents {
        do throws(FileDiagnostic) {
            return .bytes(try RegularFile.bytes(at: path, limit: sizeLimit, used: used))
        } catch .directory {
            return .directory
        } catch .forbidden {
            if try System.status(at: path)?.kind == .directory { return .directory }
            throw .forbidden
        } catch .missing {
            if try System.linkTarget(path) != nil {
                throw FileDiagnostic(
                    "this link leads nowhere", remedy: "Remove the link, or put the file where it leads")
            }
            // Bytes that are not UTF-8 are replaced in the name, so that no file has it.
            if path.unicodeScalars.contains("\u{FFFD}") {
                throw FileDiagnostic(
                    "the name of this file is not text", expected: "a name in UTF-8", remedy: "Rename the file")
            }
            return .removed
        }
    }
}

extension PropertyValue {
    /// Creates the value of a file that holds a single value. The value is data if the bytes contain a zero or are not
    /// valid UTF-8. Otherwise it is text, without one line break at its end.
    init(contentOfFile bytes: [UInt8]) {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            self = .data(bytes)
            return
        }
        // Only LF or CRLF is removed. A form feed or another line separator of Unicode is part of the value.
        let lineBreak = text.ends(with: "\r\n") ? 2 : text.ends(with: "\n") ? 1 : 0
        self = .text(String(decoding: text.utf8.dropLast(lineBreak), as: UTF8.self))
    }
}
