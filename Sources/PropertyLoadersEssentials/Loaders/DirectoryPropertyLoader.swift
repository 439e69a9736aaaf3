public import Properties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Loads a directory in which each file is a property, as Kubernetes mounts secrets and config maps.
///
/// A file's name is the property's name (`api.timeout` is `timeout` in the table `api`). Its text is the value, without
/// one line break at its end. A file that is not valid UTF-8, or has a zero byte, is data. Directories, and files whose
/// names begin with a dot, are ignored. If one name is the beginning of another, as `ca` is of `ca.pub`, the longer one
/// is a single key with a dot in it.
///
/// All files are of one state: if Kubernetes has put its link `..data` there, the loader reads the directory that the
/// link leads to, and starts again if that directory is removed meanwhile.
///
/// The values are text without a type, and secret by default. While they are secret, a link out of the directory is a
/// warning, and so is a file that every user may read.
public struct DirectoryPropertyLoader: PropertyLoader, NamedSource {
    /// The default limit on the size of all files together, in bytes: 4 MB. (Kubernetes allows 1 MB.)
    public static let defaultSizeLimit = 4 << 20

    /// How often the loader starts again because the directory was replaced while it was read.
    private static let attempts = 100

    private let url: URL
    private let isSecret: Bool
    private let sizeLimit: Int

    /// Makes a loader of a directory.
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
    /// - Returns: the properties, with warnings for secret files that are exposed.
    /// - Throws: a `PropertyLoadError` that names the directory or the file that cannot be read.
    public func load() throws -> PropertyLayer {
        guard url.isFileURL else {
            throw FileDiagnostic.notAFileURL.error(at: PropertySource(name: url.absoluteString, isSecret: isSecret))
        }
        let file = FilePath(url)
        let source = PropertySource(name: url.relativePath, identity: file.identity, isSecret: isSecret)
        var layer = try currentLayer(file.path, source)
        layer.files = [file.path]
        return layer
    }

    private func currentLayer(_ path: String, _ source: PropertySource) throws(PropertyLoadError) -> PropertyLayer {
        for _ in 0..<Self.attempts {
            let link = try Self.state(of: path, source)
            let directory = link.map { $0.begins(with: "/") ? $0 : path + "/" + $0 } ?? path
            do throws(PropertyLoadError) {
                if let layer = try layer(of: directory, in: path, source) { return layer }
            } catch {
                // A state that was removed is not an error if another one has taken its place.
                guard error.reason == .notFound, try Self.state(of: path, source) != link else { throw error }
            }
        }
        throw FileDiagnostic.transient("its files are replaced each time that it is read").error(at: source)
    }

    /// Returns the target of the link that Kubernetes makes, or nil if the directory has none.
    private static func state(of path: String, _ source: PropertySource) throws(PropertyLoadError) -> String? {
        try source.naming { () throws(FileDiagnostic) in try System.linkTarget(path + "/..data") }
    }

    /// Returns nil if a file of the list was removed before it was read.
    private func layer(
        of directory: String, in path: String, _ source: PropertySource
    ) throws(PropertyLoadError) -> PropertyLayer? {
        let names = try source.naming { () throws(FileDiagnostic) in try System.names(in: directory) }
        var layer = UntypedLayer(of: source, conflict: .keptApart)
        var secrets = SecretFiles(in: path)
        var size = 0
        // By length, so that `ca` is added before `ca.pub`.
        let shown = names.filter { !$0.begins(with: ".") }
        for name in shown.sorted(by: {
            $0.utf8.count == $1.utf8.count ? $0.precedes($1) : $0.utf8.count < $1.utf8.count
        }) {
            let file = PropertySource(name: "\(source.name)/\(name)", isSecret: isSecret)
            let contents = try file.naming { () throws(FileDiagnostic) in
                let contents = try self.contents(at: "\(directory)/\(name)", used: size)
                if isSecret, case .bytes = contents { try secrets.add("\(directory)/\(name)", file) }
                return contents
            }
            switch contents {
            case .directory: continue
            case .removed: return nil
            case .bytes(let bytes):
                size += bytes.count
                let path = name.parts(between: ".").map { String($0) }
                try layer.add(PropertyValue(contentOfFile: bytes), at: path, from: file)
            }
        }
        return PropertyLayer(layer.table, source: source, isSecret: isSecret, warnings: secrets.warnings)
    }

    private enum Contents {
        case bytes([UInt8])
        /// For example the lost+found of a volume, which only root may open.
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
            if try System.status(ofLink: path) != nil {
                throw FileDiagnostic(
                    "this link leads nowhere", remedy: "Remove the link, or put the file where it leads")
            }
            // U+FFFD replaces bytes that are not valid UTF-8, so the decoded name leads to no file.
            if path.unicodeScalars.contains("\u{FFFD}") {
                throw FileDiagnostic(
                    "the name of this file is not text", expected: "a name in UTF-8", remedy: "Rename the file")
            }
            return .removed
        }
    }
}

extension PropertyValue {
    /// Makes the value of a file that holds one: its text without one line break at its end, or its bytes if it is not text.
    init(contentOfFile bytes: [UInt8]) {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            self = .data(bytes)
            return
        }
        // A form feed, or another line end of Unicode, is part of the value.
        let lineBreak = text.ends(with: "\r\n") ? 2 : text.ends(with: "\n") ? 1 : 0
        self = .text(String(decoding: text.utf8.dropLast(lineBreak), as: UTF8.self))
    }
}
