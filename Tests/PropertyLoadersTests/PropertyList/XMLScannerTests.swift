import Foundation
import PropertyLoaders
import Testing

@Suite("XMLScanner: texts, encodings and document types")
struct XMLScannerTests {
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
        #expect(key.table["a\nb"]?.origin.description == "k:6:1")
    }

    @Test("A carriage return that is written as a reference is kept")
    func references() throws {
        #expect(try value("<string>a&#13;\nb&#xD;</string>") == #"string("a\r\nb\r")"#)
    }

    @Test("Every valid declaration and document type is accepted")
    func prologs() {
        let prologs = [
            "", "<?xml version=\"1.0\"?>", "<?xml version='1.1' encoding='utf-8' standalone='yes' ?>",
            "<?xml\tversion = \"1.0\"\r\nencoding = 'UTF-8'?>", "<?xml version=\"1.0\" standalone=\"no\"?>",
            "<!DOCTYPE plist>", "<!DOCTYPE plist >", "<!-- <plist> --><?x <plist> ?>",
            "<!DOCTYPE\nplist\nPUBLIC \"-//Apple//DTD PLIST 1.0//EN\"\n'file://localhost/x'\n>",
        ]
        for prolog in prologs { #expect(message(prolog + "<plist><dict/></plist>") == nil, "\(prolog)") }
    }

    @Test(
        "A declared encoding other than UTF-8 is an error",
        arguments: ["ISO-8859-1", "us-ascii", "UTF-7", "ISO-2022-JP", "UTF-16", "", "UTF-8\u{301}"])
    func encodings(encoding: String) {
        #expect(
            message("<?xml version='1.0' encoding='\(encoding)'?>\n<plist><dict/></plist>")
                == "app.plist:1:1: the declared encoding is `\(encoding)`. Save the file as UTF-8 and declare that.")
    }

    @Test("Comments that contain tags, and the end of a comment, do not hide values")
    func comments() {
        let text = plist("<dict><!--><key>a</key>--><key>b</key><!-- </dict> --><true/></dict>")
        #expect(message(text) == nil)
    }

    @Test("A comment or an instruction that ends elsewhere for Foundation does not hide elements from the limits")
    func hiddenElements() {
        // Foundation overflows the stack if many of these are nested.
        let nested = String(repeating: "<plist>", count: 100_000)
        let expected = "there is an empty comment or instruction. Remove it."
        #expect(message("<!----><!-->\(nested)-->") == "app.plist:1:1: \(expected)")
        #expect(message("<plist><array>\n<?>\(nested)<?x?></array></plist>") == "app.plist:2:1: \(expected)")
        #expect(message("<plist><dict><!----></dict></plist>") == nil)
    }
}
