import Foundation
import PropertyLoaders

extension FuzzTarget {
    /// The whole chain: bytes, loader, store, reads, explanations, texts.
    ///
    /// The first byte of the input selects a format, and whether the source is secret. The word `SECRET` in the rest,
    /// the document, becomes a word that must be in no output, unless a key contains it.
    static let chain = FuzzTarget("chain") { bytes in
        guard let first = bytes.first else { return }
        let document = planted(Array(bytes.dropFirst()))
        let number = first &- UInt8(ascii: "0")
        let isSecret = number % 8 > 3
        let loader: any PropertyLoader =
            switch number % 4 {
            case 0: TomlPropertyLoader(bytes: document, name: "fuzz")
            case 1: JsonPropertyLoader(bytes: document, name: "fuzz")
            case 2: DotEnvPropertyLoader(bytes: document, name: "fuzz")
            default: PlistPropertyLoader(bytes: document, name: "fuzz", limits: SyntaxLimits(bytes: 1 << 16))
            }
        var check = try ChainCheck(document, isSecret: isSecret)
        if isSecret { try check.run(loader.secret()) } else { try check.run(loader) }
    }

    /// The word that stands for a secret.
    static let secret = "hunter2xyz"

    private static func planted(_ bytes: [UInt8]) -> [UInt8] {
        var document: [UInt8] = []
        var cursor = ModelCursor(bytes)
        while let byte = cursor.byte {
            if cursor.skip("SECRET") {
                document += Array(secret.utf8)
            } else {
                document.append(byte)
                cursor.place += 1
            }
        }
        return document
    }
}

/// One run of the chain.
private struct ChainCheck {
    private let store = PropertyStore()
    private let document: [UInt8]
    private let isSecret: Bool
    /// Everything that was printed.
    private var output: [String] = []

    /// Creates a run over a store with properties of its own, which have the names of common settings.
    init(_ document: [UInt8], isSecret: Bool) throws {
        (self.document, self.isSecret) = (document, isSecret)
        store.onWrongValue { _ in }
        try store.apply(
            TomlPropertyLoader(string: "keep = 1\na.b = [1, { c = 2 }]\n[api]\ntimeout = 30\n", name: "first"))
    }

    mutating func run(_ loader: some PropertyLoader) throws {
        let before = text
        do {
            try store.apply(loader)
        } catch {
            let first = try FuzzTarget.loadErrors(in: error)
            for error in first { try ErrorCheck(document.count).check(error) }
            let errors = first.flatMap { [$0] + $0.furtherErrors }
            try require(text == before, "a failure has changed the store: \(text)")
            output += errors.flatMap { [$0.description, $0.longDescription, "\($0.notes)"] }
            output.append(dumped(error))
            // A message may name a key. In an invalid document it is not known what is a key.
            return isSecret && FuzzTarget.isSecretValue(in: document) ? try refuseSecrets() : try checkOutput()
        }
        try reads()
        try again(loader)
        let hasSecretName = store.entries.contains { $0.name.contains(FuzzTarget.secret) }
        return isSecret && !hasSecretName ? try refuseSecrets() : try checkOutput()
    }

    private var text: String { store.entries.map(\.description).joined(separator: "\n") }

    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }
}

// MARK: - Reads

extension ChainCheck {
    /// Reads all properties in all ways, which must agree.
    private mutating func reads() throws {
        for entry in store.entries {
            output += [entry.description, entry.valueText, dumped(entry), entry.node.description, dumped(entry.node)]
            try read(entry)
            let history = store.history(of: entry.name)
            try require(history.first?.description == entry.description, "\(entry) is explained by \(history)")
            output += history.map(\.description)
        }
        try tree(store.root, prefix: "")
        output += ["\(store)", dumped(store), dumped(store.snapshot)]
        output += store.warnings.flatMap { [$0.description, $0.longDescription] }
        if let json = try? store.json() {
            output.append(json)
            let isJson = (try? JsonModel.value(Array(json.utf8), isStrict: true)) != nil
            try require(isJson, "this is not JSON: \(json)")
        }
        for name in ["keep", "api.timeout"] where (store.property(name) as Int?) == nil {
            try require(!store.history(of: name).isEmpty, "'\(name)' has no history")
        }
    }

