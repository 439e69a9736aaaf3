import Foundation
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Data from base64")
struct FoundationTypesTests {
    private func read(_ text: String) throws -> Data? {
        let store = PropertyStore.quiet
        try store.apply(JsonPropertyLoader(string: "{\"d\":\"\(text)\"}", name: "c.json"))
        return store.property("d")
    }

    @Test(
        "Valid base64 is decoded",
        arguments: [
            ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"), ("fn5+", "~~~"), ("Pz8/", "???"),
        ])
    func valid(text: String, bytes: String) throws {
        #expect(try read(text) == Data(bytes.utf8))
    }

    @Test(
        "All other text is rejected",
        arguments: [
            "====", "===", "==", "=", "A", "AA", "AAA", "A===", "QUJD=", "QUJD==", "QUJD====", "Zg=", "Zg", "Zg===",
            "Z===", "Zg==Zg==", "Zh==", "Zm9=", "Zm8", "=Zm8", "Z=m8", "Zm9v\\n", "Zm 9v", "Zm9v Zm9v", "Zm9_", "Zm9-",
            "Zm9\u{E9}", "Zm9.", "\u{FF21}AAA",
        ])
    func invalid(text: String) throws {
        #expect(try read(text) == nil)
    }
}

@Suite("UUIDs")
struct UUIDTests {
    @Test("The error about a text that is not a UUID shows the form of one, and so does a missing setting")
    func messages() throws {
        struct Node: Settings { @Setting var id: UUID }
        let store = PropertyStore.quiet
        store.declare(Node.self)
        store.acceptUncheckedChanges()
        try store.apply(JsonPropertyLoader(string: "{\"id\": \"one\"}", name: "c.json"))
        let wrong = #expect(throws: ConfigurationErrors.self) { try store.verify() }
        let form = "a UUID such as \"6ba7b810-9dad-11d1-80b4-00c04fd430c8\""
        #expect(wrong?.lines == "c.json:1:8: 'id' is the string \"one\"; expected \(form). Change the value.")
        try store.apply(JsonPropertyLoader(string: "{}", name: "c.json"))
        let missing = #expect(throws: ConfigurationErrors.self) { try store.verify() }
        #expect(missing?.lines == "'id' is missing; expected \(form). Set it in c.json.")
    }

    @Test("A UUID is read in any case, from text with and without a type")
    func values() throws {
        let id = UUID()
        for value in [PropertyValue.string(id.uuidString), .text(id.uuidString.lowercased())] {
            let store = PropertyStore.quiet
            try store.set("id", to: value)
            #expect(store.property("id") == id)
        }
    }
}

@Suite("URLs")
struct URLTests {
    private func read(_ text: String) throws -> URL {
        let store = PropertyStore.quiet
        try store.apply(JsonPropertyLoader(string: "{\"url\": \"\(text)\"}", name: "c.json"))
        return try store.require("url")
    }

    @Test(
        "A URL with a scheme is read, and for HTTP and WebSocket it has a host",
        arguments: [
            "https://example.com", "HTTP://h:8080/a?b#c", "http://[::1]:80", "postgres://u:p@db/app", "redis://:p@h",
            "file:///run/app.sock", "mailto:a@example.com", "urn:isbn:1", "sqlite:app.db", "unix:/run/app.sock",
            "tel:+1", "data:,x", "postgres:///app", "ws://h", "h2:1a", "oci://h:5000/r@sha256:1", "https://h/#/@a:b",
            "postgres://h:1?user=a@b", "https://h/?mail=a@b#c", "http://h:/", "postgres://u:%23%2F%40@h",
        ])
    func valid(text: String) throws {
        #expect(try read(text).absoluteString == text)
    }

    @Test(
        "A text that nobody can have meant as a URL is an error with what to write",
        arguments: [
            ("db.example.com", "Write the scheme before it, such as https://"),
            ("localhost:8080", "Write the scheme before it, such as https://"),
            ("db.example.com:5432/app", "Write the scheme before it, such as https://"),
            ("htp//x", "Write the scheme before it, such as https://"),
            ("//h/x", "Write the scheme before it, such as https://"),
            ("?", "Write the scheme before it, such as https://"),
            ("/run/app.sock", "Write file:// before a path"), ("http://", "Write the host behind http://"),
            ("https:///x", "Write the host behind https://"), ("http:x", "Write the host behind http://"),
            ("http://h:99999", "Correct the port: it is at most 65535"),
            ("https://a b", "Percent-encode invalid characters: a space is %20"),
        ])
    func invalid(text: String, remedy: String) {
        let error = #expect(throws: PropertyError.self) { try read(text) }
        let shown = "c.json:1:9: 'url' is the string \"\(text)\"; expected a URL such as \"https://example.com\". "
        #expect(error?.description == shown + "\(remedy).")
    }

    @Test("The advice about a secret value is that of its type, if it quotes nothing")
    func secrets() {
        struct Secrets: Settings {
            @Setting(isSecret: true) var url: URL?
            @Setting(isSecret: true) var pause: Duration?
            @Setting(isSecret: true) var on: Bool?
            @Setting(isSecret: true) var names: [String] = []
        }
        for (line, end) in [
            (
                "url = \"db://u:p@ss@h\"",
                "Percent-encode special characters of the user and the password: @ is %40, # is %23, / is %2F."
            ),
            ("pause = 4711", "Add the unit, such as s or ms."), ("on = 1", "Write true or false."),
            ("names = \"4711\"", "Put it into an array."),
        ] {
            let store = PropertyStore.quiet
            store.declare(Secrets.self)
            let error = #expect(throws: ConfigurationErrors.self) {
                try store.start([TomlPropertyLoader(string: line, name: "c")])
            }
            #expect(error?.lines.hasSuffix(end) == true, "\(String(describing: error))")
            #expect(error?.lines.contains("4711") == false)
        }
    }

    @Test(
        "A special character of a password is an error, because the host would be another one",
        arguments: [
            "db://u:p@ss@h/db", "db://u:#p@h/db", "db://u:7#p@h", "db://u:/p@h", "db://u:?p@h", "db://u:p/q@h",
            "db://:#p@h:6379", "db://u#1:p@h", "https://u:#p@h",
        ])
    func password(text: String) {
        let error = #expect(throws: PropertyError.self) { try read(text) }
        #expect(
            error?.description.hasSuffix(
                "Percent-encode special characters of the user and the password: @ is %40, # is %23, / is %2F.")
                == true,
            "\(String(describing: error))")
    }
}
