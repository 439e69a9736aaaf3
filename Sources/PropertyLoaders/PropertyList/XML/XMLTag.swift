/// A tag of an XML property list.
struct XMLTag {
    enum Form {
        case start
        case end
        /// `<name/>`.
        case empty
    }

    let form: Form
    let name: String
    /// The element that the name stands for; nil for a name that property lists do not have.
    let element: PlistElement?
    /// Where its `<` stands.
    let offset: Int
}

extension XMLCursor {
    /// Reads the tag here, whose `<` is sure.
    mutating func tag() throws(PlistFault) -> XMLTag {
        let start = offset
        offset += 1
        let isEnd = skip("/")
        let name = name()
        guard !name.isEmpty else { throw PlistFault(isAtEnd ? .unclosedTag : .malformedTag, at: start) }
        let element = PlistElement(named: name)
        skipSpace()
        // The version of the plist element is the one attribute that the format has.
        while !isEnd, !isAtEnd, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
            try attribute(of: element, tag: start)
            skipSpace()
        }
        let isEmpty = !isEnd && skip("/")
        guard skip(">") else { throw PlistFault(isAtEnd ? .unclosedTag : .malformedTag, at: start) }
        return XMLTag(form: isEnd ? .end : isEmpty ? .empty : .start, name: name, element: element, offset: start)
    }

    private mutating func attribute(of element: PlistElement?, tag: Int) throws(PlistFault) {
        let start = offset
        let attribute = name()
        guard !attribute.isEmpty else { throw PlistFault(.malformedTag, at: tag) }
        guard element == .plist, attribute.utf8.elementsEqual("version".utf8) else {
            throw PlistFault(.attribute(attribute), at: start)
        }
        skipSpace()
        let isValue = skip("=")
        skipSpace()
        // XML 1.0, 3.1: no `<` in a value.
        guard isValue, let value = literal(), !bytes[value].contains(UInt8(ascii: "<")) else {
            throw PlistFault(isAtEnd ? .unclosedTag : .malformedTag, at: tag)
        }
    }
}
