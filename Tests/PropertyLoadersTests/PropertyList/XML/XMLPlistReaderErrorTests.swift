import PropertyLoaders
import Testing

@Suite("XMLPlistReader: messages for invalid documents")
struct XMLPlistReaderErrorTests {
    static let documents: [(text: String, message: String)] = [
        (
            "",
            "app.plist: the file is empty; expected a property list. Check that this is the right file."
        ),
        (
            " \n",
            "app.plist: the file is empty; expected a property list. Check that this is the right file."
        ),
        (
            "hello",
            "app.plist:1:1: this is not a property list; expected `<?xml`, `<plist` or `bplist00` at the "
                + "start. Check that this is the right file."
        ),
        (
            "{ a = 1; }",
            "app.plist:1:1: this looks like an old-style (OpenStep) property list, or like JSON; expected "
                + "an XML or a binary property list. Convert it with `plutil -convert xml1`."
        ),
        (
            "{\"a\": 1}",
            "app.plist:1:1: this looks like an old-style (OpenStep) property list, or like JSON; expected "
                + "an XML or a binary property list. Convert it with `plutil -convert xml1`."
        ),
        (
            "(a, b)",
            "app.plist:1:1: this looks like an old-style (OpenStep) property list, or like JSON; expected "
                + "an XML or a binary property list. Convert it with `plutil -convert xml1`."
        ),
        (
            "<html></html>",
            "app.plist:1:1: the document begins with `<html>`; expected `<plist>`. Check that this is the "
                + "right file."
        ),
        (
            "<dict/>",
            "app.plist:1:1: the document begins with `<dict>`; expected `<plist>`. Put the value into "
                + "`<plist version=\"1.0\">`."
        ),
        (
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<plist/>",
            "app.plist:1:1: the declared encoding is `ISO-8859-1`; expected UTF-8. Save the file as UTF-8 "
                + "and declare that."
        ),
        (
            "<?xml version=\"1.0\"",
            "app.plist:1:1: the instruction that starts here has no end; expected `?>`"
        ),
        (
            "<!-- no end",
            "app.plist:1:1: the comment that starts here has no end; expected `-->`"
        ),
        (
            "<!DOCTYPE html>\n<html/>",
            "app.plist:1:1: the document type is `html`; expected `plist`. Check that this is the right "
                + "file."
        ),
        (
            "<!DOCTYPE plist [\n<!ENTITY a \"b\">]>\n<plist/>",
            "app.plist:1:17: the document type has declarations of its own; expected `>`. Remove all "
                + "between `[` and `]`, and write the entities' text in their places."
        ),
        (
            "<!DOCTYPE plist PUBLIC \"x\"",
            "app.plist:1:1: the `<!DOCTYPE` that starts here has no end; expected `>`"
        ),
        (
            "<?xml version=\"1.0\"?>\n",
            "app.plist:2:1: the document ends before its first element; expected `<plist>`"
        ),
        (
            "<plist/>",
            "app.plist:1:1: the `<plist>` is empty; expected a value in it, such as `<dict/>`"
        ),
        (
            "<plist></plist>",
            "app.plist:1:1: the `<plist>` is empty; expected a value in it, such as `<dict/>`"
        ),
        (
            "<plist><true/><false/></plist>",
            "app.plist:1:15: there is a second value in `<plist>`; expected `</plist>` (the first one "
                + "begins at app.plist:1:8). Put both into one `<dict>` or `<array>`."
        ),
        (
            "<plist><dict/></plist>\n<plist/>",
            "app.plist:2:1: there is more text after `</plist>`; expected the end of the file. Remove it."
        ),
        (
            "<plist><dict/>",
            "app.plist:1:15: the document ends inside `<plist>`; expected `</plist>` (it begins at "
                + "app.plist:1:1)"
        ),
        (
            "<plist><dict>\n<key>a</key>",
            "app.plist:2:13: the document ends inside `<dict>`; expected `</dict>` (it begins at "
                + "app.plist:1:8)"
        ),
        (
            "<plist version='1.0'><dict/></dict>",
            "app.plist:1:29: `</dict>` does not close `<plist>`; expected `</plist>` (it begins at "
                + "app.plist:1:1)"
        ),
        (
            "<plist version='2 < 3'><dict/></plist>",
            "app.plist:1:1: this is not a valid tag; expected `<name>`, `</name>` or `<name/>`. Write a `<` "
                + "that is text as `&lt;`."
        ),
        (
            "<plist><dict",
            "app.plist:1:8: the tag that starts here has no end; expected `>`"
        ),
        (
            plist("<dict>\n  <key>a</key>\n  <strin>x</strin>\n</dict>"),
            "app.plist:5:3: `<strin>` is not an element of property lists; expected `<dict>`, `<array>`, "
                + "`<string>`, `<integer>`, `<real>`, `<true/>`, `<false/>`, `<date>` or `<data>`. Names are "
                + "case-sensitive."
        ),
        (
            plist("<dict><key>a</key><String>x</String></dict>"),
            "app.plist:3:19: `<String>` is not an element of property lists; expected `<dict>`, `<array>`, "
                + "`<string>`, `<integer>`, `<real>`, `<true/>`, `<false/>`, `<date>` or `<data>`. Names are "
                + "case-sensitive."
        ),
        (
            plist("<dict><key>a</key></dict>"),
            "app.plist:3:7: the key `a` has no value; expected a value after `</key>`. Write one, or remove "
                + "the key."
        ),
        (
            plist("<dict><key>a</key><key>b</key><true/></dict>"),
            "app.plist:3:7: the key `a` has no value; expected a value after `</key>`. Write one, or remove "
                + "the key."
        ),
        (
            plist("<dict><string>x</string></dict>"),
            "app.plist:3:7: `<string>` has no key; expected `<key>` or `</dict>`. Write its `<key>` before "
                + "it."
        ),
        (
            plist("<dict>x</dict>"),
            "app.plist:3:7: there is text between the elements of `<dict>`; expected an element. Put it "
                + "into `<string>`, or remove it."
        ),
        (
            plist("<dict><key>a</key>=<true/></dict>"),
            "app.plist:3:19: there is text between the elements of `<dict>`; expected an element. Put it "
                + "into `<string>`, or remove it."
        ),
        (
            plist("<array><key>a</key></array>"),
            "app.plist:3:8: there is a `<key>` where a value must be; expected `<dict>`, `<array>`, "
                + "`<string>`, `<integer>`, `<real>`, `<true/>`, `<false/>`, `<date>` or `<data>`. Keys "
                + "belong in `<dict>`."
        ),
        (
            plist("<array><dict></array></dict>"),
            "app.plist:3:14: `</array>` does not close `<dict>`; expected `</dict>` (it begins at "
                + "app.plist:3:8)"
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
        #expect(Self.documents.count == 33)
    }
}
