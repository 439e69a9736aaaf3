import Foundation
import PropertyLoaders
import Testing

@Suite("PlistDocument: messages for invalid XML property lists")
struct XMLErrorTests {
    /// Returns a property list whose only value is at line 3, column 19.
    private static func inDictionary(_ xml: String) -> String {
        plist("<dict><key>a</key>\(xml)</dict>")
    }

    /// Property lists that are refused, although Foundation reads them.
    static let refused: [(text: String, message: String)] = [
        ("", notAPropertyList("app.plist")), (" \n", notAPropertyList("app.plist")),
        ("hello", notAPropertyList("app.plist:1:1")), ("{ a = 1; }", notAPropertyList("app.plist:1:1")),
        ("{\"a\": 1}", notAPropertyList("app.plist:1:1")), ("\n (a, b)", notAPropertyList("app.plist:2:2")),
        ("<plist><dict/></plist>\n<plist/>", "app.plist:2:1: there is more text after `</plist>`. Remove it."),
        ("<plist><dict/></plist>x", "app.plist:1:23: there is more text after `</plist>`. Remove it."),
        (
            plist("<array><key>a</key></array>"),
            "app.plist:3:8: there is a `<key>` where a value must be; expected a value"
        ),
        (
            plist("<dict><key>a</key><key>b</key></dict>"),
            "app.plist:3:19: there is a `<key>` where a value must be; expected a value"
        ),
        (
            inDictionary("<plist><true/></plist>"),
            "app.plist:3:19: there is a `<plist>` in an element. Remove its two tags."
        ),
        (
            "<plist>" + String(repeating: "<plist>", count: 100_000),
            "app.plist:1:8: there is a `<plist>` in an element. Remove its two tags."
        ),
        (inDictionary("<string lang=\"en\">x</string>"), "app.plist:3:27: there is an attribute `lang`. Remove it."),
        (inDictionary("<true id='>'/>"), "app.plist:3:25: there is an attribute `id`. Remove it."),
        (
            inDictionary("<string>a&#0;</string>"),
            "app.plist:3:19: Foundation misreads `a&#0;`; expected a text without U+0000, or other keys than `CF$UID`"
        ),
        (
            inDictionary("<string>&#;</string>"),
            "app.plist:3:19: Foundation misreads `&#;`; expected a text without U+0000, or other keys than `CF$UID`"
        ),
        (
            inDictionary("<dict><key>CF$UID</key><integer>1</integer></dict>"),
            "app.plist:3:19: Foundation misreads `<key>CF$UID</key><integer>1</integer>`; expected a text without "
                + "U+0000, or other keys than `CF$UID`"
        ),
        (plist("<dict>\n<key>a&#0;</key><true/></dict>"), misreadKey),
        (plist("<dict><key>&#x;</key><true/></dict>"), misreadKey),
        (plist("<dict><key>\u{FEFF}a</key><true/></dict>"), misreadKey),
        (plist("<dict><key>\u{E9}</key><true/><key>e\u{301}</key><true/></dict>"), misreadKey),
        (
            inDictionary("<real>1e999</real>"),
            "app.plist:3:19: `1e999` is out of range; expected a number that 64 bits hold"
        ),
        (
            inDictionary("<real>-1e999</real>"),
            "app.plist:3:19: `-1e999` is out of range; expected a number that 64 bits hold"
        ),
        (inDictionary("<date>2024-02-30T00:00:00Z</date>"), noDate("2024-02-30T00:00:00Z")),
        (inDictionary("<date>2024-13-01T00:00:00Z</date>"), noDate("2024-13-01T00:00:00Z")),
        (inDictionary("<date>2024-01-01T24:00:00Z</date>"), noDate("2024-01-01T24:00:00Z")),
        (inDictionary("<date>2024-01-01T00:00:60Z</date>"), noDate("2024-01-01T00:00:60Z")),
        (inDictionary("<date>24-01-01T00:00:00Z</date>"), noDate("24-01-01T00:00:00Z")),
        (inDictionary("<date>-0001-01-01T00:00:00Z</date>"), noDate("-0001-01-01T00:00:00Z")),
        (inDictionary("<date>12024-01-01T00:00:00Z</date>"), noDate("12024-01-01T00:00:00Z")),
        (inDictionary("<data>!!!</data>"), noBase64), (inDictionary("<data>AQI</data>"), noBase64),
        (inDictionary("<data>AQ==AQ==</data>"), noBase64), (inDictionary("<data>A=======</data>"), noBase64),
        (inDictionary("<data>AR==</data>"), noBase64), (inDictionary("<data>AQ&amp;ID</data>"), noBase64),
    ]

