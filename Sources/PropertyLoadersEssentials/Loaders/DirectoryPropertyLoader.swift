/// Loads a directory whose files are properties, as Kubernetes mounts secrets and config maps.
///
/// The name of a file is the name of the property: the file `api.timeout` sets `timeout` in the table `api`, and so
/// does `api-timeout` if another source or a declared key has that name (`NameSpelling.relaxed`). The directories in it
/// are levels of the name: `api/timeout` is the same property. Two files that set one property are an error. The value
/// is the text of the file in UTF-8, without a byte order mark and without one line break at its end. Other white space
/// at its ends, and quotation marks around it, stay, with a warning. If a file contains a zero byte or invalid UTF-8,
/// the value is data. UTF-16 is an error.
///
/// A file or a directory whose name begins with a dot is ignored. A directory that may not be read is ignored with a
/// warning, and a file that every user of the machine can write is loaded with a warning. If there are files `ca` and
/// `ca.pub`, the longer name becomes a single key that contains a dot. So does `ca-pub` if `ca` and `ca.pub` are
/// declared.
///
/// If a file had text and is empty at a reload, or has only white space, the reload is refused: a full disk leaves it so. If
/// a file is removed, its property is, too.
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
    ///   - sizeLimit: the limit on the size of all files together, in bytes. The names of the directories count, too.
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

    /// Returns the target of the link `..data`, which Kubernetes creates, or nil if the link does not exist.
    private static func state(of path: String, _ source: PropertySource) throws(PropertyLoadError) -> String? {
        try source.naming { () throws(FileDiagnostic) in
            do throws(FileDiagnostic) { return try System.linkTarget(path + "/..data") } catch .forbidden {
                throw .forbiddenDirectory
            }
        }
    }

    /// Returns why the value of a name, or the directory that it would be in, is not loaded, or nil.
    private static func reason(_ name: String, _ idle: [(name: String, reason: String)]) -> String? {
        let levels = name.parts(between: ".")
        let outer = levels.indices.map { RelaxedName(levels[...$0].joined()).letters }
        return idle.first { outer.contains(where: RelaxedName($0.name.parts(between: "/").joined()).letters.isSame) }
            .map { "\($0.name) \($0.reason)" }
    }

    /// Reads all files of a directory. Returns nil if a file was removed after the directory was listed.
    private func layer(of directory: String, _ source: PropertySource) throws(PropertyLoadError) -> PropertyLayer? {
        var reader = DirectoryReader(root: source, isSecret: isSecret, sizeLimit: sizeLimit)
        guard try reader.read(directory, below: "", inside: []) else { return nil }
        var layer = PropertyLayer(
            try reader.table(), source: source, spelling: .relaxed, isSecret: isSecret,
            warnings: reader.warnings.warnings(about: source))
        layer.texts = reader.texts
        let idle = reader.idle
        layer.howToSet = { name, _ in
            SpelledName.file(name).map { file in
                "in \(source)/\(file)\(Self.reason(name, idle).map { " (\(source)/\($0) now)" } ?? "")"
            }
        }
        return layer
    }
}

/// Reads the files of a directory, and of the directories in it.
private struct DirectoryReader {
    private struct File {
        let path: [String]
        let node: PropertyNode
        var name: String { path.joined(separator: ".") }
    }

    private let root: PropertySource
    private let isSecret: Bool
    private let sizeLimit: Int
    private var files: [File] = []
    /// The size of the files and of their paths. Links to directories can lead to a great number of paths.
    private var size = 0
    /// The directories without a property, by their paths, each with the reason.
    private(set) var idle: [(name: String, reason: String)] = []
    private(set) var warnings = BoundedList<PropertyLoadError>(limit: ListLimit.warnings)

    init(root: PropertySource, isSecret: Bool, sizeLimit: Int) {
        (self.root, self.isSecret, self.sizeLimit) = (root, isSecret, sizeLimit)
    }

    /// Reads a directory.
    ///
    /// - Parameters:
    ///   - directory: its path.
    ///   - name: its path below the outermost directory, with a slash at the end, or an empty text.
    ///   - outer: the directories that it is in.
    /// - Returns: false if a file was removed after the directory was listed.
    /// - Throws: the error about a directory or a file that cannot be read.
    mutating func read(
        _ directory: String, below name: String, inside outer: [System.FileID]
    ) throws(PropertyLoadError) -> Bool {
        let source = source(of: name.isEmpty ? "" : String(name.dropLast()))
        guard outer.count <= UntypedLayer.depthLimit else {
            throw UntypedLayer.tooDeep(at: PropertyOrigin(source: source))
        }
        let (names, id) = try source.naming { () throws(FileDiagnostic) -> ([String], System.FileID?) in
            do throws(FileDiagnostic) {
                return (try System.names(in: directory), try System.status(at: directory)?.id)
            } catch .missing {
                if outer.isEmpty, try System.status(at: directory) != nil { throw .notADirectory }
                throw outer.isEmpty ? FileDiagnostic.missingDirectory(directory) : FileDiagnostic.missing
            } catch .forbidden {
                throw .forbiddenDirectory
            }
        }
        guard let id else { return false }
        if outer.contains(id) { throw FileDiagnostic.circularLinks.error(at: source) }
        if names.isEmpty, !outer.isEmpty {
            warnings.append(Self.empty(source))
            idle.append((String(name.dropLast()), "is an empty directory"))
        }
        for file in names.filter({ !$0.begins(with: ".") }).sorted(byName: \.self) {
            guard try read(file, in: directory, below: name, inside: outer + [id]) else { return false }
        }
        return true
    }

