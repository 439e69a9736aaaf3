/// A strict reader of XML property lists. `PlistPropertyLoader` reads what Foundation reads, which is more.
struct XMLPlistModel {
    private var cursor: ModelCursor

    private static let space = " \t\n\r"
    private static let digits = "0123456789"

    /// Returns the value of a document. Throws `Invalid` if the document is invalid.
    static func value(_ bytes: [UInt8]) throws -> ModelValue {
        var model = XMLPlistModel(cursor: ModelCursor(try modelText(bytes)))
        try model.declaration()
        try model.misc()
        try model.doctype()
        try model.misc()
        let plist = try model.tag()
        guard plist.name == "plist", plist.form == .start else { throw Invalid() }
        try model.misc()
        let value = try model.value(try model.tag(), depth: 0)
        try model.misc()
        try model.end(of: "plist")
        try model.misc()
        guard model.cursor.isAtEnd else { throw Invalid() }
        return value
    }

    private mutating func skip(behind text: String) throws {
        while !cursor.skip(text) { _ = try cursor.next() }
    }

    private mutating func name() -> String {
        let start = cursor.place
        let ascii = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-:.$"
        while let byte = cursor.byte, byte >= 0x80 || ascii.utf8.contains(byte) { cursor.place += 1 }
        return String(decoding: cursor.bytes[start..<cursor.place], as: UTF8.self)
    }

    /// Reads text in quotes.
    private mutating func literal() throws -> String {
        let quote = cursor.isAt("'") ? "'" : "\""
        try cursor.expect(quote)
        let start = cursor.place
        try skip(behind: quote)
        return String(decoding: cursor.bytes[start..<cursor.place - 1], as: UTF8.self)
    }

    @discardableResult
    private mutating func spaces() -> Bool { !cursor.take(Self.space).isEmpty }
}

// MARK: - The prolog

extension XMLPlistModel {
    private mutating func declaration() throws {
        spaces()
        let start = cursor.place
        guard cursor.skip("<?"), name() == "xml" else {
            cursor.place = start
            return
        }
        guard let version = try attribute("version"), version.hasPrefix("1."), version.utf8.count > 2,
            version.utf8.dropFirst(2).allSatisfy({ Self.digits.utf8.contains($0) })
        else { throw Invalid() }
        if let encoding = try attribute("encoding") {
            guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(encoding.lowercased()) else { throw Invalid() }
        }
        if let standalone = try attribute("standalone") {
            guard ["yes", "no"].contains(standalone.lowercased()) else { throw Invalid() }
        }
        spaces()
        try cursor.expect("?>")
    }

    private mutating func attribute(_ name: String) throws -> String? {
        let start = cursor.place
        guard spaces(), cursor.skip(name) else {
            cursor.place = start
            return nil
        }
        spaces()
        try cursor.expect("=")
        spaces()
        return try literal()
    }

    /// Advances over white space, comments and instructions.
    private mutating func misc() throws {
        while true {
            if spaces() { continue }
            if cursor.skip("<!--") {
                try skip(behind: "-->")
            } else if cursor.skip("<?") {
                let target = name()
                if target.isEmpty || target.lowercased() == "xml" { throw Invalid() }
                try skip(behind: "?>")
            } else {
                return
            }
        }
    }

    private mutating func doctype() throws {
        guard cursor.skip("<!DOCTYPE") else { return }
        guard spaces(), name() == "plist" else { throw Invalid() }
        let isApart = spaces()
        let isPublic = cursor.skip("PUBLIC")
        if isPublic || cursor.skip("SYSTEM") {
            guard isApart else { throw Invalid() }
            if isPublic {
                let allowed =
                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 \n\r-'()+,./:=?;!*#@$_%"
                guard spaces(), try literal().utf8.allSatisfy({ allowed.utf8.contains($0) }) else { throw Invalid() }
            }
            guard spaces() else { throw Invalid() }
            _ = try literal()
        }
        spaces()
        try cursor.expect(">")
    }
}

// MARK: - Elements

extension XMLPlistModel {
    private struct Tag {
        enum Form { case start, end, empty }
        let name: String
        let form: Form
    }

    private mutating func tag() throws -> Tag {
        try cursor.expect("<")
        let isEnd = cursor.skip("/")
        let name = name()
        if name.isEmpty { throw Invalid() }
        spaces()
        while !isEnd, !cursor.isAt(">"), !cursor.isAt("/") {
            guard name == "plist", self.name() == "version" else { throw Invalid() }
            spaces()
            try cursor.expect("=")
            spaces()
            if try literal().utf8.contains(UInt8(ascii: "<")) { throw Invalid() }
            spaces()
        }
        let isEmpty = !isEnd && cursor.skip("/")
        try cursor.expect(">")
        return Tag(name: name, form: isEnd ? .end : isEmpty ? .empty : .start)
    }

    private mutating func end(of name: String) throws {
        let tag = try tag()
        guard tag.name == name, tag.form == .end else { throw Invalid() }
    }

