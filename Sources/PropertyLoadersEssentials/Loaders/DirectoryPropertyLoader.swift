public import Properties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Loads a directory in which each file is a property, as Kubernetes mounts secrets and config maps.
///
/// A file's name is the property's name (`api.timeout` is `timeout` in the table `api`), its text the value, without one
/// line break at its end. A file that is no UTF-8, or has a zero byte, is data. Files whose names begin with a dot are
/// left out, and so are directories. Where one name leads through another, as `ca.pub` beside `ca`, the longer one is
/// one key.
///
/// All files are of one state: where Kubernetes has its link `..data`, the directory behind it is read, and read again
/// if it goes away meanwhile.
///
/// While the values are secret, a link that leads out of the directory is a warning, and so is a file that every user
/// may read.
///
/// The values are secret unless `isSecret` says otherwise; text has no type.
public struct DirectoryPropertyLoader: PropertyLoader, NamedSource {
    /// The greatest size of all files together, in bytes, where nothing else is said: 4 MB. (Kubernetes has 1 MB.)
    public static let defaultSizeLimit = 4 << 20

    /// How often a directory is read that is replaced while it is read.
    private static let attempts = 100

    private let url: URL
    private let isSecret: Bool
    private let sizeLimit: Int

    /// Makes a loader of a directory.
    ///
    /// - Parameters:
    ///   - url: the directory.
    ///   - isSecret: whether the values are masked in every description.
    ///   - sizeLimit: the greatest size of all files together, in bytes.
    public init(url: URL, isSecret: Bool = true, sizeLimit: Int = Self.defaultSizeLimit) {
        self.url = url
        self.isSecret = isSecret
        self.sizeLimit = sizeLimit
    }

    package var sourceName: String { PrintableText.escaped(url.relativePath) }

    /// Reads the files.
    ///
    /// - Throws: a `PropertyLoadError` that names the directory, or the file in it, which cannot be read.
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
                // A state that is gone is no error if another one has taken its place.
                guard error.reason == .notFound, try Self.state(of: path, source) != link else { throw error }
            }
        }
        throw FileDiagnostic.transient("its files are replaced each time that it is read").error(at: source)
    }

    /// Returns where the link of Kubernetes leads, or nil if the directory has none.
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
        // By length, so that of `ca` and `ca.pub` the shorter is there first.
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
        /// Such as the lost+found of a volume, which nobody but root may open.
        case directory
        /// The name is in the directory no more.
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
            // That character stands where the name has bytes that are not UTF-8, so the name leads to no file.
            if path.unicodeScalars.contains("\u{FFFD}") {
                throw FileDiagnostic(
                    "the name of this file is no text", expected: "a name in UTF-8", remedy: "Rename the file")
            }
            return .removed
        }
    }
}

extension PropertyValue {
    /// What a file that is one value says: its text without one line break at its end, or its bytes where it is no text.
    init(contentOfFile bytes: [UInt8]) {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            self = .data(bytes)
            return
        }
        // A form feed, or another of Unicode's line ends, is part of the value.
        let lineBreak = text.ends(with: "\r\n") ? 2 : text.ends(with: "\n") ? 1 : 0
        self = .text(String(decoding: text.utf8.dropLast(lineBreak), as: UTF8.self))
    }
}
