import Foundation
import PropertyLoaders
import TestSupport
import Testing

@Suite("PlistDocument: values")
struct PlistDocumentTests {
    @Test("The element determines the type of an XML value")
    func xmlValues() throws {
        let values = try RecordedMessages.compare("plist-values") { xml in
            guard case .array(let nodes)? = try? document(plist("<array>\(xml)</array>")).root.value else { return nil }
            return nodes.map { "\($0.value)" }.joined(separator: ", ")
        }
        #expect(values == (20, []))
    }

    @Test("A document may have a value of any type at the top, but a layer must have a dictionary")
    func top() throws {
        guard case .integer(5) = try document(plist("<integer>5</integer>")).root.value else { throw Unexpected() }
        #expect(
            message(plist("\n<array/>")) == """
                app.plist:4:1: the value at the top is not a dictionary; expected `<dict>`. Put it into a dictionary, whose key \
                gives it a name.
                """)
    }

    @Test("Every key and every value has its line and column")
    func places() throws {
        let text = plist(
            """
            <dict>
              <key>api</key>
              <dict><key>hosts</key> <array><string>é</string><!-- c --> <true/></array></dict>
            </dict>
            """)
        let layer = try PlistPropertyLoader(string: text, name: "app.plist").load()
        #expect(layer.table[0].keyOrigin.description == "app.plist:4:3")
        #expect(layer.table[0].node.origin.description == "app.plist:5:3")
        guard case .table(let api) = layer.table[0].node.value, case .array(let hosts) = api[0].node.value else {
            throw Unexpected()
        }
        #expect(api[0].keyOrigin.description == "app.plist:5:9")
        #expect(hosts.map(\.origin.description) == ["app.plist:5:33", "app.plist:5:62"])
    }

    @Test("Keys have the text and the order of the source")
    func keys() throws {
        let text = plist("<dict><key>z.a</key><true/><key>a&amp;<![CDATA[<b>]]></key><true/><key/><true/></dict>")
        let layer = try PlistPropertyLoader(string: text, name: "app.plist").load()
        #expect(layer.table.map(\.key) == ["z.a", "a&<b>", ""])
    }

    @Test("The last value of a duplicate key is used, and a warning has the positions of both keys")
    func duplicateKeys() throws {
        let text = plist("<dict><key>a</key><integer>1</integer><key>b</key><true/>\n<key>a</key><real>2</real></dict>")
        let layer = try PlistPropertyLoader(string: text, name: "app.plist").load()
        #expect(layer.table.map(\.key) == ["a", "b"])
        #expect(layer.table["a"]?.origin.description == "app.plist:4:13")
        guard case .double(2) = layer.table["a"]?.value else { throw Unexpected() }
        #expect(
            layer.warnings.map(\.description) == [
                """
                app.plist:4:1: the key `a` is defined twice, and this value counts (the first one is at app.plist:3:7). Remove one \
                of the two.
                """
            ])
    }

    @Test("The value at the top may be without `<plist>`, as for Foundation")
    func withoutPlist() throws {
        let layer = try PlistPropertyLoader(string: "<dict><key>a</key><true/></dict>", name: "app.plist").load()
        #expect(layer.table["a"]?.origin.description == "app.plist:1:19")
    }

    @Test(
        "A binary date is rounded to the nearest nanosecond",
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59.5Z"), (725857445.25, "2024-01-02T03:04:05.25Z"),
            (-978307200.0, "1970-01-01T00:00:00Z"), (5097600.0, "2001-03-01T00:00:00Z"),
            (99705600.0, "2004-02-29T00:00:00Z"), (-31536000.0 * 100, "1901-01-26T00:00:00Z"),
            (-63114076800.0, "0000-12-30T00:00:00Z"), (252423993599.0, "9999-12-31T23:59:59Z"),
            (1.000000001, "2001-01-01T00:00:01.000000001Z"), (0.9999999999, "2001-01-01T00:00:01Z"),
        ])
    func binaryDates(seconds: Double, text: String) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let data = try PropertyListSerialization.data(fromPropertyList: [date], format: .binary, options: 0)
        guard case .array(let nodes) = try document([UInt8](data)).root.value else { throw Unexpected() }
        #expect(nodes.map { "\($0.value)" } == ["dateTime(\(text))"])
    }
}

@Suite("PlistPropertyLoader: sources")
struct PlistPropertyLoaderTests {
    private static let text = plist("<dict><key>a</key><integer>1</integer></dict>")

    @Test("A file, a string and bytes load the same values under their own names")
    func sources() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = directory.appendingPathComponent("app.plist")
        try Data(Self.text.utf8).write(to: url)
        let file = try PlistPropertyLoader(url: url).load()
        #expect(file.files == [url.path])
        #expect(file.source?.identity == url.path)
        #expect(file.merge == .firstLevel)
        #expect(file.table["a"]?.origin.description == "\(url.relativePath):3:19")
        let bytes = try PlistPropertyLoader(bytes: Array(Self.text.utf8), name: "b").load()
        #expect(bytes.table["a"]?.origin.description == "b:3:19")
        #expect(bytes.files.isEmpty)
        loadError { try PlistPropertyLoader(url: directory).load() }
        let missing = loadError {
            try PlistPropertyLoader(url: directory.appendingPathComponent("none.plist")).load()
        }
        #expect(missing?.reason == .notFound)
    }

    @Test("A bundle is searched for the name, with or without its extension")
    func bundles() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bundle")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try Data(Self.text.utf8).write(to: directory.appendingPathComponent("app.plist"))
        let bundle = try #require(Bundle(url: directory))
        #expect(try PlistPropertyLoader(bundle: bundle, name: "app").load().table.count == 1)
        #expect(try PlistPropertyLoader(bundle: bundle, name: "app.plist").load().table.count == 1)
        let error = loadError {
            try PlistPropertyLoader(bundle: bundle, name: "other").load()
        }
        #expect(error?.reason == .notFound)
        #expect(error?.description.hasPrefix("other.plist: the bundle ") == true)
        loadError { try PlistPropertyLoader(name: "no such resource").load() }
    }

}

struct Unexpected: Error {}

func plist(_ value: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n\(value)\n</plist>\n"
}

func document(_ text: String) throws -> PlistDocument { try document(Array(text.utf8)) }

func document(_ bytes: [UInt8]) throws -> PlistDocument {
    try PlistDocument(FileSource(bytes: bytes, name: "app.plist").read(limit: .max))
}

/// Returns the message of the error that a loader throws, or nil.
func message(
    _ bytes: some Sequence<UInt8>, limits: SyntaxLimits = SyntaxLimits(),
    entries: Int = PlistPropertyLoader.defaultEntries
) -> String? {
    do {
        _ = try PlistPropertyLoader(bytes: bytes, name: "app.plist", limits: limits, entries: entries).load()
        return nil
    } catch {
        return "\(error)"
    }
}

func message(_ text: String, limits: SyntaxLimits = SyntaxLimits()) -> String? { message(text.utf8, limits: limits) }
