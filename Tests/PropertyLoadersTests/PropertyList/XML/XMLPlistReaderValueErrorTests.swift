import PropertyLoaders
import Testing

@Suite("XMLPlistReader: messages for invalid values")
struct XMLPlistReaderValueErrorTests {
    /// Returns a property list whose only value is at line 3, column 19.
    private static func inDictionary(_ xml: String) -> String {
        plist("<dict><key>a</key>\(xml)</dict>")
    }

    static let documents: [(text: String, message: String)] = [
        (
            inDictionary("<plist><true/></plist>"),
            "app.plist:3:19: there is a `<plist>` inside of another element; expected `<dict>`, `<array>`, "
                + "`<string>`, `<integer>`, `<real>`, `<true/>`, `<false/>`, `<date>` or `<data>`. Remove "
                + "its two tags."
        ),
        (
            inDictionary("<![CDATA[x]]>"),
            "app.plist:3:19: this `<!` does not start a comment; expected an element. Remove it, or write "
                + "`<!-- … -->`."
        ),
        (
            inDictionary("<string>a</sting>"),
            "app.plist:3:28: `</sting>` does not close `<string>`; expected `</string>` (it begins at "
                + "app.plist:3:19)"
        ),
        (
            inDictionary("<string>a"),
            "app.plist:3:28: `</dict>` does not close `<string>`; expected `</string>` (it begins at "
                + "app.plist:3:19)"
        ),
        (
            inDictionary("<string>a<b>c</b></string>"),
            "app.plist:3:28: `<b>` is in the text of `<string>`; expected `</string>`. Close the element "
                + "first, or write a `<` that is text as `&lt;`."
        ),
        (
            inDictionary("<string>a <!-- b --> c</string>"),
            "app.plist:3:29: there is a comment in the text of `<string>`; expected `</string>`. Write it "
                + "before the element."
        ),
        (
            inDictionary("<string>a < b</string>"),
            "app.plist:3:29: this is not a valid tag; expected `<name>`, `</name>` or `<name/>`. Write a `<` "
                + "that is text as `&lt;`."
        ),
        (
            inDictionary("<string>a & b</string>"),
            "app.plist:3:29: this `&` does not start a reference; expected `&name;` or `&#number;`. Write a "
                + "`&` that is text as `&amp;`."
        ),
        (
            inDictionary("<string>&nbsp;</string>"),
            "app.plist:3:27: `&nbsp;` is not a known entity; expected `&amp;`, `&lt;`, `&gt;`, `&quot;` or "
                + "`&apos;`. Write its text, or its number as `&#…;`."
        ),
        (
            inDictionary("<string>&#0;</string>"),
            "app.plist:3:27: `&#0;` is not a valid XML character; expected the number of a character"
        ),
        (
            inDictionary("<string>&#xD800;</string>"),
            "app.plist:3:27: `&#xD800;` is not a valid XML character; expected the number of a character"
        ),
        (
            inDictionary("<string>a\u{1}</string>"),
            "app.plist:3:28: there is the control character U+0001; expected text. Remove it: XML has no "
                + "way to write it."
        ),
        (
            inDictionary("<string><![CDATA[x</string>"),
            "app.plist:3:27: the `<![CDATA[` that starts here has no end; expected `]]>`"
        ),
        (
            inDictionary("<string lang=\"en\">x</string>"),
            "app.plist:3:27: there is an attribute `lang`; expected only the `version` of `<plist>`. Remove "
                + "it."
        ),
        (
            inDictionary("<integer>12x</integer>"),
            "app.plist:3:19: `12x` is not a valid integer; expected digits, or `0x` and hexadecimal ones, "
                + "with nothing after them"
        ),
        (
            inDictionary("<integer>7 </integer>"),
            "app.plist:3:19: `7 ` is not a valid integer; expected digits, or `0x` and hexadecimal ones, "
                + "with nothing after them"
        ),
        (
            inDictionary("<integer>1.5</integer>"),
            "app.plist:3:19: `1.5` is not a valid integer; expected digits, or `0x` and hexadecimal ones, "
                + "with nothing after them"
        ),
        (
            inDictionary("<integer></integer>"),
            "app.plist:3:19: `<integer>` has no text; expected text in it. Write the value, or remove it "
                + "with its key."
        ),
        (
            inDictionary("<integer/>"),
            "app.plist:3:19: `<integer>` has no text; expected text in it. Write the value, or remove it "
                + "with its key."
        ),
        (
            inDictionary("<integer>18446744073709551616</integer>"),
            "app.plist:3:19: `18446744073709551616` is out of range; expected an integer from -2^63 to 2^64 "
                + "- 1. Write it as a `<string>`."
        ),
        (
            inDictionary("<integer>-9223372036854775809</integer>"),
            "app.plist:3:19: `-9223372036854775809` is out of range; expected an integer from -2^63 to 2^64 "
                + "- 1. Write it as a `<string>`."
        ),
        (
            inDictionary("<real>1,5</real>"),
            "app.plist:3:19: `1,5` is not a valid number; expected a number such as `-1.5e3`, with nothing "
                + "after it"
        ),
        (
            inDictionary("<real>1e999</real>"),
            "app.plist:3:19: `1e999` is out of range; expected a number that 64 bits hold. Write `inf` "
                + "where infinity is meant."
        ),
        (
            inDictionary("<real>0x1p3</real>"),
            "app.plist:3:19: `0x1p3` is not a valid number; expected a number such as `-1.5e3`, with nothing "
                + "after it"
        ),
        (
            inDictionary("<true>yes</true>"),
            "app.plist:3:19: `<true>` has content; expected `<true/>`. Remove the content."
        ),
        (
            inDictionary("<date>2024-02-30T00:00:00Z</date>"),
            "app.plist:3:19: `2024-02-30T00:00:00Z` does not exist; expected a day of the calendar and a "
                + "time from 00:00:00 to 23:59:59"
        ),
        (
            inDictionary("<date>2024-13-45</date>"),
            "app.plist:3:19: `2024-13-45` is not a valid date; expected a date such as `2026-11-21T06:30:00Z`"
        ),
        (
            inDictionary("<date>2024-01-01T24:00:00Z</date>"),
            "app.plist:3:19: `2024-01-01T24:00:00Z` does not exist; expected a day of the calendar and a "
                + "time from 00:00:00 to 23:59:59"
        ),
        (
            inDictionary("<date>2024-01-01T00:00:60Z</date>"),
            "app.plist:3:19: `2024-01-01T00:00:60Z` does not exist; expected a day of the calendar and a "
                + "time from 00:00:00 to 23:59:59"
        ),
        (
            inDictionary("<date/>"),
            "app.plist:3:19: `<date>` has no text; expected text in it. Write the value, or remove it with "
                + "its key."
        ),
        (
            inDictionary("<data>!!!</data>"),
            "app.plist:3:25: `!` is not a base64 character; expected `A`-`Z`, `a`-`z`, `0`-`9`, `+`, `/` or "
                + "`=`"
        ),
        (
            inDictionary("<data>AQI</data>"),
            "app.plist:3:19: the base64 text is not valid; expected groups of four characters, padded with "
                + "`=`, and unused bits of zero"
        ),
        (
            inDictionary("<data>AQ==AQ==</data>"),
            "app.plist:3:29: the base64 text is not valid; expected groups of four characters, padded with "
                + "`=`, and unused bits of zero"
        ),
        (
            inDictionary("<data>A=======</data>"),
            "app.plist:3:19: the base64 text is not valid; expected groups of four characters, padded with "
                + "`=`, and unused bits of zero"
        ),
    ]

    @Test(
        "A message contains the file, line, column and problem, and in most cases what was expected and a remedy",
        arguments: documents.indices)
    func xml(index: Int) {
        let row = Self.documents[index]
        #expect(message(row.text) == row.message)
    }

    @Test("No row is missing from the table of documents")
    func count() {
        #expect(Self.documents.count == 34)
    }
}
