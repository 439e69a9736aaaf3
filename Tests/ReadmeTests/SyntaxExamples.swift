import ConfigurationSyntax
import Testing

@Suite("Examples of the documents: syntax")
struct SyntaxExamples {
    @Test("A document, a path, and the values of an array of tables")
    func document() throws {
        let text = "[owner]\nname = \"Ada\"\n[[server]]\nport = 80\n[[server]]\nhost = \"a\"\n[[server]]\nport = 443\n"
        var found: [String] = []
        let document = try TomlDocument(bytes: Array(text.utf8), name: "servers.toml")
        let owner = document.root["owner", "name"]  // servers.toml:2:8
        for server in document.root["server"]?.elements ?? [] {
            guard case .integer(let port)? = server["port"]?.content else { continue }
            found.append("line \(server.line): port \(port)")
        }
        #expect(owner?.line == 2)
        #expect(owner?.column == 8)
        #expect(found == ["line 3: port 80", "line 7: port 443"])
    }
}
