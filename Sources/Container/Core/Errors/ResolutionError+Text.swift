extension ResolutionError: CustomStringConvertible, PlacedError {
    /// The error in one line: the path, the problem, similar registrations, and the remedy.
    public var description: String { "\(place): \(message)" }

    package var place: String {
        let names = names
        if keys.count <= 2 * Self.shownEnds { return keys.map(names.text).joined(separator: " → ") }
        let left = "… \(keys.count - 2 * Self.shownEnds) more …"
        let (first, last) = (keys.prefix(Self.shownEnds), keys.suffix(Self.shownEnds))
        return (first.map(names.text) + [left] + last.map(names.text)).joined(separator: " → ")
    }

    /// The number of services at each end of a long path that the description has.
    private static let shownEnds = 8

    package var message: String {
        [problem, nearMisses, remedy].compactMap { $0 }.joined(separator: ". ")
    }

    package var underlying: (any Error)? { cause }

    private var problem: String {
        guard let last = keys.last else { return reason.description }
        let former = isFormer ? "the former " : ""
        let (key, first) = (names.text(of: last), names.text(of: keys[0]))
        return switch reason {
        case .notRegistered: "nothing is registered for \(key)"
        case .notGiven: "a child container must have \(key), and this container does not"
        case .wrongArguments where detail != nil: "\(key) takes no runtime arguments"
        case .wrongArguments: "\(key) is not registered for the arguments \(names.argumentList(of: last))"
        case .otherArguments: "the shared instance of \(key) was built from the arguments \(detail ?? "")"
        case .registeredLate:
            "\(key) was registered again after the start, and its former instance stays in \(detail ?? "")"
        case .circular: "\(key) needs itself"
        case .tooDeep: "more services need each other one after another \(detail ?? "")"
        case .factoryFailed: "the factory of \(key) threw: \(causeText)"
        case .completionFailed: "the completion of \(key) threw: \(causeText)"
        case .wrongType: "the instance of \(key) \(detail ?? "")"
        case .duplicate: "\(key) is defined twice: \(detail ?? "")"
        case .neverClosed: "onClose has no effect in the scope \(detail ?? "")"
        case .shorterLife: "\(first) keeps \(key), whose scope \(detail ?? "") has a shorter life"
        case .sharedByChildren:
            "\(first) has a Provider or a Lazy of \(key), which resolves \(key) from the container of \(first), and "
                + "never from a child"
        case .unseenOverride:
            "\(first) is shared, and has taken \(key) from its own container. It does not see \(key) of this child"
        case .outdatedDependency: "\(detail ?? "") keeps \(key), which is replaced when its settings change"
        case .replacementFailed:
            "the former instance stays, because a new one could not be built: \(causeText)"
                + (detail.map { ". \($0)" } ?? "")
        case .closed where detail != nil: "the container of \(key) is closed, because its start has failed"
        case .closed: "the container of \(key) is closed"
        case .closeFailed where cause == nil: detail ?? "the closing of \(key) did not end"
        case .notClosed: "\(former)\(key) was not closed in time, because \(detail ?? "the time was used up")"
        case .closeFailed: "the closing of \(former)\(key) threw: \(causeText)"
        case .asynchronous: "\(key) is built asynchronously\(detail.map { " \($0)" } ?? "")"
        case .cancelled: "the task that waited for \(key) was cancelled"
        default: "\(key): \(reason)\(detail.map { ", \($0)" } ?? "")"
        }
    }

    private var causeText: String { cause.map { PrintableText.escaped("\($0)") } ?? "no error" }

    /// The remedy for a shared service that needs a service of a child.
    private var ofChild: String { "Give \(path[0]) the scope .child, or pass \(path.last ?? "") to its methods" }

    /// The remedy for a service that takes its own type in order to wrap another service of that type. Nil for any
    /// other circle.
    private var ofDecorator: String? {
        guard keys.count > 1, let key = keys.last, key == keys[keys.count - 2], detail != "closing" else { return nil }
        let inner = "To wrap another \(names.text(of: key.service)), register that one by its own type or with a name"
        return names.isOverridden(key)
            ? "To wrap the one of the parent, take it from the parent: let the factory capture the parent. \(inner)"
            : inner
    }

    private var remedy: String? {
        switch reason {
        case .notRegistered: "Register it in this container or a parent"
        case .registeredLate: "Register it before the start"
        case .notGiven: "Register it in the child, and resolve there what takes it"
        case .wrongArguments where detail != nil: "Resolve \(detail ?? "") itself with them"
        case .wrongArguments: "Give arguments of exactly the factory's static types"
        case .otherArguments: "Give the same arguments everywhere, or register it in .graph or .transient"
        case .circular where ofDecorator != nil: ofDecorator
        case .circular where detail == "asynchronous": "Let one of them take the other as a Lazy or a Provider"
        case .circular where detail != nil: "Let one of them take the other in initCompleted(_:), as a weak reference"
        case .circular: "Let one of them take the other as a Lazy, or in initCompleted(_:)"
        case .tooDeep:
            "Look for a service that resolves itself, such as from a new child container, or let one of them take the next "
                + "as a Lazy"
        case .sharedByChildren: ofChild
        case .shorterLife where detail == "child": ofChild
        case .shorterLife: "Take it as a Provider, or give both the same scope"
        case .unseenOverride:
            "Register it in the container of \(path[0]) before the start, or give \(path[0]) the scope .child"
        case .outdatedDependency:
            "Take a Provider<\(keys.last.map { names.text(of: $0.service) } ?? "")>, or let \(detail ?? "") follow its settings, too: "
                + "followsSettings()"
        case .wrongType: "Take the type out of implements(_:) or conform to it"
        case .duplicate: "Give one of them a qualifier"
        case .neverClosed: "Share the instance: inObjectScope(.container)"
        case .closed where detail != nil: "Correct what the start has reported, and start a new container"
        case .closed: "Resolve what you need before close()"
        case .closeFailed where cause == nil: "Let it end when its task is cancelled, or give the closing more time"
        case .asynchronous where detail == nil: "Resolve it with 'await container.require(async:)'"
        case .asynchronous where keys.count == 1:
            "Resolve it with 'await container.require(async:)', or await container.start() first"
        case .asynchronous:
            "Let an asynchronous factory take it, or await container.start() first"
        default: nil
        }
    }
}

// MARK: - Near misses

extension ResolutionError {
    /// The maximum number of similar registrations in a message.
    private static let maximumNearMisses = 3

    /// A sentence with the registrations that the caller may have meant: of the same type under another name, or else
    /// of a type with a similar name.
    private var nearMisses: String? {
        guard let key = keys.last, reason == .notRegistered || reason == .wrongArguments else { return nil }
        let (names, registered) = (names, names.keys.filter { !$0.isHidden })
        let sameType = registered.filter { $0.service == key.service }
        let near = (sameType.isEmpty ? registered.filter { $0.resembles(key) } : sameType).map(names.fullText)
            .sorted(byName: \.self)
        if near.isEmpty { return nil }
        let list = near.prefix(Self.maximumNearMisses).joined(separator: ", ")
        return "Registered \(near.count == 1 ? "is" : "are") \(list)\(near.count > Self.maximumNearMisses ? " …" : "")"
    }
}
