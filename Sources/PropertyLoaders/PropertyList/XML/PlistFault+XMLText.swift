extension PlistFault {
    private static let elements =
        "`<dict>`, `<array>`, `<string>`, `<integer>`, `<real>`, `<true/>`, `<false/>`, `<date>` or `<data>`"

    var xmlWords: Words {
        switch problem {
        case .unclosedTag: Words("the tag that starts here has no end", expected: "`>`")
        case .unclosedComment: Words("the comment that starts here has no end", expected: "`-->`")
        case .unclosedInstruction: Words("the instruction that starts here has no end", expected: "`?>`")
        case .unclosedDoctype: Words("the `<!DOCTYPE` that starts here has no end", expected: "`>`")
        case .unclosedCDATA: Words("the `<![CDATA[` that starts here has no end", expected: "`]]>`")
        case .xmlDeclaration:
            Words(
                "the `<?xml` declaration is damaged", expected: "`<?xml version=\"1.0\" encoding=\"UTF-8\"?>`")
        case .lateXMLDeclaration:
            Words(
                "there is a second `<?xml` declaration", expected: "one, at the start of the file", "Remove it")
        case .doctype:
            Words(
                "the `<!DOCTYPE` is damaged",
                expected: "`<!DOCTYPE plist PUBLIC \"…\" \"…\">` or `<!DOCTYPE plist>`")
        case .doctypeName(let name):
            Words("the document type is \(quoted(name))", expected: "`plist`", "Check that this is the right file")
        case .doctypeSubset:
            Words(
                "the document type has declarations of its own", expected: "`>`",
                "Remove all between `[` and `]`, and write the entities' text in their places")
        case .declaration: Words("this `<!` is no comment", expected: "an element", "Remove it, or write `<!-- … -->`")
        case .malformedTag:
            Words("this is no tag", expected: "`<name>`, `</name>` or `<name/>`", "Write a `<` that is text as `&lt;`")
        case .attribute(let name):
            Words("there is an attribute \(quoted(name))", expected: "none but the `version` of `<plist>`", "Remove it")
        case .noPlistElement(let name):
            Words(
                "the document begins with \(quoted("<\(name)>"))", expected: "`<plist>`",
                PlistElement(named: name) != nil
                    ? "Put the value into `<plist version=\"1.0\">`" : "Check that this is the right file")
        case .noElements: Words("the document ends before its first element", expected: "`<plist>`")
        case .noValue: Words("the `<plist>` is empty", expected: "a value in it, such as `<dict/>`")
        case .secondValue:
            Words(
                "there is a second value in `<plist>`", expected: "`</plist>`",
                "Put both into one `<dict>` or `<array>`")
        case .textAfterDocument: Words("there is more behind `</plist>`", expected: "the end of the file", "Remove it")
        default: elementWords
        }
    }

    private var elementWords: Words {
        switch problem {
        case .unknownElement(let name):
            Words(
                "there is no element \(quoted("<\(name)>")) in property lists", expected: Self.elements,
                "Names are case-sensitive")
        case .plistInside: Words("a `<plist>` stands inside", expected: Self.elements, "Remove its two tags")
        case .keyInArray:
            Words("a `<key>` stands where a value must", expected: Self.elements, "Keys belong in `<dict>`")
        case .keyMissing(let name):
            Words(
                "\(quoted("<\(name)>")) has no key", expected: "`<key>` or `</dict>`",
                "Write its `<key>` in front of it")
        case .valueMissing(let key):
            Words(
                "the key \(quoted(key)) has no value", expected: "a value behind `</key>`",
                "Write one, or remove the key")
        case .unclosedElement(let name): Words("the document ends inside `<\(name)>`", expected: "`</\(name)>`")
        case .wrongEndTag(let found, let open):
            Words("\(quoted("</\(found)>")) does not close `<\(open)>`", expected: "`</\(open)>`")
        case .emptyElement(let name):
            Words("`<\(name)>` has no text", expected: "text in it", "Write the value, or remove it with its key")
        case .contentInEmpty(let name): Words("`<\(name)>` has content", expected: "`<\(name)/>`", "Remove the content")
        case .elementInText(let name, let outer):
            Words(
                "\(quoted("<\(name)>")) stands in the text of `<\(outer)>`", expected: "`</\(outer)>`",
                "Close the element first, or write a `<` that is text as `&lt;`")
        case .commentInText(let name):
            Words(
                "there is a comment in the text of `<\(name)>`", expected: "`</\(name)>`",
                "Write it in front of the element")
        case .textBetween(let name):
            Words(
                "there is text between the elements of `<\(name)>`", expected: "an element",
                "Put it into `<string>`, or remove it")
        default: textWords
        }
    }

    private var textWords: Words {
        switch problem {
        case .control(let byte):
            Words(
                "there is the control character U+\(hexadecimal(byte))", expected: "text",
                "Remove it: XML has no way to write it")
        case .badReference:
            Words(
                "this `&` begins no reference", expected: "`&name;` or `&#number;`",
                "Write a `&` that is text as `&amp;`")
        case .unknownEntity(let name):
            Words(
                "there is no entity \(quoted("&\(name);"))", expected: "`&amp;`, `&lt;`, `&gt;`, `&quot;` or `&apos;`",
                "Write its text, or its number as `&#…;`")
        case .notACharacter(let text):
            Words("\(quoted(text)) is no character of XML", expected: "the number of a character")
        case .badInteger(let text):
            Words(
                "\(quoted(text)) is no integer",
                expected: "digits, or `0x` and hexadecimal ones, with nothing behind them")
        case .integerRange(let text):
            Words(
                "\(quoted(text)) is out of range", expected: "an integer from -2^63 to 2^64 - 1",
                "Write it as a `<string>`")
        case .badReal(let text):
            Words("\(quoted(text)) is no number", expected: "a number such as `-1.5e3`, with nothing behind it")
        case .realRange(let text):
            Words(
                "\(quoted(text)) is out of range", expected: "a number that 64 bits hold",
                "Write `inf` where infinity is meant")
        case .badDate(let text): Words("\(quoted(text)) is no date", expected: "a date such as `2026-11-21T06:30:00Z`")
        case .noSuchDate(let text):
            Words(
                "\(quoted(text)) does not exist", expected: "a day of the calendar and a time from 00:00:00 to 23:59:59"
            )
        case .base64Character(let text):
            Words("\(quoted(text)) is no character of base64", expected: "`A`-`Z`, `a`-`z`, `0`-`9`, `+`, `/` or `=`")
        case .base64Length:
            Words("the base64 text is not whole", expected: "groups of four characters, the last filled up with `=`")
        default: Words("this is no property list")
        }
    }

    private func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
