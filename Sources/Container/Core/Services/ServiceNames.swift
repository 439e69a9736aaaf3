import SharedState
import Synchronization

/// The names of services in messages and reports.
///
/// A type has its own name, such as `Config`. If another registered type, or another type in the same message, has that
/// name, too, enough of the context is added to tell them apart: `Client.Config`.
package struct ServiceNames: Sendable {
    /// The registrations of a container and its parents.
    private let known: [KnownServices]
    /// Services of a message that may not be registered.
    private let others: KnownServices

    init(_ known: [KnownServices], _ others: [ServiceKey] = []) {
        (self.known, self.others) = (known, KnownServices(others))
    }

    /// The same names for a message that has other services, too.
    func with(_ others: [ServiceKey]) -> ServiceNames { ServiceNames(known, others) }

    /// The registered services, each once.
    var keys: [ServiceKey] {
        var seen: Set<ServiceKey> = []
        return known.flatMap(\.keys).filter { seen.insert($0).inserted }
    }

    /// Whether a parent of the container registers a service that the container registers, too.
    func isOverridden(_ key: ServiceKey) -> Bool {
        known.first?.keys.contains(key) == true && known.dropFirst().contains { $0.keys.contains(key) }
    }

    /// The type, followed by the qualifier unless it is the default qualifier.
    package func text(of key: ServiceKey) -> String {
        key.qualifier == .default ? text(of: key.service) : "\(text(of: key.service)) \(key.qualifier)"
    }

    /// The text of a key, followed by the types of the arguments if there are any.
    package func fullText(of key: ServiceKey) -> String {
        key.hasNoArguments || key.isHidden ? text(of: key) : "\(text(of: key)) with \(argumentList(of: key))"
    }

    /// The types of the arguments in parentheses, such as `(Int, String)`.
    func argumentList(of key: ServiceKey) -> String { ServiceKey.argumentList(text(of: key.arguments)) }

    /// The name of the service in the registrations that forward to it.
    func targetText(of key: ServiceKey) -> String {
        (key.arguments as? any ServiceCast.Type).map { text(of: $0.service) } ?? fullText(of: key)
    }

    /// The name of a type.
    func text(of type: Any.Type) -> String {
        let short = "\(type)"
        let words = TypeName(short).paths.compactMap(\.last)
        if !words.contains(where: { contexts(of: $0).count > 1 }) { return numbered(short, type, short) }
        let text = TypeName(String(reflecting: type)).text { path in
            guard let word = path.last else { return 1 }
            let others = contexts(of: word).filter { $0 != path }
            return (1...path.count).first { length in
                !others.contains { $0.suffix(length).elementsEqual(path.suffix(length)) }
            } ?? path.count
        }
        return numbered(text, type, short)
    }

    /// The contexts of the types that have a name, each with the name.
    private func contexts(of word: String) -> Set<[String]> {
        (known + [others]).reduce(into: []) { $0.formUnion($1.contexts[word] ?? []) }
    }

    /// Adds a number if two types have the same whole context, as types in two functions may have.
    private func numbered(_ text: String, _ type: Any.Type, _ short: String) -> String {
        let full = TypeName(String(reflecting: type)).text
        let same = (known + [others]).flatMap { $0.types[full] ?? [] }
        var seen: Set<ObjectIdentifier> = []
        let different = same.filter { seen.insert(ObjectIdentifier($0)).inserted }
        guard different.count > 1, let index = different.firstIndex(where: { $0 == type }) else { return text }
        return "\(text) #\(index + 1)"
    }
}

/// The registrations of a container at some time, with the names of their types.
final class KnownServices: Sendable {
    let keys: [ServiceKey]
    private let names = Lock<Names?>(nil)

    /// The types by their full names, and the contexts of each name.
    private struct Names: Sendable {
        var types: [String: [Any.Type]] = [:]
        var contexts: [String: Set<[String]>] = [:]
    }

    init(_ keys: [ServiceKey]) { self.keys = keys }

    var types: [String: [Any.Type]] { found.types }
    var contexts: [String: Set<[String]>] { found.contexts }

    /// The names. They are found when a message or a report needs them, because that takes a microsecond for each type.
    private var found: Names {
        if let names = names.withLock({ $0 }) { return names }
        var (new, seen) = (Names(), Set<ObjectIdentifier>())
        for type in keys.flatMap({ $0.hasNoArguments || $0.isHidden ? [$0.service] : [$0.service, $0.arguments] })
        where seen.insert(ObjectIdentifier(type)).inserted {
            let name = TypeName(String(reflecting: type))
            new.types[name.text, default: []].append(type)
            for path in name.paths { if let word = path.last { new.contexts[word, default: []].insert(path) } }
        }
        names.withLock { [new] in $0 = new }
        return new
    }
}

/// The name of a type as Swift writes it, in parts: paths such as Shop.Client.Config, and what is between them.
private struct TypeName {
    private var parts: [Part] = []

    private enum Part {
        case path([String])
        case other(String)
    }

    init(_ text: String) {
        var (rest, path) = (text[...], [String]())
        while !rest.isEmpty {
            let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if !word.isEmpty {
                path.append(String(word))
                rest = rest.dropFirst(word.count)
                // An extension in another module and a function have no name of their own.
            } else if ["(unknown context at ", "(extension in "].contains(where: rest.hasPrefix),
                let end = rest.firstIndex(of: ")")
            {
                rest = rest[end...].dropFirst()
                if rest.first == ":" { rest = rest.dropFirst() }
                if rest.first == ".", !path.isEmpty { rest = rest.dropFirst() }
                continue
            }
            if rest.first == ".", !path.isEmpty, !rest.hasPrefix("...") {
                rest = rest.dropFirst()
                continue
            }
            if !path.isEmpty { parts.append(.path(path)) }
            path = []
            if let other = rest.popFirst() { parts.append(.other(String(other))) }
        }
        if !path.isEmpty { parts.append(.path(path)) }
    }

    var paths: [[String]] { parts.compactMap { if case .path(let path) = $0 { path } else { nil } } }

    /// The whole name, without contexts that have no name.
    var text: String { text { $0.count } }

    /// Returns the name with some of the last words of each path.
    func text(_ length: ([String]) -> Int) -> String {
        parts.map { part in
            switch part {
            case .path(let path): path.suffix(length(path)).joined(separator: ".")
            case .other(let text): text
            }
        }
        .joined()
    }
}

extension ServiceKey {
    /// The name of the type with its module and its whole context, which identifies it in a report.
    package var typeName: String { TypeName(String(reflecting: service)).text }
}
