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
/// The values are secret unless `isSecret` says otherwise; text has no type.
public struct DirectoryPropertyLoader: PropertyLoader {
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

    /// Reads the files.
    ///
    /// - Throws: a `PropertyLoadError` that names the directory, or the file in it, which cannot be read.
    public func load() throws -> PropertyLayer {
        guard url.isFileURL else {
            throw FileFault.notAFileURL.error(at: PropertySource(name: url.absoluteString, isSecret: isSecret))
        }
        let file = FilePath(url), path = file.path
        let source = PropertySource(name: url.relativePath, identity: file.identity, isSecret: isSecret)
        let table = try currentTable(path, source)
        return PropertyLayer(table, source: source, isSecret: isSecret, files: [path])
    }

    private func currentTable(_ path: String, _ source: PropertySource) throws(PropertyLoadError) -> PropertyTable {
        var attempt = 1
        while true {
            let link = System.linkTarget(path + "/..data")
            let directory = link.map { $0.begins(with: "/") ? $0 : path + "/" + $0 } ?? path
            do throws(PropertyLoadError) {
                return try table(of: directory, source)
            } catch {
                // A state that is gone is no error if another one has taken its place.
                let isReplaced = error.reason == .notFound && System.linkTarget(path + "/..data") != link
                guard isReplaced, attempt < Self.attempts else { throw Self.final(error, source) }
                attempt += 1
            }
        }
    }

    // Only the directory itself can be missing: a file in it that is not there is a link that leads nowhere.
    private static func final(_ error: PropertyLoadError, _ source: PropertySource) -> PropertyLoadError {
        guard error.reason == .notFound, error.origin.source !== source else { return error }
        return PropertyLoadError(
            .unreadable, "this link leads nowhere", at: error.origin,
            remedy: "Remove the link, or put the file where it leads")
    }

    private func table(of directory: String, _ source: PropertySource) throws(PropertyLoadError) -> PropertyTable {
        let names = try Self.or(source) { () throws(FileFault) in try System.names(in: directory) }
        var layer = UntypedLayer(of: source, conflict: .keptApart)
        var rest = sizeLimit
        // By length, so that of `ca` and `ca.pub` the shorter is there first.
        let shown = names.filter { !$0.begins(with: ".") }
        for name in shown.sorted(by: {
            $0.utf8.count == $1.utf8.count ? $0.precedes($1) : $0.utf8.count < $1.utf8.count
        }) {
            let file = PropertySource(name: "\(source.name)/\(name)", isSecret: isSecret)
            let bytes = try Self.or(file) { () throws(FileFault) -> [UInt8]? in
                try contents(at: "\(directory)/\(name)", rest: rest)
            }
            guard let bytes else { continue }
            rest -= bytes.count
            try layer.add(PropertyValue(contentOfFile: bytes), at: FlatName.path(of: name[...]) ?? [name], from: file)
        }
        return layer.table
    }

    // Nil for a directory, such as the lost+found of a volume, which nobody but root may open.
    private func contents(at path: String, rest: Int) throws(FileFault) -> [UInt8]? {
        do throws(FileFault) {
            return try RegularFile.bytes(at: path, limit: rest)
        } catch .directory {
            return nil
        } catch .forbidden where System.status(at: path)?.kind == .directory {
            return nil
        } catch .missing where path.unicodeScalars.contains("\u{FFFD}") && System.status(ofLink: path) == nil {
            // That character stands where the name has bytes that are no UTF-8, so the name leads to no file.
            throw .nameOfBytes
        } catch .tooLarge(let size, _) {
            throw .tooLarge(size: sizeLimit - rest + size, limit: sizeLimit)
        }
    }

    private static func or<Value>(
        _ source: PropertySource, _ read: () throws(FileFault) -> Value
    ) throws(PropertyLoadError) -> Value {
        do throws(FileFault) {
            return try read()
        } catch {
            throw error.error(at: source)
        }
    }
}

extension DirectoryPropertyLoader: NamedSource {
    var sourceName: String { url.relativePath }
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
