import Foundation
import ServiceHost
import Yams

/// Loads properties from YAML, with the line and the column of each value.
struct YamlPropertyLoader: PropertyLoader {
    private let name: String, path: String?
    private let read: @Sendable () throws -> [UInt8]

    init(url: URL) {
        (name, path) = (url.relativePath, url.path)
        read = { [UInt8](try Data(contentsOf: url)) }
    }

    init(bytes: [UInt8], name: String) {
        (self.name, path) = (name, nil)
        read = { bytes }
    }

    func load() throws -> PropertyLayer {
        do {
            let bytes = try read()
            let source = PropertySource(name: name, identity: path ?? name, text: SourceText(bytes: bytes))
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw PropertyLoadError(.syntax, "the text is not UTF-8", at: PropertyOrigin(source: source))
            }
            var document = YamlDocument(text, source)
            return PropertyLayer(try document.table(), source: source, files: path.map { [$0] } ?? [])
        } catch CocoaError.fileReadNoSuchFile {
            let file = PropertyOrigin(source: PropertySource(name: name, identity: path))
            throw PropertyLoadError(.notFound, "the file does not exist", at: file)
        }
    }
}

/// Converts the nodes of a YAML document.
private struct YamlDocument {
    private let text: String, source: PropertySource
    private var offsets: [UInt32] = []  // The byte offset of each Unicode scalar.
    private var lines = [0]  // The number of scalars before each line.
    private var count = 0  // The number of values. Aliases repeat what they refer to, so it can grow exponentially.

    init(_ text: String, _ source: PropertySource) {
        (self.text, self.source) = (text, source)
        var offset: UInt32 = 0
        for scalar in text.unicodeScalars {
            offsets.append(offset)
            offset += UInt32(UTF8.width(scalar))
            if ["\n", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar) { lines.append(offsets.count) }
        }
        offsets.append(offset)
    }

    mutating func table() throws -> PropertyTable {
        do {
            // Yams would read `no` as false and `1.10` as 1.1. Without rules, all plain scalars stay text.
            guard let root = try compose(yaml: text, .basic) else { return PropertyTable() }
            switch try property(root).value {
            case .null: return PropertyTable()
            case .table(let table): return table
            default: throw failure(.notATable, "the document is not a mapping", root.mark)
            }
        } catch let error as YamlError {
            switch error {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                .composer(_, let problem, let mark, _):
                throw failure(.syntax, problem, mark)
            case .duplicatedKeysInMapping(let keys, let context):
                throw failure(.duplicate, "the key '\(keys[0])' occurs twice", context.mark)
            default: throw failure(.syntax, "the text is not valid YAML", nil)
            }
        }
    }

    private mutating func property(_ node: Node) throws -> PropertyNode {
        count += 1
        guard count <= 100_000 else { throw failure(.limit, "there are more than 100,000 values", node.mark) }
        let tag = Tag.Name(rawValue: node.tag.rawValue)
        guard [.str, .seq, .map].contains(tag) else {
            throw failure(.unsupported, "the tag '\(tag.rawValue)' is not supported", node.mark)
        }
        let value: PropertyValue
        switch node {
        case .mapping(let mapping): value = .table(try table(mapping))
        case .sequence(let nodes): value = .array(try nodes.map { try property($0) })
        case .scalar(let scalar) where scalar.style != .plain: value = .string(scalar.string)
        case .scalar(let scalar):
            value = ["", "~", "null", "Null", "NULL"].contains(scalar.string) ? .null : .text(scalar.string)
        case .alias: throw failure(.unsupported, "an alias cannot be read", node.mark)
        }
        return PropertyNode(value, origin: origin(node.mark))
    }

    private mutating func table(_ mapping: Node.Mapping) throws -> PropertyTable {
        var entries: [PropertyTable.Entry] = [], inherited: [PropertyTable.Entry] = []
        for (key, node) in mapping {
            guard let name = key.scalar else { throw failure(.unsupported, "a key is not a scalar", key.mark) }
            let value = try property(node)
            if name.string == "<<", name.style == .plain {
                inherited = try self.inherited(value, node.mark)
            } else {
                let place = origin(key.mark).place
                entries.append(PropertyTable.Entry(key: name.string, keyPlace: place, node: value))
            }
        }
        // Of two entries with one key, a table uses the later one.
        return PropertyTable(entries: inherited + entries)
    }

    /// The entries of a merge key: those of a mapping, or of a list of mappings, of which the first one has precedence.
    private func inherited(_ node: PropertyNode, _ mark: Mark?) throws -> [PropertyTable.Entry] {
        switch node.value {
        case .table(let table): return Array(table)
        case .array(let nodes): return try nodes.reversed().flatMap { try inherited($0, mark) }
        default: throw failure(.unsupported, "the value of '<<' is not a mapping", mark)
        }
    }

    private func origin(_ mark: Mark?) -> PropertyOrigin {
        guard let mark, lines.indices.contains(mark.line - 1) else { return PropertyOrigin(source: source) }
        let scalar = min(lines[mark.line - 1] + mark.column - 1, offsets.count - 1)
        return PropertyOrigin(source: source, place: offsets[scalar])
    }

    private func failure(_ reason: PropertyLoadError.Reason, _ problem: String, _ mark: Mark?) -> PropertyLoadError {
        PropertyLoadError(reason, problem, at: origin(mark))
    }
}
