/// Reads the Swift names of one span.
struct NamesInSpan {
    let check: NameCheck
    let ownWords: Set<String>
    private(set) var problems: [String] = []

    private var tokens: [SwiftText.Token] = []
    private var index = 0
    private var isLink = false

    init(check: NameCheck, ownWords: Set<String>) {
        self.check = check
        self.ownWords = ownWords
    }

    mutating func read(_ span: Document.Span) {
        isLink = span.isLink
        let text = isLink ? span.text.replacing("/", with: ".") : span.text
        tokens = SwiftText(text).tokens.filter { $0.kind != .comment }
        // What has other marks is not Swift, such as a rule of a grammar.
        guard tokens.allSatisfy({ $0.kind != .mark || Self.marks.contains($0.text) }) else { return }
        let isOneName = !text.contains(" ")
        while index < tokens.count {
            if tokens[index].kind == .word { readChain(isOneName: isOneName) } else { index += 1 }
        }
    }

    private static let marks: Set<String> = [
        "(", ")", "[", "]", "{", "}", "<", ">", ".", ",", ":", "::", "->", "?", "!", "@", "=", "&", "\\", "…", ";",
    ]

    private func mark(_ distance: Int = 0) -> String? {
        tokens.indices.contains(index + distance) && tokens[index + distance].kind == .mark
            ? tokens[index + distance].text : nil
    }

    private func word(_ distance: Int = 0) -> String? {
        tokens.indices.contains(index + distance) && tokens[index + distance].kind == .word
            ? tokens[index + distance].text : nil
    }

    // Reads `A.b(c:).d`. The arguments are read as names of their own.
    private mutating func readChain(isOneName: Bool) {
        let first = tokens[index].text
        let before = mark(-1)
        if OtherNames.declaring.contains(word(-1) ?? "") {
            index += 1
            return
        }
        index += 1
        if mark() == ":", before == "(" || before == "," || index == 1 || word(-2) != nil {
            if before == nil, word(-2) == nil { expectLabel(first) }
            return
        }
        var names = [first]
        if before != "." {
            let isStrict = first.first?.isUppercase == true || isOneName || mark() == "("
            if isStrict, !isExample(first), !check.isKnown(first, ownWords) {
                problems.append("no such name\(check.nearestName(first))")
            }
        } else if !check.isKnown(first, ownWords) {
            problems.append("nothing has a member of this name\(check.nearestName(first))")
        }
        var type = check.isType(first) && !isExternal(first) ? first : nil
        if isExternal(first) || (before != "." && isExample(first)) { return skipMembers() }
        readCall(of: names)
        while mark() == "." || mark() == "::", let member = word(1) {
            index += 2
            if let owner = type, !check.declarations.hasMember(member, in: owner), !isOfEveryType(member),
                !isModule(owner)
            {
                let members = check.declarations.types[owner]?.names.sorted() ?? []
                problems.append("`\(owner)` has no member `\(member)`\(check.nearest(member, in: members))")
            } else if type == nil, !check.isKnown(member, ownWords), mark() == "(" || check.isType(first) {
                problems.append("nothing has a member `\(member)`\(check.nearestName(member))")
            }
            type = check.isType(member) && type != nil ? member : nil
            names.append(member)
            readCall(of: names)
        }
    }

    // A dotted name of lower-case words may be the name of a property.
    private func isExample(_ name: String) -> Bool {
        mark() == "." && name.first?.isLowercase == true && !OtherNames.receivers.contains(name)
    }

    private func isExternal(_ name: String) -> Bool { OtherNames.all.contains(name) }
    private func isModule(_ name: String) -> Bool { check.paths.contains("Sources/\(name)") }
    private func isOfEveryType(_ name: String) -> Bool { OtherNames.membersOfEveryType.contains(name) }

    private mutating func skipMembers() {
        while mark() == ".", word(1) != nil { index += 2 }
    }

    private mutating func expectLabel(_ label: String) {
        if !check.isKnown(label, ownWords) { problems.append("nothing has a parameter `\(label):`") }
    }

    private mutating func readCall(of names: [String]) {
        var next = index
        // The generic arguments of a type.
        if mark() == "<" {
            while next < tokens.count, tokens[next].text != ">" { next += 1 }
            next += 1
        }
        guard tokens.indices.contains(next), tokens[next].text == "(", !tokens[next].isSpaced else { return }
        let (labels, isName) = labels(from: next)
        guard !labels.isEmpty, let name = names.last else { return }
        let key: String
        if name == "init", names.count > 1 {
            key = "\(names[names.count - 2]).init"
        } else if check.isType(name) {
            key = "\(name).init"
        } else {
            key = name
        }
        guard check.declarations.parameters[key] != nil || check.isType(name) else {
            if isName, !ownWords.contains(name) { problems.append("no function `\(name)` has labels") }
            return
        }
        if check.accepts(key, labels, isName: isName) || ownWords.contains(name) && !isName { return }
        // The initializer that the compiler makes of the properties.
        let ownsAll = labels.allSatisfy { check.declarations.hasMember($0, in: name) }
        if check.isType(name), ownsAll { return }
        let known = (check.declarations.parameters[key] ?? []).map { "(\($0.map { "\($0.label):" }.joined()))" }
            .sorted()
        problems.append("`\(key)` has no such labels; it has \(known.joined(separator: ", "))")
    }

    /// The labels of the call whose parenthesis stands at an index, and whether it is a name such as `a(b:)`.
    private func labels(from start: Int) -> (labels: [String], isName: Bool) {
        var arguments: [[SwiftText.Token]] = [[]], depth = 1
        for token in tokens[(start + 1)...] {
            if ["(", "[", "{"].contains(token.text) { depth += 1 }
            if [")", "]", "}"].contains(token.text) { depth -= 1 }
            if depth == 0 { break }
            if depth == 1, token.text == "," {
                arguments.append([])
            } else {
                arguments[arguments.count - 1].append(token)
            }
        }
        let first = arguments[0]
        let isName =
            arguments.count == 1 && !first.isEmpty && first.count.isMultiple(of: 2)
            && first.indices.allSatisfy { $0.isMultiple(of: 2) ? first[$0].kind == .word : first[$0].text == ":" }
        if isName { return (first.filter { $0.kind == .word }.map(\.text), true) }
        let labels = arguments.filter { !$0.isEmpty }.map { argument in
            argument.count > 1 && argument[0].kind == .word && argument[1].text == ":" ? argument[0].text : "_"
        }
        return (labels, false)
    }
}
