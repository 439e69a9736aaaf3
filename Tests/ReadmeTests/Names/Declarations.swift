/// What the Swift code of the repository declares: an index by name, without the compiler.
///
/// The symbol graphs of the modules would say the same of the modules alone. They need a build of every module, a process
/// for each, and the toolchain beside the tests. The names in `Tests` and `Fixtures` would still have to be read.
struct Declarations {
    struct TypeMembers {
        /// Whether the type is declared here, and not only extended.
        var isOwn = false
        var names: Set<String> = []
        /// The types and protocols after the colon, or the type that an alias names.
        var ancestors: Set<String> = []
    }

    private(set) var types: [String: TypeMembers] = [:]
    /// The names of all properties, functions, cases and associated types.
    private(set) var names: Set<String> = []
    /// The parameters of the functions and cases of each name, and of `Type.init`.
    private(set) var parameters: [String: Set<[Parameter]>] = [:]
    /// The labels of all parameters.
    private(set) var labels: Set<String> = []
    /// All literals, with `…` for what they interpolate.
    private(set) var literals: Set<String> = []

    struct Parameter: Hashable {
        let label: String
        /// Whether a call can leave it out.
        var isOptional = false
    }

    private var tokens: [SwiftText.Token] = []
    private var index = 0
    private var scopes: [Scope] = []

    private enum Scope {
        case type(String, isEnum: Bool)
        case body
    }

    /// Adds the declarations of a file, and its literals unless they are names that do not exist.
    mutating func add(_ text: SwiftText, withLiterals: Bool) {
        tokens = text.tokens.filter { $0.kind != .comment }
        index = 0
        scopes = []
        var pending: Scope?
        while index < tokens.count {
            let token = tokens[index]
            index += 1
            switch (token.kind, token.text) {
            case (.literal, let text): if withLiterals { literals.insert(text) }
            case (.mark, "{"):
                scopes.append(pending ?? .body)
                pending = nil
            case (.mark, "}"): _ = scopes.popLast()
            case (.word, "struct"), (.word, "class"), (.word, "enum"), (.word, "protocol"), (.word, "actor"),
                (.word, "extension"):
                if let name = addType(isOwn: token.text != "extension") {
                    pending = .type(name, isEnum: token.text == "enum")
                }
            case (.word, _) where index < 2 || tokens[index - 2].text != ".": addMember(token.text)
            default: break
            }
        }
    }

    // MARK: - Reading a declaration

    private func text(_ distance: Int = 0) -> String {
        index + distance < tokens.count ? tokens[index + distance].text : ""
    }

    private func isWord(_ distance: Int = 0) -> Bool {
        index + distance < tokens.count && tokens[index + distance].kind == .word
    }

    /// Reads the name and the ancestors of a type.
    private mutating func addType(isOwn: Bool) -> String? {
        if text() == "[" { return "Array" }
        guard isWord(), text().first?.isUppercase == true else { return nil }
        var name = text()
        addMemberName(name)
        index += 1
        while text() == ".", isWord(1) {
            name = text(1)
            index += 2
        }
        if isOwn { types[name, default: TypeMembers()].isOwn = true }
        skipGenerics()
        guard text() == ":" else { return name }
        while index < tokens.count, text() != "{", text() != "where" {
            let ancestor = text()
            if isWord() { types[name, default: TypeMembers()].ancestors.insert(ancestor) }
            index += 1
        }
        return name
    }

    private mutating func addMember(_ keyword: String) {
        guard case .type(let type, let isEnum)? = scopes.last ?? .type("", isEnum: false) else { return }
        switch keyword {
        case "func": addFunction()
        case "init":
            if ["?", "!"].contains(text()) { index += 1 }
            skipGenerics()
            if text() == "(" { add("\(type).init", readParameters()) }
        case "subscript":
            skipGenerics()
            if text() == "(" { add("subscript", readParameters()) }
        case "var", "let": addVariables()
        case "case" where isEnum: addCases()
        case "typealias", "associatedtype": addAlias()
        default: break
        }
    }

    private mutating func addMemberName(_ name: String) {
        names.insert(name)
        if case .type(let type, _)? = scopes.last, !type.isEmpty {
            types[type, default: TypeMembers()].names.insert(name)
        }
    }

    private mutating func add(_ function: String, _ list: [Parameter]) {
        parameters[function, default: []].insert(list)
        labels.formUnion(list.map(\.label))
    }

    private mutating func addFunction() {
        let name = text()
        index += 1
        // An operator.
        while index < tokens.count, !["(", "<"].contains(text()) { index += 1 }
        skipGenerics()
        guard text() == "(" else { return }
        addMemberName(name)
        add(name, readParameters())
    }

    private mutating func addVariables() {
        while isWord() {
            addMemberName(text())
            index += 1
            guard text() == ",", isWord(1), [",", ":"].contains(text(2)) else { return }
            index += 1
        }
    }

    private mutating func addCases() {
        while isWord() {
            let name = text()
            addMemberName(name)
            index += 1
            if text() == "(" { add(name, readParameters()) }
            if text() == "=" { index += 2 }
            guard text() == "," else { return }
            index += 1
        }
    }

    private mutating func addAlias() {
        let name = text()
        addMemberName(name)
        types[name, default: TypeMembers()].isOwn = true
        let line = tokens[min(index, tokens.count - 1)].line
        index += 1
        while index < tokens.count, tokens[index].line == line, text() != "}" {
            let ancestor = text()
            if isWord() { types[name, default: TypeMembers()].ancestors.insert(ancestor) }
            index += 1
        }
    }

    private mutating func skipGenerics() {
        guard text() == "<" else { return }
        var depth = 0
        repeat {
            if text() == "<" { depth += 1 }
            if text() == ">" { depth -= 1 }
            index += 1
        } while index < tokens.count && depth > 0
    }

    /// Reads a parameter list.
    private mutating func readParameters() -> [Parameter] {
        var list: [Parameter] = []
        var depth = 0, isStart = true
        repeat {
            let token = tokens[index]
            index += 1
            switch token.text {
            case "(", "[", "{": depth += 1
            case "<" where !token.isSpaced: depth += 1
            case ")", "]", "}": depth -= 1
            case ">" where !token.isSpaced && depth > 1: depth -= 1
            case "," where depth == 1: isStart = true
            case "@" where isStart: index += 1
            case "=" where depth == 1, "repeat" where depth == 1:
                if !list.isEmpty { list[list.count - 1].isOptional = true }
            default:
                guard isStart, depth == 1, token.kind == .word else { continue }
                // A value of a case may have no label.
                let isLabel = text() == ":" || (isWord() && text(1) == ":")
                list.append(Parameter(label: isLabel ? token.text : "_"))
                isStart = false
            }
        } while index < tokens.count && depth > 0
        return list
    }

    // MARK: - Asking

    /// Whether a type, or a type or protocol above it, declares a member.
    func hasMember(_ member: String, in type: String) -> Bool {
        var left = [type], seen: Set<String> = []
        while let next = left.popLast() {
            guard seen.insert(next).inserted, let known = types[next] else { continue }
            if known.names.contains(member) { return true }
            left += known.ancestors
        }
        return false
    }
}
