internal import Properties

// Functions that advance over the prolog and the markup between elements (XML 1.0, section 2.8).
extension XMLCursor {
    /// Advances over white space, comments and processing instructions.
    mutating func skipMisc() throws(Diagnostic) {
        while true {
            skipSpace()
            let start = offset
            if skip("<!--") {
                guard skip(behind: "-->") else {
                    throw Diagnostic("the comment that starts here has no end", at: start, expected: "`-->`")
                }
            } else if skip("<?") {
                let target = name()
                // XML 1.0, section 2.6: the target `xml` is reserved, in upper and lower case.
                if target.isSame(as: "xml") {
                    throw Diagnostic(
                        "there is a second `<?xml` declaration", at: start, expected: "one, at the start of the file",
                        remedy: "Remove it")
                }
                guard !target.isEmpty, !isAny(of: ["xml"], target) else { throw invalidDeclaration(at: start) }
                guard skip(behind: "?>") else { throw unclosedInstruction(at: start) }
            } else {
                return
            }
        }
    }

    /// Advances over the `<?xml …?>` at the start, if there is one.
    mutating func skipDeclaration() throws(Diagnostic) {
        skipSpace()
        let start = offset
        guard skip("<?"), name().isSame(as: "xml") else {
            offset = start
            return
        }
        let content = offset
        guard skip(behind: "?>") else { throw unclosedInstruction(at: start) }
        let end = offset
        offset = content
        guard let version = pseudoAttribute("version"), isVersion(version) else {
            throw invalidDeclaration(at: start)
        }
        if let encoding = pseudoAttribute("encoding") { try checkEncoding(text(encoding), at: start) }
        if let standalone = pseudoAttribute("standalone"), !isAny(of: ["yes", "no"], text(standalone)) {
            throw invalidDeclaration(at: start)
        }
        skipSpace()
        guard skip("?>"), offset == end else { throw invalidDeclaration(at: start) }
    }

    /// Reads ` name="value"` and returns the range of the value. Otherwise returns nil and does not advance.
    private mutating func pseudoAttribute(_ name: StaticString) -> Range<Int>? {
        let start = offset
        if skipSpace(), skip(name) {
            skipSpace()
            if skip("=") {
                skipSpace()
                if let value = literal() { return value }
            }
        }
        offset = start
        return nil
    }

    // XML 1.0, section 2.8: a `VersionNum` is `1.` and digits.
    private func isVersion(_ range: Range<Int>) -> Bool {
        bytes[range].starts(with: "1.".utf8) && range.count > 2 && bytes[range].dropFirst(2).allSatisfy(\.isDigit)
    }

    // XML 1.0, section 4.3.3. The bytes have been validated as UTF-8, so a declaration of any other encoding is an
    // error.
    private func checkEncoding(_ name: String, at start: Int) throws(Diagnostic) {
        guard !name.isEmpty else { throw invalidDeclaration(at: start) }
        guard isAny(of: ["utf-8", "utf8", "us-ascii", "ascii"], name) else {
            throw Diagnostic(
                "the declared encoding is \(PrintableText.quoted(name))", at: start, expected: "UTF-8",
                remedy: "Save the file as UTF-8 and declare that", kind: .unsupported)
        }
    }

    // Ignores case. A text that is longer than all words is not compared, because that takes quadratic time for a long
    // run of combining characters.
    private func isAny(of words: [String], _ text: String) -> Bool {
        text.utf8.count < 9 && words.contains(text.lowercased())
    }

    private func invalidDeclaration(at start: Int) -> Diagnostic {
        Diagnostic(
            "the `<?xml` declaration is damaged", at: start,
            expected: "`<?xml version=\"1.0\" encoding=\"UTF-8\"?>`")
    }

    private func unclosedInstruction(at start: Int) -> Diagnostic {
        Diagnostic("the instruction that starts here has no end", at: start, expected: "`?>`")
    }
}

// MARK: - The document type

extension XMLCursor {
    /// Advances over a document type declaration. An internal subset, which could declare entities, is an error.
    mutating func skipDoctype() throws(Diagnostic) {
        let start = offset
        guard skip("<!DOCTYPE") else { return }
        guard skipSpace() else { throw invalidDoctype(at: start) }
        let name = name()
        guard name.isSame(as: "plist") else {
            if isAtEnd { throw invalidDoctype(at: start) }
            throw Diagnostic(
                "the document type is \(PrintableText.quoted(name))", at: start, expected: "`plist`",
                remedy: "Check that this is the right file")
        }
        guard skipExternalID() else { throw invalidDoctype(at: start) }
        skipSpace()
        if byte == .openBracket {
            throw Diagnostic(
                "the document type has declarations of its own", at: offset, expected: "`>`",
                remedy: "Remove all between `[` and `]`, and write the entities' text in their places",
                kind: .unsupported)
        }
        guard skip(">") else { throw invalidDoctype(at: start) }
    }

    private func invalidDoctype(at start: Int) -> Diagnostic {
        if isAtEnd { return Diagnostic("the `<!DOCTYPE` that starts here has no end", at: start, expected: "`>`") }
        return Diagnostic(
            "the `<!DOCTYPE` is damaged", at: start,
            expected: "`<!DOCTYPE plist PUBLIC \"…\" \"…\">` or `<!DOCTYPE plist>`")
    }

    // XML 1.0, section 4.2.2: advances over an `ExternalID` if there is one. Returns false if it is invalid.
    private mutating func skipExternalID() -> Bool {
        let isApart = skipSpace()
        if skip("PUBLIC") {
            guard isApart, skipSpace(), let id = literal(), bytes[id].allSatisfy(Self.isPublicID) else { return false }
        } else if !skip("SYSTEM") {
            return true
        }
        return isApart && skipSpace() && literal() != nil
    }

    // XML 1.0, section 2.3: returns whether a byte is a `PubidChar`.
    private static func isPublicID(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte.isWhitespace && byte != .tab
            || "-'()+,./:=?;!*#@$_%".utf8.contains(byte)
    }
}