    /// Reads a property as several types. What `property` returns, `require` returns too.
    private mutating func read(_ entry: PropertyEntry) throws {
        let node: PropertyNode? = store.property(entry.name)
        try require(node.map { "\($0)" } == "\(entry.node)" || entry.node.value.isNull, "\(entry) is read as another")
        try read(entry.name, as: Int.self)
        try read(entry.name, as: String.self)
        try read(entry.name, as: Bool.self)
        try read(entry.name, as: Double.self)
        try read(entry.name, as: [String].self)
        try read(entry.name, as: Duration.self)
    }

    private mutating func read<T: Equatable>(_ name: String, as type: T.Type) throws {
        let value: T? = store.property(name)
        switch (Result { () throws(PropertyError) in try store.require(name, as: type) }) {
        case .success(let required):
            let isNaN = (required as? Double)?.isNaN == true
            try require(value == required || isNaN, "'\(name)' as \(type) is read in two ways")
        case .failure(let error):
            try require(value == nil, "'\(name)' as \(type) is read although: \(error)")
            output += [error.description, dumped(error)]
        }
    }

    /// Checks that a table and the names of its entries are two views of one tree.
    private func tree(_ table: PropertyTable, prefix: String) throws {
        for entry in table {
            let name = prefix + entry.key
            let node: PropertyNode? = store.property(name)
            let isSame = node.map { PropertyValue.isSame($0.value, entry.node.value) } ?? entry.node.value.isNull
            try require(isSame, "'\(name)' is \(String(describing: node)); expected \(entry.node)")
            if case .table(let inner) = entry.node.value { try tree(inner, prefix: name + ".") }
        }
    }
}

// MARK: - Changes

extension ChainCheck {
    /// Applies the same source again, reloads it, and reads it through a child. Nothing may change.
    private mutating func again(_ loader: some PropertyLoader) throws {
        let before = text
        let count = store.entries.map { store.history(of: $0.name).count }
        try store.apply(loader)
        try require(text == before, "the same source applied again is \(text); expected \(before)")
        try store.reload()
        try require(text == before, "the same source reloaded is \(text); expected \(before)")
        try require(count == store.entries.map { store.history(of: $0.name).count }, "the history has grown")
        let child = PropertyStore(parent: store)
        let inherited = child.entries.map(\.description).joined(separator: "\n")
        try require(inherited == before, "a child has \(inherited); expected \(before)")
    }
}

// MARK: - Output

extension ChainCheck {
    private func checkOutput() throws {
        for text in output {
            let isPrintable = text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !$0.isControl }
            try require(isPrintable, "there are control characters in: \(text)")
        }
    }

    private func refuseSecrets() throws {
        try checkOutput()
        for text in output where text.utf8.contains(UInt8(ascii: "2")) {
            try require(!text.contains(FuzzTarget.secret), "there is a secret in: \(text)")
        }
    }
}

extension FuzzTarget {
    /// Whether each secret in a document is inside of the quotes of a value, as in `= "secret"` and `: "secret"`.
    fileprivate static func isSecretValue(in document: [UInt8]) -> Bool {
        let text = String(decoding: document, as: UTF8.self)
        let parts = text.components(separatedBy: secret)
        return parts.dropLast().allSatisfy { $0.hasSuffix("= \"") || $0.hasSuffix(": \"") || $0.hasSuffix("<string>") }
            && parts.dropFirst().allSatisfy { $0.hasPrefix("\"") || $0.hasPrefix("</string>") }
    }
}

extension PropertyValue {
    fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}
