import Foundation
import PropertyLoaders
import TestSupport
import Testing

@Suite("PlistDocument: messages for invalid XML property lists")
struct XMLErrorTests {
    /// Returns a property list whose only value is at line 3, column 19.
    private static func inDictionary(_ xml: String) -> String {
        plist("<dict><key>a</key>\(xml)</dict>")
    }

    /// Property lists that Foundation refuses, and what it says.
    static let invalid: [(text: String, place: String, reason: String)] = [
        ("<deadbeef>", "1:11", "The data is not in the correct format."),
        ("<!-- no end", "1:1", "Unterminated comment started on line 1"),
        (
            "<!DOCTYPE plist [\n<!ENTITY a \"b\">]>\n<plist/>", "1:1",
            "Encountered unexpected character [ on line 1 while parsing DTD"
        ),
        ("<plist/>", "1:9", "Encountered empty plist tag"), ("<plist></plist>", "1:16", "Encountered empty plist tag"),
        (
            "<plist>\n<true/><false/></plist>", "2:1",
            "Encountered unexpected element at line 2 (plist can only include one object)"
        ),
        (
            plist("<dict>\n  <key>a</key>\n  <strin>x</strin>\n</dict>"), "5:3",
            "Encountered unknown tag strin on line 5"
        ),
        (plist("<dict>\n\t<key>a</key>\n\t<key>b</key><true/></dict>"), "5:2", "Found non-key inside <dict> at line 5"),
        (plist("<array><dict></array></dict>"), "3:1", "Close tag on line 3 does not match open tag dict"),
        (inDictionary("<string>a & b</string>"), "3:1", "Encountered unknown ampersand-escape sequence at line 3"),
        (inDictionary("<string><![CDATA[x</string>"), "3:1", "Could not find end of CDATA started on line 3"),
        (inDictionary("<integer>12x</integer>"), "3:1", "Unknown character 'x' (0x78) in <integer> on line 3"),
        (inDictionary("<integer>18446744073709551616</integer>"), "3:1", "Integer overflow in <integer> on line 3"),
        (inDictionary("<real>1,5</real>"), "3:1", "Encountered misformatted real on line 3"),
        (inDictionary("\r\n<date>2024-13-45</date>"), "4:1", "Could not interpret <date> at line 4"),
        (inDictionary("<data/>"), "3:1", "Encountered empty <data> on line 3"),
    ]

    @Test("A property list that Foundation would misread is an error")
    func refused() throws {
        let refused = try RecordedMessages.compare("plist") { text in message(text) }
        #expect(refused == (35, []))
        let many = "<plist>" + String(repeating: "<plist>", count: 100_000)
        #expect(message(many) == "app.plist:1:8: there is a `<plist>` in an element. Remove its two tags.")
    }

    // These are the reasons of Swift 6.3 on Linux. Other versions may use other words, but all name the line.
    @Test("An error of Foundation has its words and the place where its line begins", arguments: invalid.indices)
    func invalidText(index: Int) {
        let row = Self.invalid[index]
        let text = message(row.text)
        #expect(
            text?.hasPrefix("app.plist:\(row.place): this is not a valid property list: \"") == true, "\(text ?? "")")
        #expect(text?.contains(row.reason) == true, "\(text ?? "")")
        #expect(text?.contains("\n") == false)
    }
}
