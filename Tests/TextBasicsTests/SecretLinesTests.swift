import Testing
import TextBasics

/// The lines of which messages show nothing.
struct SecretLinesTests {
    /// Texts whose lines with `|` at their start must be hidden, and those with `.` may be shown.
    static let texts = [
        // The name of a secret in the line.
        "|password = hunter2", "|password: hunter2", ".port = 80a", "|DB_PASSWORD=hunter2 x", ".a = 1 # b",
        #"|{"host": "x", "password": "hunter2",}"#, "|db = { password = 'hunter2', x }", "|a.api_token.b = 80a",
        "|export TOKEN='x", #"|"connection-string" = "Server=db""#, "|url = \"Server=db;Password=hunter2\" x",
        // A value that goes on.
        "|password = \"\"\"\n|hunter2\n|x\"\"\" y\n.port = 80a", "|tokens = [\n|  'a',\n|  b c,\n|]\n.port = 80a",
        "|password = \"hunter2\n|hunter3\"\n.port = 80a", "|password =\n|hunter2\n.port = 80a",
        ".{\n|  \"password\":\n|    \"hunter2\" x,\n.  \"port\": 80a\n.}",
        ".{\n|  \"secrets\": {\n|    \"a\": hunter2\n|  },\n.  \"port\": 80a\n.}",
        "|password = [\n|[\"hunter2\"]\n|[abc]\n|x y\n|]\n.port = 80a",
        "|password = \"abc\n|QUJDREVG=\n|x\n.port = 80a",
        // The path of the table.
        "|[database.password]\n|value = hunter2 x\n.[database]\n.port = 80a", "|[[tokens]]\n|x = a b",
        ".[api]\n|key = 80a\n.port = 80a", ".{\n.\"api\": {\n|  \"key\": hunter2\n|}}",
        // Escapes in a name.
        #"|"\u0070assword" = x y"#, #"|{"p\u0061ssword": x}"#, #"|"\x70assword" = x y"#, #"|"pass\U00000077ord" = x y"#,
        "|[\"\\u0074oken\"]\n|value = x y\n.[api]\n.port = 1", #"|"\"token" = x y"#, #".{"\u00zzport": x}"#,
        "|[secrets.\"a/b\"]\n|value = x y", ".\"p\\",
        "|<dict><key>&#112;assword</key>\n|<string>hunter2</sting>", "|<dict><key>pass&#x77;ord</key>\n|<x>",
        // A missing separator, and comments.
        "|password\n|hunter2\n.port = 1", ".{\n|  \"password\"\n|    \"hunter2\",\n.  \"port\": 80a\n.}",
        ".a = 'b'\n.text\n.port = 1", "|password\n|= hunter2\n.port = 1",
        "|<dict><!-- password: hunter2 -->\n.<key>port</key>\n.<real>x</real>",
        ".<!--\n|the token hunter2\n.-->\n.<dict>",
        // Indentation.
        ".database:\n|  password:\n|    value: hunter2\n|    more: x\n.  port: 80a\n.other: 1",
        "|secrets:\n|  a: hunter2\n|  b:\n|    c: hunter3\n.port: 80a", "|tokens:\n|- hunter2\n|- hunter3\n.port: 80a",
        "|tokens:\n|  - hunter2\n|  - hunter3\n.ports:\n.  - 1", ".api:\n|  key: hunter2\n.  port: 1",
        "|password: |\n|  hunter2\n|\n|  hunter3\n.port: 1", ".users:\n.  - name: a\n|    password: x\n.  - name: b",
        "|password = 'x'\n.port = 80a\n.  other = 1", "|password =\n|  hunter2\n|  hunter3\n.port = 1",
        "|secrets:\n|\ta: hunter2\n|\tb: hunter3",
        // Property lists.
        ".<?xml version=\"1.0\"?>\n.<dict>\n|<key>password</key>\n|<string>hunter2</sting>\n.<key>port</key>\n.<real>x</real>",
        "|<dict><key>tokens</key><array>\n|<string>a</string>\n|<x>\n|</array>\n.<key>port</key><x>",
    ]

    @Test(
        "A line is hidden if the name of a secret is in it, in the statement that it continues, or in its table",
        arguments: texts)
    func lines(text: String) {
        let marked = text.split(separator: "\n", omittingEmptySubsequences: false)
        let source = SourceText(bytes: Array(marked.map { $0.dropFirst() }.joined(separator: "\n").utf8))
        var offset = 0
        for line in marked {
            #expect(source.mayShowSecret(at: offset) == (line.first == "|"), "\(line)")
            #expect(source.mayShowSecret(at: offset + line.utf8.count - 1) == (line.first == "|"), "the end of \(line)")
            offset += line.utf8.count
        }
    }

    @Test(
        "Texts that are cut off or repeat brackets are read to their end",
        arguments: ["[", "{", "\"", "'''", "=", "\\", "<key>", "a.", "\n"])
    func broken(part: String) {
        let source = SourceText(bytes: Array(String(repeating: part, count: 2000).utf8))
        #expect(!source.mayShowSecret(at: 100))
    }

    @Test(
        "A long line is read once, whatever it repeats",
        arguments: [
            "x" + String(repeating: "[", count: 200_000) + String(repeating: ":", count: 200_000),
            "[" + String(repeating: "x", count: 200_000) + "]\n" + String(repeating: "a=1\n", count: 20_000),
            "<a>" + String(repeating: "<!--", count: 50_000),
        ])
    func long(text: String) {
        #expect(!SourceText(bytes: Array(text.utf8)).mayShowSecret(at: 0))
    }
}