    private mutating func value(_ tag: Tag, depth: Int) throws -> ModelValue {
        guard tag.form != .end, depth < 200 else { throw Invalid() }
        switch tag.name {
        case "dict": return try dictionary(tag, depth: depth + 1)
        case "array": return try array(tag, depth: depth + 1)
        case "string": return .string(try text(tag))
        case "true", "false":
            if tag.form == .start { try end(of: tag.name) }
            return .bool(tag.name == "true")
        case "integer": return try Self.integer(plain(tag))
        case "real": return try Self.real(plain(tag))
        case "date":
            let text = try plain(tag)
            guard text.utf8.count == 20, text.hasSuffix("Z"), !text.hasSuffix(":60Z"),
                DateModel.canonical(text) == text
            else { throw Invalid() }
            return .date(text)
        case "data":
            let text = try plain(tag, mayBeEmpty: true)
            let characters = text.utf8.filter { !Self.space.utf8.contains($0) }
            return .data(try Base64Model.bytes(String(decoding: characters, as: UTF8.self)))
        default: throw Invalid()
        }
    }

    private mutating func dictionary(_ open: Tag, depth: Int) throws -> ModelValue {
        var members: [[UInt8]: ModelValue] = [:]
        guard open.form == .start else { return .table(members) }
        while true {
            try misc()
            let tag = try tag()
            if tag.name == "dict", tag.form == .end { return .table(members) }
            guard tag.name == "key", tag.form != .end else { throw Invalid() }
            let key = try text(tag)
            try misc()
            members[key] = try value(try self.tag(), depth: depth)
        }
    }

    private mutating func array(_ open: Tag, depth: Int) throws -> ModelValue {
        var values: [ModelValue] = []
        guard open.form == .start else { return .array(values) }
        while true {
            try misc()
            let tag = try tag()
            if tag.name == "array", tag.form == .end { return .array(values) }
            values.append(try value(tag, depth: depth))
        }
    }
}

// MARK: - Text

extension XMLPlistModel {
    /// Reads the text of an element that is a number, a date or data.
    private mutating func plain(_ tag: Tag, mayBeEmpty: Bool = false) throws -> String {
        guard tag.form == .start else { throw Invalid() }
        let start = cursor.place
        while !cursor.isAt("<") { _ = try cursor.next() }
        let bytes = cursor.bytes[start..<cursor.place]
        try end(of: tag.name)
        if !mayBeEmpty, bytes.allSatisfy({ Self.space.utf8.contains($0) }) { throw Invalid() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func text(_ tag: Tag) throws -> [UInt8] {
        var text: [UInt8] = []
        guard tag.form == .start else { return text }
        while true {
            if cursor.skip("<![CDATA[") {
                while !cursor.skip("]]>") { text += try character() }
            } else if cursor.isAt("<") {
                try end(of: tag.name)
                return text
            } else if cursor.skip("&") {
                text += try reference()
            } else {
                text += try character()
            }
        }
    }

    // XML 1.0, 2.11: a carriage return, alone or before a line feed, is a line feed.
    private mutating func character() throws -> [UInt8] {
        let byte = try cursor.next()
        if byte == 0x0D { return cursor.isAt("\n") ? [] : [0x0A] }
        if byte < 0x20, byte != 9, byte != 0x0A { throw Invalid() }
        return [byte]
    }

    private mutating func reference() throws -> [UInt8] {
        let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        if cursor.skip("#") {
            let radix = cursor.skip("x") ? 16 : 10
            let digits = String(decoding: cursor.take(Self.digits + "abcdefABCDEF"), as: UTF8.self)
            try cursor.expect(";")
            guard let number = UInt32(digits, radix: radix), let scalar = Unicode.Scalar(number) else {
                throw Invalid()
            }
            let isCharacter = number >= 0x20 && number != 0xFFFE && number != 0xFFFF
            guard isCharacter || [9, 10, 13].contains(number) else { throw Invalid() }
            return Array(String(scalar).utf8)
        }
        guard let text = entities[name()] else { throw Invalid() }
        try cursor.expect(";")
        return Array(text.utf8)
    }

    private static func integer(_ text: String) throws -> ModelValue {
        var cursor = ModelCursor(Array(text.utf8))
        _ = cursor.take(space)
        let sign = cursor.skip("-") ? "-" : ""
        if sign.isEmpty { _ = cursor.skip("+") }
        let isHexadecimal = cursor.skip("0x") || cursor.skip("0X")
        let number = cursor.take(digits + (isHexadecimal ? "abcdefABCDEF" : ""))
        let text = sign + String(decoding: number, as: UTF8.self)
        guard cursor.isAtEnd, !number.isEmpty, let integer = Int128(text, radix: isHexadecimal ? 16 : 10),
            integer >= Int64.min, integer <= UInt64.max
        else { throw Invalid() }
        return .integer("\(integer)")
    }

    private static func real(_ text: String) throws -> ModelValue {
        var cursor = ModelCursor(Array(text.utf8))
        _ = cursor.take(space)
        let number = String(decoding: cursor.bytes[cursor.place...], as: UTF8.self)
        switch number.lowercased() {
        case "inf", "+inf", "infinity", "+infinity": return .real(.infinity)
        case "-inf", "-infinity": return .real(-.infinity)
        case "nan": return .real(.nan)
        default:
            let isPlain = number.utf8.allSatisfy { (digits + "+-.eE").utf8.contains($0) }
            guard isPlain, let double = Double(number), double.isFinite else { throw Invalid() }
            return .real(double)
        }
    }
}
