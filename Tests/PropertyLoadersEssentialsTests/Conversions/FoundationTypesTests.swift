import Foundation
import PropertyLoadersEssentials
import Testing

@Suite("Data from base64")
struct FoundationTypesTests {
    private func read(_ text: String) throws -> Data? {
        let store = PropertyStore()
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
