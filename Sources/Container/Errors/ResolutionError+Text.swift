extension ResolutionError: CustomStringConvertible {
    /// One line: the path, what happened, what is there instead, what to do.
    public var description: String {
        let parts = [problem, reason == .circular ? nil : nearMisses, remedy].compactMap { $0 }
        return "\(path.joined(separator: " → ")): \(parts.joined(separator: ". "))"
    }

    private var problem: String {
        guard let key = keys.last else { return reason.description }
        return switch reason {
        case .notRegistered: "nothing is registered for \(key)"
        case .wrongArguments: "\(key) is not registered for the arguments \(key.argumentList)"
        case .circular: "\(key) needs itself"
        case .factoryFailed: "the factory of \(key) threw: \(causeText)"
        case .completionFailed: "the completion of \(key) threw: \(causeText)"
        case .wrongType: "the instance of \(key) is no \(detail ?? "instance of the type that it is forwarded for")"
        case .duplicate: "\(key) is defined twice: \(detail ?? "")"
        default: "\(key): \(reason)\(detail.map { ", \($0)" } ?? "")"
        }
    }

    private var causeText: String { cause.map { PrintableText.escapedLines("\($0)") } ?? "no error" }

    private var remedy: String? {
        switch reason {
        case .notRegistered: "Register it in this container or a parent"
        case .wrongArguments: "Give arguments of exactly the factory's static types"
        case .circular: "Let one of them take the other in initCompleted(_:)"
        case .wrongType: "Take the type out of implements(_:) or conform to it"
        case .duplicate: "Give one of them a qualifier"
        default: nil
        }
    }
}

// MARK: - Near misses

extension ResolutionError {
    /// At most this many, for a line that people read.
    private static let maximumNearMisses = 3

    /// What the caller may have meant.
    private var nearMisses: String? {
        guard let key = keys.last, reason == .notRegistered || reason == .wrongArguments else { return nil }
        let others = container.allRegistrations.map(\.key).sorted { $0.fullDescription < $1.fullDescription }
        let sameType = others.filter { $0.service == key.service }
        let near = sameType.isEmpty ? others.filter { $0.resembles(key) } : sameType
        guard !near.isEmpty else { return nil }
        let names = near.prefix(Self.maximumNearMisses).map(\.fullDescription).joined(separator: ", ")
        return "Registered \(near.count == 1 ? "is" : "are") \(names)\(near.count > Self.maximumNearMisses ? " …" : "")"
    }
}

extension ServiceKey: CustomStringConvertible {
    /// The type and the qualifier, if it is not the default one.
    package var description: String { qualifier == .default ? "\(service)" : "\(service) \(qualifier)" }

    /// The same with the arguments' types.
    var fullDescription: String { hasNoArguments ? description : "\(description) with \(argumentList)" }

    /// The arguments' types in brackets.
    var argumentList: String {
        // `Arguments` is a pair of the first type and the tuple of the others; a lone other stands bare.
        let list = "\(arguments)"
        guard list.hasSuffix("))") else { return list }
        var depth = 0
        let others = list.dropLast().lastIndex { character in
            if character == ")" { depth += 1 } else if character == "(" { depth -= 1 }
            return depth == 0
        }
        guard let others, list[..<others].hasSuffix(", ") else { return list }
        let inner = list[others...].dropFirst().dropLast(2)
        return "\(list[..<others].dropLast(inner.isEmpty ? 2 : 0))\(inner))"
    }

    /// Whether the names of two types differ so little that one may be meant for the other.
    func resembles(_ other: ServiceKey) -> Bool {
        let (one, two) = (Self.plain(service), Self.plain(other.service))
        let (short, long) = one.count < two.count ? (one, two) : (two, one)
        return long.hasPrefix(short) || long.hasSuffix(short)
            || Suggestions.distance(Array(one.utf8), Array(two.utf8), within: max(1, short.count / 4)) != nil
    }

    /// The name in small letters without `any` and what Swift programs put around a type's stem.
    private static func plain(_ type: Any.Type) -> Substring {
        var name = "\(type)".lowercased()[...]
        if name.hasPrefix("any ") { name = name.dropFirst(4) }
        for suffix in ["protocol", "impl", "type"] where name.hasSuffix(suffix) && name.count > suffix.count {
            name = name.dropLast(suffix.count)
        }
        return name
    }
}
