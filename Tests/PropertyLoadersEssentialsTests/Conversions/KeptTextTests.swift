import Foundation
import PropertyLoadersEssentials
import SharedState
import Testing

@Suite("Numbers of settings that need a restart")
struct KeptTextTests {
    private struct Release: Settings {
        @Setting("The name of the release", needsRestart: true) var version: String
        @Setting("The price", needsRestart: true) var price: Decimal
    }

    private final class Document: PropertyLoader {
        let text: Guarded<String>

        init(_ text: String) { self.text = Guarded(text) }

        func load() throws -> PropertyLayer {
            try TomlPropertyLoader(string: text.withLock { $0 }, name: "a.toml").replacingPlaceholders().load()
        }
    }

    @Test("A kept value has the text that a placeholder has inserted, and all of its digits")
    func kept() throws {
        let document = Document("major = 1.10\nversion = \"${major}\"\nprice = 0.12345678901234567890")
        let store = PropertyStore()
        store.declare(Release.self)
        store.declare(TypedKey<Double>("major"))
        try store.start([document])
        let former = try store.settings(Release.self)
        #expect((former.version, "\(former.price)") == ("1.10", "0.1234567890123456789"))
        document.text.withLock { $0 = "major = 1.20\nversion = \"${major}\"\nprice = 2.5" }
        #expect(try store.reload().count == 2)
        let kept = try store.settings(Release.self)
        #expect((kept.version, kept.price) == (former.version, former.price))
    }
}
