// What stands before the first element, and between elements: XML 1.0, 2.8.
extension XMLCursor {
    /// Steps over white space, comments and processing instructions.
    mutating func skipMisc() throws(PlistFault) {
        while true {
            skipSpace()
            let start = offset
            if skip("<!--") {
                guard skip(behind: "-->") else { throw PlistFault(.unclosedComment, at: start) }
            } else if skip("<?") {
                let target = name().utf8
                // XML 1.0, 2.6: no other instruction has this name, in any case.
                if target.elementsEqual("xml".utf8) { throw PlistFault(.lateXMLDeclaration, at: start) }
                if target.isEmpty || "xml".utf8.elementsEqual(target.map(XMLCharacter.lowercased)) {
                    throw PlistFault(.xmlDeclaration, at: start)
                }
                guard skip(behind: "?>") else { throw PlistFault(.unclosedInstruction, at: start) }
            } else {
                return
            }
        }
    }

    /// Steps over the `<?xml …?>` at the start, where there is one.
    mutating func skipDeclaration() throws(PlistFault) {
        skipSpace()
        let start = offset
        guard skip("<?xml"), !XMLCharacter.isName(byte) else {
            offset = start
            return
        }
        let content = offset
        guard skip(behind: "?>") else { throw PlistFault(.unclosedInstruction, at: start) }
        let end = offset
        offset = content
        guard let version = item("version"), isVersion(version) else {
            throw PlistFault(.xmlDeclaration, at: start)
        }
        if let encoding = item("encoding") { try checkEncoding(encoding, at: start) }
        if let standalone = item("standalone"), !isWord(standalone, ["yes", "no"]) {
            throw PlistFault(.xmlDeclaration, at: start)
        }
        skipSpace()
        guard skip("?>"), offset == end else { throw PlistFault(.xmlDeclaration, at: start) }
    }

    /// The value of ` name="value"`; nil, at the same place, where something else stands.
    private mutating func item(_ name: StaticString) -> Range<Int>? {
        let start = offset
        if skipRequiredSpace(), skip(name) {
            skipSpace()
            if skip("=") {
                skipSpace()
                if let value = literal() { return value }
            }
        }
        offset = start
        return nil
    }

    private mutating func skipRequiredSpace() -> Bool {
        let start = offset
        skipSpace()
        return offset > start
    }

    private func isVersion(_ range: Range<Int>) -> Bool {
        let text = bytes[range]
        let digits = text.dropFirst(2)
        return text.starts(with: Array("1.".utf8)) && !digits.isEmpty
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    // XML 1.0, 4.3.3. The bytes are UTF-8, whatever else the declaration says.
    private func checkEncoding(_ range: Range<Int>, at start: Int) throws(PlistFault) {
        guard !range.isEmpty else { throw PlistFault(.xmlDeclaration, at: start) }
        guard isWord(range, ["utf-8", "utf8", "us-ascii", "ascii"]) else {
            throw PlistFault(.encoding(text(range)), at: start)
        }
    }

    private func isWord(_ range: Range<Int>, _ words: [String]) -> Bool {
        words.contains { $0.utf8.elementsEqual(bytes[range].lazy.map(XMLCharacter.lowercased)) }
    }
}

// MARK: - The document type

extension XMLCursor {
    /// Steps over a document type declaration, which must have no subset of its own: that is where entities are made.
    mutating func skipDoctype() throws(PlistFault) {
        let start = offset
        guard skip("<!DOCTYPE") else { return }
        guard skipRequiredSpace() else { throw damagedDoctype(at: start) }
        let name = name()
        guard name.utf8.elementsEqual("plist".utf8) else {
            throw PlistFault(isAtEnd ? .unclosedDoctype : .doctypeName(name), at: start)
        }
        guard skipExternalID() else { throw damagedDoctype(at: start) }
        skipSpace()
        if byte == UInt8(ascii: "[") { throw PlistFault(.doctypeSubset, at: offset) }
        guard skip(">") else { throw damagedDoctype(at: start) }
    }

    private func damagedDoctype(at start: Int) -> PlistFault {
        PlistFault(isAtEnd ? .unclosedDoctype : .doctype, at: start)
    }

    // XML 1.0, 4.2.2: ExternalID, which may be left out.
    private mutating func skipExternalID() -> Bool {
        let isApart = skipRequiredSpace()
        if skip("PUBLIC") {
            guard isApart, skipRequiredSpace(), let id = literal(), isPublicID(id) else { return false }
        } else if !skip("SYSTEM") {
            return true
        }
        return isApart && skipRequiredSpace() && literal() != nil
    }

    // XML 1.0, 2.3: PubidChar.
    private func isPublicID(_ range: Range<Int>) -> Bool {
        bytes[range].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x0A, 0x0D: true
            default: Self.otherPublicIDBytes.contains(byte)
            }
        }
    }

    private static let otherPublicIDBytes = Array(" 0123456789-'()+,./:=?;!*#@$_%".utf8)
}
