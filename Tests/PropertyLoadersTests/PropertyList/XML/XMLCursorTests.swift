import Foundation
import PropertyLoaders
import Testing

@Suite("XMLCursor: line ends, the declaration and the document type")
struct XMLCursorTests {
    private func value(_ xml: String) throws -> String {
        let layer = try PlistPropertyLoader(string: plist("<dict><key>a</key>\(xml)</dict>"), name: "app.plist").load()
        return try #require(layer.table["a"].map { "\($0.value)" })
    }

    @Test("Every line end in text becomes one line feed (XML 1.0, section 2.11)")
    func lineEnds() throws {
        #expect(try value("<string>a\r\nb\rc\nd\r\r\ne</string>") == #"string("a\nb\nc\nd\n\ne")"#)
        #expect(try value("<string><![CDATA[a\r\nb\r]]>\nc</string>") == #"string("a\nb\n\nc")"#)
        let key = try PlistPropertyLoader(string: plist("<dict>\r\n<key>a\r\nb</key>\r\n<true/></dict>"), name: "k")
            .load()
        #expect(key.table.map(\.key) == ["a\nb"])
    }

    @Test("A carriage return that is written as a reference is kept")
    func references() throws {
        #expect(try value("<string>a&#13;\nb&#xD;</string>") == #"string("a\r\nb\r")"#)
    }

    @Test("Every valid declaration and document type is accepted")
    func prologs() {
        let prologs = [
            "", "<?xml version=\"1.0\"?>", "<?xml version='1.1' encoding='us-ascii' standalone='yes' ?>",
            "<?xml\tversion = \"1.0\"\r\nencoding = 'UTF-8'?>", "<?xml version=\"1.0\" standalone=\"no\"?>",
            "<!DOCTYPE plist>", "<!DOCTYPE plist >", "<!DOCTYPE plist SYSTEM 'a \"b\" > c'>",
            "<!DOCTYPE\nplist\nPUBLIC \"-//Apple//DTD PLIST 1.0//EN\"\n'file://localhost/x'\n>",
        ]
        for prolog in prologs { #expect(message(prolog + "<plist><dict/></plist>") == nil, "\(prolog)") }
    }

    @Test(
        "An invalid declaration is an error",
        arguments: [
            "<?xml?>", "<?xml ?>", "<?xml encoding=\"UTF-8\"?>", "<?xml version=1.0?>", "<?xml version=\"1.0'?>",
            "<?xml version=\"1.0\"encoding=\"UTF-8\"?>", "<?xml version=\"1.0\" encoding=UTF-8?>",
            "<?xml version=\"1.0\" encoding=\"\"?>", "<?xml version=\"1.0\" coding=\"UTF-8\"?>",
            "<?xml version=\"2\"?>", "<?xml version=\"1.\"?>", "<?xml version=\"\"?>",
            "<?xml version=\"1.0\" standalone=\"maybe\"?>", "<?xml version=\"1.0\" ? >x?>",
            "<?xml version=\"1.0\" standalone=\"no\" encoding=\"UTF-8\"?>", "<?XML version=\"1.0\"?>",
        ])
    func damagedDeclarations(declaration: String) {
        #expect(
            message(declaration + "\n<plist><dict/></plist>")
                == "app.plist:1:1: the `<?xml` declaration is damaged; expected `<?xml version=\"1.0\" "
                + "encoding=\"UTF-8\"?>`")
    }

    @Test("A second declaration is an error at its own line and column")
    func secondDeclaration() {
        let text = message("<?xml version=\"1.0\"?>\n<?xml version=\"1.0\"?><plist><dict/></plist>")
        #expect(
            text == "app.plist:2:1: there is a second `<?xml` declaration; expected one, at the start of the file. "
                + "Remove it.")
    }

    @Test(
        "An invalid document type is an error",
        arguments: [
            "<!DOCTYPEplist>", "<!DOCTYPE plist x>", "<!DOCTYPE plist PUBLIC>", "<!DOCTYPE plist PUBLIC \"a\">",
            "<!DOCTYPE plist PUBLIC \"a\"\"b\">", "<!DOCTYPE plist SYSTEM>", "<!DOCTYPE plist SYSTEM \"a\" \"b\">",
            "<!DOCTYPE plist SYSTEM\"a\">", "<!DOCTYPE plist \"a\">", "<!DOCTYPE plist PUBLIC a b>",
            "<!DOCTYPE plist PUBLIC \"a{b\" \"c\">",
        ])
    func damagedTypes(type: String) {
        #expect(
            message(type + "\n<plist><dict/></plist>")
                == "app.plist:1:1: the `<!DOCTYPE` is damaged; expected `<!DOCTYPE plist PUBLIC \"…\" \"…\">` or "
                + "`<!DOCTYPE plist>`")
    }
}
