import Foundation
import PropertyLoaders
import TestSupport
import Testing

@Suite("The limits of property lists: a hostile one does not crash, hang, or use up memory")
struct PlistLimitsTests {
    private static let values: [String: any Sendable] = [
        "int": 70000, "big": UInt64.max, "bool": true, "real": 1.5, "text": "é😀", "ascii": "a",
        "data": Data([1, 2, 3]),
        "list": [1, "a", ["k": [Int]()]] as [any Sendable],
        "date": Date(timeIntervalSinceReferenceDate: 0.5),
    ]

    private static func bytes(_ format: PropertyListSerialization.PropertyListFormat) throws -> [UInt8] {
        [UInt8](try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0))
    }

    private static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><!-- c --><key>a&amp;b</key><array><integer>-7</integer><real>1.5e3</real><true/></array>
        <key>é</key><string>x &lt; <![CDATA[ & ]]></string><key>d</key><data>AQID</data>
        <key>t</key><date>2024-02-29T03:04:05Z</date><key>n</key><dict><key>o</key><false></false></dict></dict></plist>
        """

    @Test("No proper prefix of a property list is valid, up to the `>` of `</plist>`")
    func prefixes() throws {
        for bytes in [Array(Self.xml.utf8), try Self.bytes(.binary)] {
            #expect(message(bytes) == nil)
            let accepted = (0..<bytes.count).filter { message(bytes.prefix($0)) == nil }
            #expect(accepted.isEmpty)
        }
    }

    @Test("Shared arrays that expand to too many values are an error")
    func sharedReferences() {
        // There are thirty arrays, and each has two references to the next one: 150 bytes expand to 2^30 values.
        var objects: [[UInt8]] = [[0xD1, 1, 2], BinaryPlist.ascii("a")]
        for level in 2..<32 { objects.append([0xA2, UInt8(level + 1), UInt8(level + 1)]) }
        objects.append([0x09])
        let bytes = BinaryPlist(objects).bytes
        #expect(
            message(bytes) == """
                app.plist: there are more than \(10_000 + bytes.count) values at byte 103. Check that this is the right \
                file, or convert it to XML.
                """)
    }

    @Test("A string that is used a thousand times is counted a thousand times by the limit of bytes")
    func sharedStrings() throws {
        let string = [0x5F, 0x11, 0x27, 0x10] + [UInt8](repeating: 0x61, count: 10_000)
        let array = [0xAF, 0x11, 0x03, 0xE8] + [UInt8](repeating: 3, count: 1000)
        let plist = BinaryPlist([[0xD1, 1, 2], BinaryPlist.ascii("a"), array, string])
        #expect(message(plist.bytes) == nil)
        let text = message(plist.bytes, limits: SyntaxLimits(bytes: 100_000))
        #expect(text?.hasPrefix("app.plist: the strings and data have more than 100000 bytes at byte ") == true)
    }

    @Test("An array that contains itself, directly or not, is an error")
    func cycles() {
        let direct = BinaryPlist([[0xA1, 0]])
        let indirect = BinaryPlist(value: [0xA1, 3], [0xA1, 2])
        for plist in [direct, indirect] {
            #expect(message(plist.bytes)?.contains("more than 128 arrays and dictionaries") == true)
        }
    }

    private func nested(_ depth: Int) -> String {
        // The dictionary at the top is the first level.
        let arrays = String(repeating: "<array>", count: depth - 1) + String(repeating: "</array>", count: depth - 1)
        return plist("<dict><key>a</key>\(arrays)</dict>")
    }

    private func nestedBinary(_ depth: Int) -> [UInt8] {
        var objects: [[UInt8]] = [[0xD1, 0, 1, 0, 2], BinaryPlist.ascii("a")]
        for level in 2..<depth + 1 {
            let next = UInt16(level + 1)
            objects.append([0xA1, UInt8(next >> 8), UInt8(truncatingIfNeeded: next)])
        }
        objects.append([0x09])
        var plist = BinaryPlist(objects)
        plist.referenceSize = 2
        return plist.bytes
    }

    @Test("Arrays and dictionaries may be nested up to the depth limit, and one level more is an error")
    func depth() {
        #expect(message(nested(128)) == nil)
        #expect(
            message(nested(129)) == """
                app.plist:3:908: more than 128 arrays and dictionaries are nested. Check that this is the right file, or \
                let the program accept a deeper one.
                """)
        #expect(message(nestedBinary(128)) == nil)
        #expect(message(nestedBinary(129))?.contains("more than 128 arrays and dictionaries") == true)
        #expect(message(nested(9), limits: SyntaxLimits(depth: 8)) != nil)
        #expect(message(nested(100_000))?.contains("more than 128") == true)
    }

    @Test("A stack of 512 KiB is enough to read and free 128 levels in any build")
    func stack() async {
        #expect(message(nested(257), limits: SyntaxLimits(depth: 512))?.contains("more than 256 arrays") == true)
        let documents = [Array(nested(128).utf8), nestedBinary(128)]
        let results = await onSmallStack { documents.map { message($0) } }
        #expect(results == [nil, nil])
    }

    @Test("More bytes than the limit are an error")
    func bytes() {
        let text = plist("<dict/>"), size = text.utf8.count
        #expect(message(text, limits: SyntaxLimits(bytes: size)) == nil)
        #expect(
            message(text, limits: SyntaxLimits(bytes: size - 1)) == """
                app.plist: \(size) bytes are more than the limit of \(size - 1). Check that this is the right file, or let \
                the program accept a larger one.
                """)
    }

    @Test("UTF-16 and invalid UTF-8 are errors")
    func encodings() throws {
        let text = plist("<dict/>")
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
            let bytes = try #require(text.data(using: encoding))
            #expect(message(bytes) == "app.plist:1:1: the text is in UTF-16; expected UTF-8. Save the file as UTF-8.")
        }
        let latin = Array("<plist>\n<string>".utf8) + [0xE9] + Array("</string></plist>".utf8)
        #expect(
            message(latin)
                == "app.plist:2:9: the byte 0xE9 is not valid UTF-8; expected text in UTF-8. Save the file as UTF-8.")
    }

    @Test("A signed file, such as a configuration profile, is an error that says how to open it")
    func signed() {
        let identifier: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
        let body = Array(plist("<dict/>").utf8)
        for (start, form) in [
            ([0x30, 0x82, 0x0B, 0x9E] + identifier + [0x02], "DER"), ([0x30, 0x80] + identifier + [0x03], "DER"),
            (Array("-----BEGIN PKCS7-----\nMIIC".utf8), "PEM"), (Array("-----BEGIN CMS-----\nMIIC".utf8), "PEM"),
            (Array("MIME-Version: 1.0\n".utf8), "SMIME"),
        ] {
            #expect(
                message(start + body)
                    == "app.plist: this is a signed or encrypted file; expected XML or a binary property "
                    + "list. Extract the property list of a signed one: openssl cms -verify -noverify -inform \(form) -in FILE."
            )
        }
        #expect(message([0x30, 0x82, 0xFF])?.hasSuffix("Save the file as UTF-8.") == true)
        #expect(message(Array("hello".utf8))?.contains("this is not a property list") == true)
    }

    private static func colliding(_ count: Int) -> [String] {
        // CFString hashes only the first, the middle and the last 32 characters of a long string. The keys differ
        // elsewhere.
        let pad = String(repeating: "k", count: 40)
        return (0..<count).map { "\(pad)\(String(100_000 + $0))\(pad)\(pad)\(pad)" }
    }

    private static func binary(_ keys: [String]) -> [UInt8] {
        var dictionary: [UInt8] = [0xDF, 0x12]
        for shift in [24, 16, 8, 0] { dictionary.append(UInt8(truncatingIfNeeded: keys.count >> shift)) }
        for index in 1...keys.count { dictionary += [UInt8(index >> 8), UInt8(truncatingIfNeeded: index)] }
        let value = keys.count + 1
        for _ in keys { dictionary += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }
        let strings = keys.map { [0x5F, 0x10, UInt8($0.utf8.count)] + Array($0.utf8) }
        var binary = BinaryPlist([dictionary] + strings + [[0x09]])
        (binary.offsetSize, binary.referenceSize) = (4, 2)
        return binary.bytes
    }

    private static func xml(_ keys: [String]) -> String {
        "<dict>\(keys.map { "<key>\($0)</key><true/>" }.joined())</dict>"
    }

    @Test("Keys whose hashes in Foundation collide are loaded, and more than 5,000 are an error")
    func collidingKeys() throws {
        let keys = Self.colliding(5001), fewer = Array(keys.prefix(500))
        #expect(try PlistPropertyLoader(bytes: Self.binary(fewer), name: "b").load().table.map(\.key) == fewer)
        #expect(try PlistPropertyLoader(string: plist(Self.xml(fewer)), name: "x").load().table.map(\.key) == fewer)
        #expect(message(Self.binary(keys))?.contains("a dictionary has more than 5000 entries") == true)
        #expect(
            message(plist(Self.xml(keys))) == """
                app.plist:3:\(5000 * 184 + 7): a dictionary has more than 5000 entries, or the file has too many as large as \
                this one. Check that this is the right file, or let the program accept more.
                """)
    }

    @Test("A dictionary may have as many entries as the limit, and all squares may add up to twice its square")
    func entries() {
        func binary(_ dictionary: [UInt8]) -> [UInt8] {
            BinaryPlist([dictionary] + ["a", "b", "c"].map(BinaryPlist.ascii) + [[0x09], [0xD2, 1, 2, 4, 4]]).bytes
        }
        let two = Self.xml(["a", "b"]), one = Self.xml(["a"])
        let allowed = [
            Array(plist(two).utf8), Array(plist("<dict><key>x</key><array>\(two)\(one)</array></dict>").utf8),
            binary([0xD2, 1, 2, 4, 5]),
        ]
        let refused = [
            Array(plist(Self.xml(["a", "b", "c"])).utf8), binary([0xD3, 1, 2, 3, 4, 4, 4]),
            Array(plist("<dict><key>x</key><array>\(two)\(two)</array></dict>").utf8), binary([0xD2, 1, 2, 5, 5]),
        ]
        #expect(allowed.map { message($0, entries: 2) } == [nil, nil, nil])
        for bytes in refused { #expect(message(bytes, entries: 2)?.contains("more than 2 entries, or") == true) }
    }

    @Test("A key may have up to 1,024 bytes")
    func keyBytes() {
        let key = String(repeating: "é", count: 512)
        #expect(message(plist(Self.xml([key]))) == nil)
        #expect(
            message(plist(Self.xml([key + "k"]))) == """
                app.plist:3:7: a key has more than 1024 bytes. Check that this is the right file, or use shorter keys.
                """)
        let long = [0x5F, 0x11, 0x04, 0x01] + [UInt8](repeating: 0x61, count: 1025)
        let binary = BinaryPlist([[0xD1, 1, 2], long, [0x09]])
        #expect(message(binary.bytes)?.contains("a key has more than 1024 bytes at byte 11.") == true)
    }

    @Test("A long run of combining characters in a name or a text takes linear time")
    func combiningCharacters() throws {
        // Comparing strings with such a run takes quadratic time, because Swift and Foundation order the characters. It
        // would be minutes.
        let marks = String(repeating: "\u{0301}\u{0323}", count: 50_000)
        #expect(message(plist("<dict><key>a\(marks)</key><true/></dict>"))?.contains("a key has more") == true)
        #expect(message(plist("<dict><key>a</key><string>\(marks)</string></dict>")) == nil)
        #expect(message(plist("<a\(marks)></a\(marks)>"))?.contains("this is not a valid") == true)
        #expect(message(plist("<dict></dict\(marks)>"))?.contains("this is not a valid") == true)
        #expect(message("<plist version\(marks)='1'><dict/></plist>") == nil)
        #expect(message(plist("<dict a\(marks)='1'/>"))?.contains("there is an attribute") == true)
        #expect(message("<?xml version='1.0' encoding='UTF-8\(marks)'?><plist/>")?.contains("encoding is") == true)
        #expect(message(plist("<string>&lt\(marks);</string>"))?.contains("ampersand-escape") == true)
        #expect(message(plist("<real>1\(marks)</real>"))?.contains("misformatted real") == true)
        #expect(message(plist("<date>\(marks)</date>"))?.contains("Could not interpret <date>") == true)
    }
}