    private mutating func read(
        _ file: String, in directory: String, below outerName: String, inside outer: [System.FileID]
    ) throws(PropertyLoadError) -> Bool {
        let path = "\(directory)/\(file)", name = outerName + file, source = source(of: name)
        let contents = try source.naming { () throws(FileDiagnostic) in try self.contents(at: path) }
        switch contents {
        case .directory:
            size += outerName.utf8.count
            return try read(path, below: name + "/", inside: outer)
        case .forbiddenDirectory:
            // The directory of the file system check belongs to root on every volume.
            if !file.isSame(as: "lost+found") { warnings.append(Self.forbidden(source)) }
            idle.append((name, "is a directory that this user may not read"))
        case .removed: return false
        case .bytes(let bytes, let status):
            size += bytes.count + outerName.utf8.count
            if status.isWritableByAll { warnings.append(Self.unprotected(source)) }
            let levels = name.parts(between: "/").flatMap { $0.parts(between: ".") }.map { String($0) }
            let value = try source.naming { () throws(FileDiagnostic) in try PropertyValue(contentOfFile: bytes) }
            if let warning = value.warningAboutEnds(at: PropertyOrigin(source: source)) { warnings.append(warning) }
            files.append(File(path: levels, node: PropertyNode(value, origin: PropertyOrigin(source: source))))
        }
        return true
    }

    private func source(of name: String) -> PropertySource {
        name.isEmpty ? root : PropertySource(name: "\(root.name)/\(name)", isSecret: isSecret)
    }

    /// The files, and whether the text of each is blank.
    var texts: [PropertyKey: Bool] {
        Dictionary(files.map { (PropertyKey($0.node.origin.source.name), $0.node.value.isBlank) }) { $1 }
    }

    /// Returns the properties of the files.
    ///
    /// - Throws: the error about two files that set one property.
    func table() throws(PropertyLoadError) -> PropertyTable {
        var layer = UntypedLayer()
        var origins: [PropertyKey: PropertyOrigin] = [:]
        // Sorted by length, so that `ca` is added before `ca.pub`, which then becomes a single key.
        let sorted = files.enumerated().map { (name: $1.name, number: $0, file: $1) }.sorted {
            let one = $0.name.utf8.count, two = $1.name.utf8.count
            if one != two { return one < two }
            return $0.name.isSame(as: $1.name) ? $0.number < $1.number : $0.name.precedes($1.name)
        }
        for (name, _, file) in sorted {
            if let other = origins.updateValue(file.node.origin, forKey: PropertyKey(name)) {
                throw PropertyLoadError(
                    .duplicate, "this file sets the same property as another file", at: file.node.origin,
                    remedy: "Remove one of the two", notes: [.init("the other is", at: other)])
            }
            try layer.add(file.node.value, at: file.path, origin: file.node.origin)
        }
        return layer.table
    }

    private static func forbidden(_ source: PropertySource) -> PropertyLoadError {
        PropertyLoadError(
            .ignored, "this directory may not be read by this user, so its files are not loaded",
            at: PropertyOrigin(source: source), remedy: "Check its permissions, or move it elsewhere")
    }

    private static func empty(_ source: PropertySource) -> PropertyLoadError {
        PropertyLoadError(
            .ignored, "this directory is empty, so it sets nothing", at: PropertyOrigin(source: source),
            remedy:
                "If a file should be mounted here, check that the file exists: a container runtime makes a directory "
                + "where it does not")
    }

    private static func unprotected(_ source: PropertySource) -> PropertyLoadError {
        PropertyLoadError(
            .unprotected, "every user of this machine can write this file", at: PropertyOrigin(source: source),
            remedy: "Remove that permission (chmod o-w)")
    }

    private enum Contents {
        case bytes([UInt8], System.Status)
        case directory
        /// A directory that may not be opened, such as the `lost+found` of a volume.
        case forbiddenDirectory
        /// The file was removed after the directory was listed.
        case removed
    }

    private func contents(at path: String) throws(FileDiagnostic) -> Contents {
        do throws(FileDiagnostic) {
            let (bytes, status) = try RegularFile.read(path, limit: sizeLimit, used: min(size, sizeLimit))
            return .bytes(bytes, status)
        } catch .directory {
            guard size <= sizeLimit else { throw .tooLarge(size, limit: sizeLimit) }
            return .directory
        } catch .forbidden {
            if try System.status(at: path)?.kind == .directory { return .forbiddenDirectory }
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
    /// valid UTF-8. Otherwise it is text, without a byte order mark at its start and one line break at its end.
    ///
    /// - Throws: an error if the bytes are text in UTF-16.
    init(contentOfFile bytes: [UInt8]) throws(FileDiagnostic) {
        if UTF8Text.isUTF16Text(bytes) { throw .utf16 }
        let content = bytes[UTF8Text.start(of: bytes)...]
        guard !content.contains(0), let text = String(validating: content, as: UTF8.self) else {
            self = .data(bytes)
            return
        }
        // Only LF or CRLF is removed. A form feed or another line separator of Unicode is part of the value.
        let lineBreak = text.ends(with: "\r\n") ? 2 : text.ends(with: "\n") ? 1 : 0
        self = .text(String(decoding: text.utf8.dropLast(lineBreak), as: UTF8.self))
    }
}