    /// Property lists that Foundation refuses, and what it says.
    static let invalid: [(text: String, place: String, reason: String)] = [
        ("<deadbeef>", "1:11", "The data is not in the correct format."),
        ("<html></html>", "1:1", "Encountered unknown tag html on line 1"),
        ("<!-- no end", "1:1", "Unterminated comment started on line 1"),
        (
            "<!DOCTYPE plist [\n<!ENTITY a \"b\">]>\n<plist/>", "1:1",
            "Encountered unexpected character [ on line 1 while parsing DTD"
        ),
        ("<!DOCTYPE plist PUBLIC \"x\"", "1:27", "Encountered unexpected EOF while parsing DTD"),
        ("<plist/>", "1:9", "Encountered empty plist tag"), ("<plist></plist>", "1:16", "Encountered empty plist tag"),
        (
            "<plist>\n<true/><false/></plist>", "2:1",
            "Encountered unexpected element at line 2 (plist can only include one object)"
        ),
        ("<plist><dict/>", "1:15", "Encountered unexpected EOF"),
        ("<plist><dict>\n  <key>a</key>", "2:3", "Value missing for key inside <dict> at line 2"),
        (
            plist("<dict>\n  <key>a</key>\n  <strin>x</strin>\n</dict>"), "5:3",
            "Encountered unknown tag strin on line 5"
        ),
        (plist("<dict>\n\t<key>a</key>\n\t<key>b</key><true/></dict>"), "5:2", "Found non-key inside <dict> at line 5"),
        (plist("<dict><string>x</string></dict>"), "3:1", "Found non-key inside <dict> at line 3"),
        (plist("<dict>x</dict>"), "3:1", "Encountered unexpected character x on line 3 while looking for open tag"),
        (plist("<array><dict></array></dict>"), "3:1", "Close tag on line 3 does not match open tag dict"),
        (inDictionary("<string>a</sting>"), "3:1", "Close tag on line 3 does not match open tag string"),
        (
            inDictionary("<string>a<b>c</b></string>"), "3:1",
            "Encountered unexpected character b on line 3 while looking for close tag"
        ),
        (inDictionary("<string>a <!-- b --> c</string>"), "3:1", "Encountered improper CDATA opening at line 3"),
        (inDictionary("<string>a & b</string>"), "3:1", "Encountered unknown ampersand-escape sequence at line 3"),
        (inDictionary("<string>&nbsp;</string>"), "3:1", "Encountered unknown ampersand-escape sequence at line 3"),
        (inDictionary("<string><![CDATA[x</string>"), "3:1", "Could not find end of CDATA started on line 3"),
        (inDictionary("<integer>12x</integer>"), "3:1", "Unknown character 'x' (0x78) in <integer> on line 3"),
        (inDictionary("<integer>7 </integer>"), "3:1", "Unknown character ' ' (0x20) in <integer> on line 3"),
        (inDictionary("<integer/>"), "3:1", "Encountered empty <integer> on line 3"),
        (inDictionary("<integer>18446744073709551616</integer>"), "3:1", "Integer overflow in <integer> on line 3"),
        (inDictionary("<integer>-9223372036854775809</integer>"), "3:1", "Integer underflow in <integer> on line 3"),
        (inDictionary("<real>1,5</real>"), "3:1", "Encountered misformatted real on line 3"),
        (inDictionary("<real>0x1p3</real>"), "3:1", "Encountered misformatted real on line 3"),
        (inDictionary("<true>yes</true>"), "3:1", "Encountered non-empty <true> on line 3"),
        (inDictionary("\r\n<date>2024-13-45</date>"), "4:1", "Could not interpret <date> at line 4"),
        (inDictionary("<data/>"), "3:1", "Encountered empty <data> on line 3"),
    ]

    private static func notAPropertyList(_ origin: String) -> String {
        "\(origin): this is not a property list; expected XML or a binary property list. Convert an old-style "
            + "(OpenStep) one with `plutil -convert xml1`."
    }

    private static let misreadKey =
        "app.plist:3:1: Foundation misreads a key of this dictionary; expected keys without U+0000 that differ in more "
        + "than how their characters are composed"

    private static func noDate(_ text: String) -> String {
        "app.plist:3:19: `\(text)` does not exist; expected a day of the calendar and a time from 00:00:00 to 23:59:59"
    }

    private static let noBase64 =
        "app.plist:3:19: the base64 text is not valid; expected groups of four characters, padded with `=`, and unused "
        + "bits of zero"

    @Test("A property list that Foundation would misread is an error", arguments: refused.indices)
    func refusedText(index: Int) {
        #expect(message(Self.refused[index].text) == Self.refused[index].message)
    }

    // The reasons are those of Swift 6.3 on Linux. Other versions may use other words, but all name the line.
    @Test("An error of Foundation has its words and the place where its line begins", arguments: invalid.indices)
    func invalidText(index: Int) {
        let row = Self.invalid[index]
        let text = message(row.text)
        #expect(
            text?.hasPrefix("app.plist:\(row.place): this is not a valid property list: \"") == true, "\(text ?? "")")
        #expect(text?.contains(row.reason) == true, "\(text ?? "")")
        #expect(text?.contains("\n") == false)
    }

    @Test("No row is missing from the tables")
    func count() {
        #expect(Self.refused.count == 36)
        #expect(Self.invalid.count == 31)
    }
}
